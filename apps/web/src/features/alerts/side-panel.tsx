import { MousePointerClick } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FailedPart } from '../../ui/part-failed.tsx';
import { SeverityIcon } from '../../ui/severity.tsx';
import type { AlertMapProps } from './map/alert-map.tsx';

/** As high as the map with what stands above and below it, so that nothing moves when it comes. */
const Waiting = () => <div className="skeleton h-[calc(18rem+81px)] rounded-b-none sm:max-pane:h-[calc(24rem+81px)]" />;

const AlertMap = lazyPart({
  load: async () => (await import('./map/alert-map.tsx')).AlertMap,
  Waiting,
  Failed: FailedPart,
});

/** Map, legend, and beside a wide list the selected alert. */
export function SidePanel({ map, preview, wide }: { map: AlertMapProps; preview: ReactNode; wide: boolean }) {
  return (
    <aside
      id="map"
      aria-label={wide ? 'Map and selected alert' : 'Map'}
      className="card min-w-0 scroll-mt-[calc(var(--bar-height)+1.5rem)] overflow-x-hidden pane:sticky pane:top-[calc(var(--bar-height)+0.75rem)] pane:max-h-[calc(100dvh-var(--bar-height)-1.5rem-var(--ticker-height))] pane:overflow-y-auto"
    >
      <WhenNear>
        <AlertMap {...map} />
      </WhenNear>
      <ul aria-label="Severity" className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-2 pb-3 text-[13px] text-muted">
        {SEVERITIES.map((name) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <SeverityIcon severity={name} /> {name}
          </li>
        ))}
      </ul>
      {wide ? (
        <>
          <div className="mx-4 border-t border-line" />
          {preview ?? (
            <Notice icon={<MousePointerClick size={24} aria-hidden="true" />} title="No alert selected">
              Choose a row or a shape to read what it says.
            </Notice>
          )}
        </>
      ) : null}
    </aside>
  );
}

/** Children once they are close to the visible part: below a long list the map is not loaded for nothing. */
function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: '400px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return near ? (
    children
  ) : (
    <div ref={place}>
      <Waiting />
    </div>
  );
}

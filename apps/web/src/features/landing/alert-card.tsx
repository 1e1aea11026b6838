import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import type { Heard } from '../../api/use-heard.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import { useNow } from '../../lib/use-now.ts';
import { SeverityBadge } from '../../ui/severity.tsx';
import { DRAWING_PLACE } from './drawing-place.ts';
import type { HeroAlert, HeroAnswer } from './hero-answer.ts';
import { heroView } from './hero-view.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

/** Only an alert has a shape, and its outline has to be fetched anyway. */
const ShapeDrawing = lazyPart<{ alert: HeroAlert }>({
  load: async () => (await import('./shape-drawing.tsx')).ShapeDrawing,
  Waiting: BareGrid,
  Failed: BareGrid,
});

/** The most dangerous alert in force, told by the answer shown beside it. */
export function AlertCard({ query }: { query: Heard<HeroAnswer> }) {
  const { labels } = useServices();
  const now = useNow(1);
  const view = heroView(query.data ?? null, query.isError, Math.max(now, query.data?.receivedAtMs ?? 0));
  const frame = 'card flex min-h-[13.5rem] flex-col overflow-clip sm:flex-row';
  if (view.kind === 'loading') {
    return (
      <div className={frame} aria-busy="true">
        <div className="skeleton m-4 min-h-36 flex-1" />
        <div className="flex flex-1 flex-col gap-3 p-5 sm:pl-1">
          <div className="skeleton h-6 w-28" />
          <div className="skeleton h-6 w-4/5" />
          <div className="skeleton h-4 w-full" />
        </div>
      </div>
    );
  }
  if (view.kind === 'none' || view.kind === 'unknown') {
    const none = view.kind === 'none';
    return (
      <div className={`${frame} items-center justify-center p-6 text-center`}>
        <div>
          <p className="text-lg font-bold">{none ? 'No alert is in force' : 'We cannot tell right now'}</p>
          <p className="tnum pt-1 text-muted">
            {view.asOfMs === null
              ? 'No data has been loaded yet.'
              : `${none ? 'As of' : 'Last good data from'} ${labels.utcClock(view.asOfMs)}`}
          </p>
        </div>
      </div>
    );
  }
  const { alert, current } = view;
  const zone = alert.time_zones[0];
  const until =
    alert.in_force_until === null ? 'until further notice' : `until ${labels.moment(Date.parse(alert.in_force_until), zone, now)}`;
  return (
    <section aria-label="The most dangerous alert in force" className={`${frame} ${current ? '' : 'opacity-75 grayscale'}`}>
      <ShapeDrawing alert={alert} />
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-5">
        <div className="flex flex-wrap items-center gap-2">
          <SeverityBadge severity={alert.severity} />
          {view.simulated ? (
            <span className="inline-flex items-center gap-1 rounded-md border border-line-strong bg-(--moderate-bg) px-2 text-[13px] leading-6 font-semibold text-(--moderate)">
              <FlaskConical size={13} aria-hidden="true" />
              Simulated
            </span>
          ) : null}
        </div>
        <p className="text-lg leading-snug font-bold">
          <Link to="/weather-alerts" search={{ alert: alert.event_id }} className="hover:underline">
            {alert.event}
          </Link>
        </p>
        <p className="line-clamp-2">{alert.area_desc}</p>
        <p className="font-medium">In force {until}</p>
        <p className="tnum mt-auto pt-2 text-[13px] text-muted">
          {current ? 'As of ' : 'We cannot tell right now: last good data from '}
          {view.asOfMs === null ? 'an unknown time' : labels.utcClock(view.asOfMs)}
          {view.ageSeconds === null ? '' : `, ${durationLabel(view.ageSeconds)} ago`}
        </p>
      </div>
    </section>
  );
}

/** Where the outline will be. The words beside it say everything. */
function BareGrid() {
  return <div className={`${DRAWING_PLACE} max-sm:h-48`} />;
}

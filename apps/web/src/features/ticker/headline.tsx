import { Link } from '@tanstack/react-router';
import type { Severity } from '@nwms/domain/alert/vocabulary';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services.ts';
import { SeverityIcon } from '../../ui/severity.tsx';
import type { TickerItem } from './ticker-item.ts';
import type { TickerView } from './ticker-view.ts';

/** One alert, as a way to all there is about it. A sample leads nowhere. */
export function Headline({ view, item, nowMs, still }: { view: TickerView; item: TickerItem; nowMs: number; still: boolean }) {
  const { labels } = useServices();
  const lost = view.kind === 'lost';
  const end = item.in_force_until === null ? null : `until ${labels.moment(Date.parse(item.in_force_until), labels.viewerZone, nowMs)}`;
  const inner = (
    <>
      <SeverityIcon severity={item.severity as Severity} className="text-inherit" />
      {item.sample ? <Tag>Sample</Tag> : null}
      {'simulated' in view && view.simulated && !item.sample ? <Tag>Simulated</Tag> : null}
      <span className={`flex min-w-0 flex-1 sm:flex-row sm:items-center sm:gap-3 ${lost ? 'gap-2' : 'flex-col'}`}>
        <span className={`truncate font-semibold sm:max-w-[45%] sm:shrink-0 ${lost ? 'max-w-[70%] shrink-0' : ''}`}>{item.event}</span>
        <Drift key={item.event_id} still={still || lost}>
          {detailOf(item, end)}
        </Drift>
      </span>
    </>
  );
  const line = `flex min-w-0 items-center gap-2.5 ${lost ? 'sm:flex-1 sm:self-stretch' : 'flex-1 self-stretch'}`;
  return (
    // On phones one below the other: beside the issue nothing of the alert could be read.
    <div className="flex min-w-0 flex-1 items-center gap-2.5 self-stretch max-sm:flex-col max-sm:items-stretch max-sm:justify-center max-sm:gap-0.5">
      {lost ? <Issue /> : null}
      {item.sample ? (
        <div className={`${line} opacity-80`}>{inner}</div>
      ) : (
        <Link
          to="/weather-alerts"
          search={{ alert: item.event_id }}
          title={item.headline}
          className={`${line} rounded-sm focus-visible:outline-current ${lost ? 'opacity-80' : ''}`}
        >
          {inner}
        </Link>
      )}
    </div>
  );
}

/** What the bar says when there is no alert to show. */
export function Statement({ view }: { view: TickerView }) {
  const line = 'flex min-w-0 flex-1 items-center gap-x-3';
  if (view.kind === 'clear') {
    return (
      <p className={line}>
        <CircleCheck size={17} aria-hidden="true" className="shrink-0" />
        <span className="font-semibold whitespace-nowrap">All Clear</span>
        <span className="truncate">Monitoring Active</span>
        <span className="truncate max-sm:hidden">System Online</span>
      </p>
    );
  }
  if (view.kind === 'lost') {
    return (
      <p className={line}>
        <Issue />
        <span className="truncate opacity-80">No alert of the last good data is still in force. We cannot tell right now.</span>
      </p>
    );
  }
  return (
    <p className={line}>
      <span className="truncate">
        {view.kind === 'loading' ? 'Loading alerts...' : 'We cannot tell right now whether alerts are in force.'}
      </span>
    </p>
  );
}

/** TICK-05. */
function Issue() {
  return (
    <span className="flex min-w-0 shrink items-center gap-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0">
      <span className="inline-flex shrink-0 items-center gap-1.5 rounded-md bg-(--ticker-issue-bg) px-2 py-0.5 text-xs font-bold whitespace-nowrap text-(--ticker-issue)">
        <TriangleAlert size={13} aria-hidden="true" />
        CONNECTION ISSUE
      </span>
      <span className="truncate max-sm:text-xs">Connection lost • Retrying...</span>
    </span>
  );
}

export function Tag({ children }: { children: ReactNode }) {
  return <span className="shrink-0 rounded-md border border-current px-1.5 text-xs leading-5 font-semibold">{children}</span>;
}

/** The text drifts once through the bar in 120 s (TICK-01); it stands while it is read or paused, and where motion is not wanted. */
function Drift({ still, children }: { still: boolean; children: string }) {
  return (
    <span className="ticker-window block min-w-0 flex-1 overflow-hidden">
      <span className="ticker-drift" data-still={still}>
        <span>{children}</span>
        <span aria-hidden="true">{children}</span>
      </span>
    </span>
  );
}

const detailOf = (item: TickerItem, end: string | null): string =>
  [item.location, end, item.headline.startsWith(`${item.event}:`) ? null : item.headline].filter(Boolean).join(' · ');

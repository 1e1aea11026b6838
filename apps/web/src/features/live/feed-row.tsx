import { Link } from '@tanstack/react-router';
import type { FeedRow as Row } from '@nwms/client/feed-list';
import type { Severity } from '@nwms/domain/alert/vocabulary';
import { memo } from 'react';
import { SeverityIcon } from '../../ui/severity.tsx';

/** LIVE-14: Extreme red, Severe orange, Moderate yellow, Minor blue, other grey. */
export const FEED_LOOK: Record<Severity, string> = {
  Extreme: 'bg-(--extreme-bg) text-(--extreme)',
  Severe: 'bg-(--severe-bg) text-(--severe)',
  Moderate: 'bg-(--moderate-bg) text-(--moderate)',
  Minor: 'bg-(--minor-bg) text-(--minor)',
  Unknown: 'bg-(--unknown-bg) text-(--unknown)',
};

const OVER: Record<string, string> = {
  cancelled: 'Cancelled',
  upgraded: 'Replaced',
  superseded: 'Replaced',
  ended: 'Expired',
  withdrawn: 'Expired',
};

/** LIVE-13: severity, time received, event or headline, area. An alert that is over meanwhile stays and says so (LV39). */
export const FeedRowItem = memo(function FeedRowItem({ row, clock }: { row: Row; clock: (atMs: number) => string }) {
  const over = row.is_active ? null : (OVER[row.state] ?? 'Expired');
  return (
    <li className={over ? 'opacity-75' : ''}>
      <Link
        to="/weather-alerts"
        search={{ alert: row.event_id, details: true }}
        className="flex flex-col gap-1 px-4 py-2.5 -outline-offset-2 hover:bg-hover"
      >
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span
            className={`inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[13px] font-semibold ${FEED_LOOK[row.severity] ?? FEED_LOOK.Unknown}`}
          >
            <SeverityIcon severity={row.severity} className="text-inherit" />
            {row.severity}
          </span>
          {over ? <span className="rounded border border-dashed border-line-strong px-1.5 text-xs text-muted">{over}</span> : null}
          {row.source === 'simulator' || row.source === 'replay' ? (
            <span className="rounded border border-line-strong px-1 text-xs text-muted">Simulated</span>
          ) : null}
          <time dateTime={new Date(row.receivedAt).toISOString()} className="tnum ml-auto text-[13px] text-muted">
            {clock(row.receivedAt)}
          </time>
        </span>
        <span className={`font-medium break-words ${over === 'Cancelled' ? 'line-through decoration-1' : ''}`}>
          {row.headline || row.event}
        </span>
        <span className="line-clamp-2 text-[13px] break-words text-muted">{row.area_desc}</span>
      </Link>
    </li>
  );
});

import type { SlimAlert } from '@nwms/contract';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services.ts';
import { useNow } from '../../lib/use-now.ts';
import { SeverityBadge } from '../../ui/severity.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { spanLabel, stateWords } from './alert-words.ts';
import type { PlainOrder } from './order-alerts.ts';

/** Six columns; where all of them have room the times stand under the state, on a phone they are lines of one card. */
export const GRID =
  'grid items-center gap-x-3 px-4 sm:grid-cols-[minmax(0,2.05fr)_6rem_minmax(0,1fr)_8.5rem_5rem] @min-[45rem]:grid-cols-[minmax(0,2fr)_5.75rem_minmax(0,0.95fr)_minmax(0,1.45fr)_10rem] max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-y-0.5';

export interface AlertColumn {
  id: string;
  header: string;
  cell: (alert: SlimAlert) => ReactNode;
  /** What it sorts by when its head is pressed; null: it does not sort. */
  order: Exclude<PlainOrder, 'rank'> | null;
  /** The cell's place: columns on wide screens, three lines on a phone. */
  look: string;
}

export const COLUMNS: readonly AlertColumn[] = [
  {
    id: 'event',
    header: 'Event Type',
    cell: (alert) => <EventCell alert={alert} />,
    order: 'event',
    look: '@min-[45rem]:row-span-2 max-sm:col-span-2 max-sm:row-start-2',
  },
  {
    id: 'severity',
    header: 'Severity',
    cell: (alert) => <SeverityBadge severity={alert.severity} />,
    order: 'severity',
    look: '@min-[45rem]:row-span-2 max-sm:col-start-1 max-sm:row-start-1',
  },
  {
    id: 'area',
    header: 'Area',
    cell: (alert) => (
      <p
        className="truncate text-muted @min-[45rem]:line-clamp-2 @min-[45rem]:leading-5 @min-[45rem]:whitespace-normal"
        title={alert.area_desc}
      >
        {alert.location || alert.area_desc}
      </p>
    ),
    order: 'area',
    look: '@min-[45rem]:row-span-2 max-sm:col-span-2 max-sm:row-start-3',
  },
  {
    id: 'headline',
    header: 'Headline',
    cell: (alert) => <HeadlineCell headline={alert.headline} />,
    order: null,
    look: '@min-[45rem]:row-span-2 @max-[45rem]:hidden',
  },
  {
    id: 'status',
    header: 'Status',
    cell: (alert) => <StatusCell alert={alert} />,
    order: null,
    look: '@max-[45rem]:sm:order-2 @min-[45rem]:col-start-5 @min-[45rem]:row-start-1 max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end',
  },
  {
    id: 'time',
    header: 'In force',
    cell: (alert) => <TimeCell alert={alert} />,
    order: 'until',
    look: '@max-[45rem]:sm:order-1 @min-[45rem]:col-start-5 @min-[45rem]:row-start-2 max-sm:col-span-2 max-sm:row-start-4',
  },
];

function HeadlineCell({ headline }: { headline: string | null }) {
  if (headline === null) return <p className="text-[13px] text-muted">No headline</p>;
  return (
    <p className="line-clamp-2 text-[13px] leading-5 break-words text-muted" title={headline}>
      {headline}
    </p>
  );
}

function EventCell({ alert }: { alert: SlimAlert }) {
  return (
    <div className="min-w-0">
      <p className={`truncate font-semibold ${alert.is_active ? '' : 'text-muted'}`}>{alert.event}</p>
      <p className="flex min-w-0 items-center gap-1.5 text-[13px] text-muted">
        <span className="truncate">{alert.sender_name.replace(/^NWS /, '')}</span>
        {alert.test_suspected ? <Tag>Says test</Tag> : null}
      </p>
    </div>
  );
}

export const isSimulated = (alert: SlimAlert): boolean => alert.source === 'simulator' || alert.source === 'replay';

function StatusCell({ alert }: { alert: SlimAlert }) {
  const { word, note } = stateWords(alert);
  const notes = [note, isSimulated(alert) ? 'simulated' : null].filter((text) => text !== null);
  return <StateBadge word={word} note={notes.length > 0 ? notes.join(', ') : null} inline />;
}

export function Tag({ children }: { children: string }) {
  return <span className="shrink-0 rounded border border-line-strong px-1 text-xs leading-4 text-muted">{children}</span>;
}

function TimeCell({ alert }: { alert: SlimAlert }) {
  const { labels } = useServices();
  const now = useNow(60);
  const zone = alert.time_zones[0];
  const from = Date.parse(alert.in_force_from);
  const until = alert.in_force_until === null ? null : Date.parse(alert.in_force_until);
  const viewer = `${labels.full(from, labels.viewerZone)} until ${until === null ? 'further notice' : labels.full(until, labels.viewerZone)} in your zone`;
  return (
    <p className="tnum sm:leading-5" title={viewer}>
      <span className="text-xs text-muted @max-[45rem]:hidden">{spanLabel(from, until, zone, labels, now)}</span>
      <span className="@min-[45rem]:hidden">
        <span className="sm:block">{labels.moment(from, zone, now)}</span>{' '}
        <span className="text-[13px] text-muted sm:block">until {until === null ? 'further notice' : labels.moment(until, zone, now)}</span>
      </span>
    </p>
  );
}

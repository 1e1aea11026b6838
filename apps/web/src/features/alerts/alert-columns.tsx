import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { SlimAlert } from '@nwms/contract';
import { useServices } from '../../api/services.ts';
import { useNow } from '../../lib/use-now.ts';
import { SeverityBadge } from '../../ui/severity.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { BoardRow } from './alert-book.ts';
import { spanLabel, stateWords } from './alert-words.ts';
import type { PlainOrder } from './order-alerts.ts';

export const features = tableFeatures({});
const helper = createColumnHelper<typeof features, BoardRow>();

/** What a column sorts by when its head is pressed, and the cell's place: columns on wide screens, three lines on a phone. */
export const COLUMN_LOOK: Record<string, { order: Exclude<PlainOrder, 'rank'> | null; cell: string }> = {
  event: { order: 'event', cell: '@min-[45rem]:row-span-2 max-sm:col-span-2 max-sm:row-start-2' },
  severity: { order: 'severity', cell: '@min-[45rem]:row-span-2 max-sm:col-start-1 max-sm:row-start-1' },
  area: { order: 'area', cell: '@min-[45rem]:row-span-2 max-sm:col-span-2 max-sm:row-start-3' },
  headline: { order: null, cell: '@min-[45rem]:row-span-2 @max-[45rem]:hidden' },
  status: {
    order: null,
    cell: '@max-[45rem]:sm:order-2 @min-[45rem]:col-start-5 @min-[45rem]:row-start-1 max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end',
  },
  time: {
    order: 'until',
    cell: '@max-[45rem]:sm:order-1 @min-[45rem]:col-start-5 @min-[45rem]:row-start-2 max-sm:col-span-2 max-sm:row-start-4',
  },
};

export const columns = helper.columns([
  helper.display({ id: 'event', header: 'Event Type', cell: ({ row }) => <EventCell alert={row.original.alert} /> }),
  helper.display({ id: 'severity', header: 'Severity', cell: ({ row }) => <SeverityBadge severity={row.original.alert.severity} /> }),
  helper.display({
    id: 'area',
    header: 'Area',
    cell: ({ row }) => (
      <p
        className="truncate text-muted @min-[45rem]:line-clamp-2 @min-[45rem]:leading-5 @min-[45rem]:whitespace-normal"
        title={row.original.alert.area_desc}
      >
        {row.original.alert.location || row.original.alert.area_desc}
      </p>
    ),
  }),
  helper.display({ id: 'headline', header: 'Headline', cell: ({ row }) => <HeadlineCell headline={row.original.alert.headline} /> }),
  helper.display({ id: 'status', header: 'Status', cell: ({ row }) => <StatusCell alert={row.original.alert} /> }),
  helper.display({ id: 'time', header: 'In force', cell: ({ row }) => <TimeCell alert={row.original.alert} /> }),
]);

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

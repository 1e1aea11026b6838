import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import type { AlertStats } from '@nwms/contract';
import { Download, X } from 'lucide-react';
import { memo, type ReactNode, useCallback, useMemo } from 'react';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { SeverityIcon } from '../../ui/severity.tsx';
import type { AlertCounts } from './count-alerts.ts';
import { isReversed, ORDERS, type PlainOrder, plainOrder } from './order-alerts.ts';
import { type AlertsSearch, CLEARED, isFiltered } from './search-params.ts';

const ORDER_LABELS: Record<PlainOrder, string> = {
  rank: 'By danger',
  severity: 'By severity',
  event: 'By event',
  area: 'By area',
  start: 'By start',
  until: 'By end',
  newest: 'Newest first',
};

export interface FilterBarProps {
  search: AlertsSearch;
  counts: AlertCounts;
  /** Of the last 24 hours, over or not (API-27); what is active is counted live. */
  stats: AlertStats | undefined;
  /** Alerts of unknown severity are there, or nobody can tell yet: the row has its length from the start. */
  mayBeUnknown: boolean;
  change: (change: Partial<AlertsSearch>) => void;
  csvUrl: string;
  csvName: string;
}

export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  const { search, change } = props;
  return (
    <section aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <fieldset className="inline-flex overflow-hidden rounded-lg border max-sm:w-full border-line-strong bg-surface">
        <legend className="sr-only">Quick filter</legend>
        <Quick on={!search.severity} onClick={() => change({ severity: undefined })}>
          All
        </Quick>
        <Quick on={search.severity === 'Severe'} onClick={() => change({ severity: 'Severe' })}>
          Severe Only
        </Quick>
        <Quick on={search.severity === 'Extreme'} onClick={() => change({ severity: 'Extreme' })}>
          Extreme Only
        </Quick>
        {props.mayBeUnknown || search.severity === 'Unknown' ? (
          <Quick on={search.severity === 'Unknown'} onClick={() => change({ severity: 'Unknown' })}>
            Unknown
          </Quick>
        ) : null}
      </fieldset>
      <div className="contents max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:gap-2">
        <FilterSelects {...props} />
      </div>
      {isFiltered(search) ? (
        <Button kind="quiet" onClick={() => change(CLEARED)}>
          <X size={15} aria-hidden="true" /> Clear All Filters
        </Button>
      ) : null}
      <div className="flex grow items-center justify-end gap-2 max-sm:justify-between">
        <LinkButton href={props.csvUrl} download={props.csvName}>
          <Download size={15} aria-hidden="true" /> CSV
        </LinkButton>
      </div>
    </section>
  );
});

/** Every event there is to choose, by name: the active ones, and with `stats` those of the day that are over. */
function eventOptions(counts: AlertCounts, stats: AlertStats | undefined): { event: string; count: number }[] {
  const events = new Map(Object.entries(stats?.by_event ?? {}));
  for (const { event, count } of counts.byEvent) events.set(event, Math.max(count, events.get(event) ?? 0));
  return [...events].map(([event, count]) => ({ event, count })).sort((a, b) => (a.event < b.event ? -1 : 1));
}

/** Lists of choices are made when what they offer changes, not with every press: each weighs as much as five rows. */
function FilterSelects({ search, counts, stats, change }: FilterBarProps) {
  const { severity = '', event: chosen = '', scope = 'active', order = 'rank' } = search;
  const severities = useMemo(
    () => [
      { value: '', label: 'Any severity' },
      ...SEVERITIES.map((name) => ({
        value: name,
        label: name,
        icon: <SeverityIcon severity={name} />,
        note: String(counts.bySeverity[name]),
      })),
    ],
    [counts],
  );
  const ofTheDay = scope === 'all' ? stats : undefined;
  const events = useMemo(() => {
    const offered = eventOptions(counts, ofTheDay);
    const gone = chosen !== '' && !offered.some(({ event }) => event === chosen) ? [{ event: chosen, count: 0 }] : [];
    return [
      { value: '', label: 'Any event' },
      ...[...gone, ...offered].map(({ event, count }) => ({ value: event, label: event, note: String(count) })),
    ];
  }, [counts, ofTheDay, chosen]);
  const orders = useMemo(
    () => [
      ...ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] })),
      ...(isReversed(order) ? [{ value: order, label: `${ORDER_LABELS[plainOrder(order)]}, reversed` }] : []),
    ],
    [order],
  );
  const onSeverity = useCallback((value: string) => change({ severity: (value || undefined) as Severity | undefined }), [change]);
  const onEvent = useCallback((value: string) => change({ event: value || undefined }), [change]);
  const onScope = useCallback((value: string) => change({ scope: value === 'all' ? 'all' : undefined }), [change]);
  const onOrder = useCallback(
    (value: string) => change({ order: value === 'rank' ? undefined : (value as AlertsSearch['order']) }),
    [change],
  );
  return (
    <>
      <Select label="Severity" value={severity} onChange={onSeverity} options={severities} />
      <Select label="Event" value={chosen} className="sm:max-w-56" onChange={onEvent} options={events} />
      <Select label="Active or all" value={scope} onChange={onScope} options={SCOPES_OFFERED} />
      <Select label="Order" value={order} onChange={onOrder} options={orders} />
    </>
  );
}

const SCOPES_OFFERED = [
  { value: 'active', label: 'Active Only' },
  { value: 'all', label: 'All Alerts', note: '24 h' },
];

function Quick({ on, onClick, children }: { on: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={`target grow border-l border-line px-3 text-sm font-medium first:border-l-0 ${on ? 'bg-accent-bg text-accent' : 'text-muted hover:bg-hover hover:text-text'}`}
    >
      {children}
    </button>
  );
}

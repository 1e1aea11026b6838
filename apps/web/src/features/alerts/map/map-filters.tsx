import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { readSeverities, switched, writeSeverities } from '../../../lib/severities.ts';
import { ChevronDown, RotateCcw } from 'lucide-react';
import { memo, useCallback, useId, useMemo, useState } from 'react';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/check.tsx';
import { Select } from '../../../ui/select.tsx';
import { SeverityChip } from '../../../ui/severity-chip.tsx';
import type { AlertCounts } from '../count-alerts.ts';
import { isFiltered, MAP_DEFAULTS, MAP_LIMITS, type MapSearch } from './map-search.ts';

export interface MapFiltersProps {
  search: MapSearch;
  change: (next: Partial<MapSearch>) => void;
  /** Of everything active. */
  counts: AlertCounts;
}

/** MAP-07: what is drawn and listed. Open where there is room, folded on a phone; folded it still says what holds. */
export const MapFilters = memo(function MapFilters(props: MapFiltersProps) {
  const wide = useMedia('(min-width: 40rem)');
  const [folded, setFolded] = useState<boolean | null>(null);
  const open = folded === null ? wide : !folded;
  const id = useId();
  return (
    <section aria-label="Map Filters" className="card">
      <div className="flex items-center gap-2 pr-2">
        <h2 className="min-w-0 grow">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setFolded(open)}
            className="target flex w-full flex-wrap items-center gap-x-3 rounded-xl px-4 py-1.5 text-left hover:bg-hover"
          >
            <ChevronDown size={16} aria-hidden="true" className={`shrink-0 text-muted ${open ? '' : '-rotate-90'}`} />
            <span className="text-sm font-semibold">Map Filters</span>
            <span className="min-w-0 truncate text-[13px] font-normal text-muted">{filterWords(props.search)}</span>
          </button>
        </h2>
        {isFiltered(props.search) ? (
          <Button kind="quiet" onClick={() => props.change(MAP_DEFAULTS)}>
            <RotateCcw size={15} aria-hidden="true" /> Reset filters
          </Button>
        ) : null}
      </div>
      <div id={id} hidden={!open}>
        {open ? <Fields {...props} /> : null}
      </div>
    </section>
  );
});

const SCOPES = [
  { value: 'active', label: 'Active Only' },
  { value: 'all', label: 'All Alerts', note: '24 h' },
];
const LIMITS = [
  { value: '0', label: 'All', note: 'no limit' },
  ...MAP_LIMITS.map((limit) => ({ value: String(limit), label: limit === 100 ? '100 (recommended)' : String(limit) })),
];

/** Lists of choices are made when what they offer changes, not with every press: each weighs as much as five rows. */
function Fields({ search, change, counts }: MapFiltersProps) {
  const on = readSeverities(search.on);
  const { event: chosen = '' } = search;
  const events = useMemo(() => {
    const offered = counts.byEvent.toSorted((a, b) => (a.event < b.event ? -1 : 1));
    const gone = chosen !== '' && !offered.some(({ event }) => event === chosen) ? [{ event: chosen, count: 0 }] : [];
    return [
      { value: '', label: 'Any event' },
      ...[...gone, ...offered].map(({ event, count }) => ({ value: event, label: event, note: String(count) })),
    ];
  }, [counts, chosen]);
  const onScope = useCallback((value: string) => change({ scope: value === 'all' ? 'all' : undefined }), [change]);
  const onEvent = useCallback((value: string) => change({ event: value || undefined }), [change]);
  const onLimit = useCallback((value: string) => change({ limit: MAP_LIMITS.find((limit) => String(limit) === value) }), [change]);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Severity</legend>
        {SEVERITIES.map((name) => (
          <SeverityChip
            key={name}
            severity={name}
            on={on.has(name)}
            count={counts.bySeverity[name]}
            onSwitch={() => change({ on: writeSeverities(switched(on, name)) })}
          />
        ))}
      </fieldset>
      <Select label="Active or all" value={search.scope ?? 'active'} options={SCOPES} onChange={onScope} />
      <Select label="Event" value={chosen} className="max-w-56" options={events} onChange={onEvent} />
      <Select label="Limit" value={String(search.limit ?? 0)} options={LIMITS} onChange={onLimit} />
      <Checkbox
        label="Polygon alerts only"
        checked={search.polygon ?? false}
        onChange={(polygon) => change({ polygon: polygon || undefined })}
      />
    </div>
  );
}

/** "Active only · all severities · all alerts" */
export function filterWords(search: MapSearch): string {
  const on = readSeverities(search.on);
  const severities =
    on.size === SEVERITIES.length ? 'all severities' : on.size === 0 ? 'no severity' : SEVERITIES.filter((name) => on.has(name)).join(', ');
  const parts = [search.scope === 'all' ? 'Active and over' : 'Active only', severities];
  if (search.event) parts.push(search.event);
  if (search.polygon) parts.push('with a polygon');
  if (search.q) parts.push(`“${search.q}”`);
  parts.push(search.limit ? `the ${search.limit} most dangerous` : 'no limit');
  return parts.join(' · ');
}

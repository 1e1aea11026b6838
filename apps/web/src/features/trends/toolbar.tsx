import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Select } from '../../ui/select.tsx';
import { EVENT_TYPES, type IntelligenceSearch, PERIODS, type PeriodDays } from './intelligence-search.ts';

const ALL = 'all';

export interface ToolbarProps {
  search: IntelligenceSearch;
  change: (next: IntelligenceSearch) => void;
  refresh: () => void;
  busy: boolean;
}

/** INTL-01, INTL-02 */
export function Toolbar({ search, change, refresh, busy }: ToolbarProps) {
  const { event, days = 7 } = search;
  const known = EVENT_TYPES.map((name) => ({ value: name as string, label: name as string }));
  // A type of the address that is not in the list is still shown as what it is.
  const more = event !== undefined && !known.some(({ value }) => value === event) ? [{ value: event, label: event }] : [];
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Select
        label="Event type"
        value={event ?? ALL}
        options={[{ value: ALL, label: 'All event types' }, ...known, ...more]}
        onChange={(value) => change({ event: value === ALL ? undefined : value })}
        className="min-w-56"
      />
      <Segments
        label="Period"
        name="period"
        value={days}
        options={PERIODS.map((value) => ({ value, label: `${value}d` }))}
        onChange={(value: PeriodDays) => change({ days: value === 7 ? undefined : value })}
      />
      <Button className="ml-auto" onClick={refresh} disabled={busy}>
        <RefreshCw size={15} aria-hidden="true" className={busy ? 'motion-safe:animate-spin' : ''} /> Refresh
      </Button>
    </div>
  );
}

import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/errors.ts';
import { isOld } from '../../api/query-view.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Select } from '../../ui/select.tsx';
import { StaleNote } from '../../ui/states.tsx';
import { DEFAULT_DAYS, PERIODS, PRINCIPALS, readUsageSearch, type UsageSearch } from './usage-search.ts';
import { periodWords } from './usage-words.ts';

/** What is read of each question of a screen. */
export interface AskedQuery {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

export interface PeriodBarProps {
  search: UsageSearch;
  change: (next: UsageSearch) => void;
  asked: readonly AskedQuery[];
  /** What the figures are of, as the server says. */
  period: { start: string; end: string } | undefined;
  children?: ReactNode;
}

/** ANLY-01: the period, whose requests, and asking again. Below it, what could not be renewed. */
export function PeriodBar({ search, change, asked, period, children }: PeriodBarProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Segments
          label="Period"
          name="period"
          value={search.days ?? DEFAULT_DAYS}
          options={PERIODS}
          onChange={(days) => change({ days: days === DEFAULT_DAYS ? undefined : days })}
        />
        <Callers {...{ search, change }} />
        {period ? <p className="tnum text-[13px] text-muted">{periodWords(period)}</p> : null}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {children}
          <RefreshButton asked={asked} />
        </div>
      </div>
      <OldData asked={asked} />
    </>
  );
}

export function Callers({ search, change }: Pick<PeriodBarProps, 'search' | 'change'>) {
  return (
    <Select
      label="Requests of"
      value={search.principal ?? 'all'}
      options={PRINCIPALS}
      onChange={(principal) => change({ principal: readUsageSearch({ principal }).principal })}
    />
  );
}

export function RefreshButton({ asked }: { asked: readonly AskedQuery[] }) {
  const busy = asked.some(({ isFetching }) => isFetching);
  return (
    <Button onClick={() => asked.forEach((each) => void each.refetch())} disabled={busy}>
      <RefreshCw size={15} aria-hidden="true" className={busy ? 'motion-safe:animate-spin' : ''} /> Refresh
    </Button>
  );
}

/** One line for everything that shows old figures: since when, and why. */
export function OldData({ asked }: { asked: readonly AskedQuery[] }) {
  const old = asked.filter((each) => isOld(each));
  const oldest = old.toSorted((a, b) => a.dataUpdatedAt - b.dataUpdatedAt)[0];
  if (!oldest) return null;
  return (
    <StaleNote onRetry={() => old.forEach((each) => void each.refetch())} busy={old.some(({ isFetching }) => isFetching)}>
      Some figures could not be renewed: {sentenceOf(oldest.error)} The oldest shown were known at{' '}
      {new Date(oldest.dataUpdatedAt).toISOString().slice(11, 19)} UTC.
    </StaleNote>
  );
}

import type { UsageInsufficient } from '@nwms/contract';
import { averageMs, percentOf, usageWindow, type Uniques, type UsageWindow } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { FigureQuestion, Figures, Tallies } from './figures.ts';
import type { UsageReads } from './store-read.ts';
import type { Tally } from './tally.ts';
import { createTurns } from './turns.ts';
import type { PrincipalKind } from './types.ts';

/** What every figure is made from. */
export interface FigureDeps {
  clock: Clock;
  reads: UsageReads;
  figures(question: FigureQuestion, breathe: () => Promise<void>): Promise<Figures>;
}

export interface DaysQuery {
  days_back?: number;
  principal?: 'all' | PrincipalKind;
}

/** One question over days, as asked at one moment. */
export interface Asked {
  window: UsageWindow;
  principal: PrincipalKind | null;
  /** Lets other work run while many rows are put together. */
  breathe: () => Promise<void>;
}

const DEFAULT_DAYS = 7;

export function askedOf({ clock }: Pick<FigureDeps, 'clock'>, { days_back, principal }: DaysQuery): Asked {
  return {
    window: usageWindow(days_back ?? DEFAULT_DAYS, clock.now()),
    principal: principal === undefined || principal === 'all' ? null : principal,
    breathe: createTurns(clock),
  };
}

const iso = (at: number) => new Date(at).toISOString();
export { iso };

/** Members every object answer ends with. */
export function periodMembers({ window }: Asked, insufficient: UsageInsufficient[]) {
  return {
    analysis_period: { start: iso(window.from), end: iso(window.to), days: window.days },
    generated_at: iso(window.to),
    insufficient,
  };
}

/** Headers of the lists, which have no members of their own. */
export const listHeaders = ({ window }: Asked, total: number) => ({
  'NWMS-Period': `${iso(window.from)}/${iso(window.to)}`,
  'NWMS-Total-Count': String(total),
});

/** The figures most answers have, in wire form. */
export const rates = (tally: Tally) => ({
  avg_response_time_ms: averageMs(tally.ms, tally.timed),
  error_rate_percent: percentOf(tally.errors, tally.requests),
  server_error_rate_percent: percentOf(tally.server_errors, tally.requests),
});

export const uniqueCount = (tally: Tally): number => tally.addresses?.count() ?? 0;

/** Requests by kind of caller; `before`: begins the names of the tallies. */
export function byPrincipal(tallies: Tallies, before = ''): Record<PrincipalKind, number> {
  const of = (kind: PrincipalKind) => tallies.get(before + kind)?.requests ?? 0;
  return { anonymous: of('anonymous'), key: of('key'), session: of('session') };
}

/** How the unique counts of an answer were made. */
export const estimatesOf = (members: Record<string, Uniques | null>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, uniques]) => {
      const { method, error95 } = uniques?.estimate() ?? { method: 'exact' as const, error95: 0 };
      return [name, { method, error_95: error95 }];
    }),
  );

/** What a row of a series says: its count, or null for a stretch that was over before recording began. `since`: null = nobody knows when. */
export const createRecorded = (since: number | null, lengthMs: number) => {
  const isRecorded = (start: number) => since === null || start + lengthMs > since;
  return {
    // What was counted while the clock was wrong was counted.
    count: (start: number, counted: number): number | null => (counted > 0 || isRecorded(start) ? counted : null),
    isRecorded,
    /** Says which series has rows that nobody counted. */
    missing(field: string, starts: readonly number[]): UsageInsufficient[] {
      const have = starts.filter(isRecorded).length;
      return have === starts.length ? [] : [{ field, reason: 'not_recorded', have, need: starts.length }];
    },
  };
};

/** Why averages, rates and percentiles are null: there was nothing to make them of. `counted`: requests, or those that have a time. */
export function withoutRequests(counted: number, fields: readonly string[]): UsageInsufficient[] {
  return counted > 0 ? [] : fields.map((field) => ({ field, reason: 'no_requests', have: 0, need: 1 }));
}

/** Most first; of a tie by name. */
export const byCount =
  <T>(countOf: (one: T) => number, nameOf: (one: T) => string) =>
  (a: T, b: T) =>
    countOf(b) - countOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1);

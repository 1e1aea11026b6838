import { dayOf, type Instant } from '@nwms/domain';
import type { AlertRecord, FactFilter } from '../alerts/index.ts';

export type DayCounts = Awaited<ReturnType<AlertRecord['facts']['counts']>>;

/** Begins of the whole record by local day, or of its last `days`. */
export async function countsOf(
  facts: AlertRecord['facts'],
  filter: FactFilter,
  { since, now, ...by }: { since: Instant | null; now: Instant; hour?: boolean; event?: boolean; states?: boolean },
): Promise<DayCounts> {
  if (since === null) return [];
  const counts = await facts.counts(dayOf(since) - 1, dayOf(now) + 1, filter, by);
  // What is announced for later has not begun: it belongs to no day of the record yet.
  return counts.filter((each) => each.day <= dayOf(now));
}

/** Begins on each of the days. */
export function perDayOf(counts: DayCounts, days: Iterable<number>): Map<number, number> {
  const perDay = new Map([...days].map((day) => [day, 0]));
  for (const { day, count } of counts) {
    const before = perDay.get(day);
    if (before !== undefined) perDay.set(day, before + count);
  }
  return perDay;
}

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

import type { Instant, Severity } from './alert/vocabulary.ts';
import { compareRank, type Ranked } from './rank.ts';
import { HOUR_MS } from './time/timestamp.ts';

/** What the breaking-news rule looks at; give it countable events only. */
export interface TickerRow extends Ranked {
  event: string;
  severity: Severity;
  countable: boolean;
  /** Our clock at the last `issued` or `escalated` entry; null for backfilled events. */
  lastAlertedAt: Instant | null;
}

/** Of one event name before the variety rule lets others pass. */
const MAX_PER_NAME = 3;
/** Places the variety rule fills; after them the plain order goes on. */
const VARIED_PLACES = 10;

/**
 * Order of the breaking-news ticker: active and countable, unconfirmed last; fresh (60 minutes) Severe and Extreme first, then by rank;
 * of one event name at most three until ten are taken. Empty only when no event is active, so "All Clear" is true.
 */
export function tickerOrder<Row extends TickerRow>(rows: readonly Row[], now: Instant, limit: number): Row[] {
  const ordered = rows
    .filter((row) => row.isActive && row.countable)
    .sort((a, b) => placeOf(a, now) - placeOf(b, now) || compareRank(a, b));
  const taken = new Set<Row>();
  const perName = new Map<string, number>();
  for (const row of ordered) {
    if (taken.size >= VARIED_PLACES) break;
    const count = perName.get(row.event) ?? 0;
    if (count >= MAX_PER_NAME) continue;
    perName.set(row.event, count + 1);
    taken.add(row);
  }
  return [...taken, ...ordered.filter((row) => !taken.has(row))].slice(0, limit);
}

function placeOf(row: TickerRow, now: Instant): number {
  if (row.state === 'unconfirmed') return 2;
  const severe = row.severity === 'Extreme' || row.severity === 'Severe';
  return severe && row.lastAlertedAt !== null && now - row.lastAlertedAt <= HOUR_MS ? 0 : 1;
}

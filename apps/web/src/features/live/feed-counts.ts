import type { Severity } from '@nwms/domain/alert/vocabulary';

/** Severity of every event the feed was told of since it was opened or cleared: counters lose nothing when rows are pushed out. */
export type Told = ReadonlyMap<string, Severity>;

export interface FeedCounts {
  total: number;
  severeOrExtreme: number;
  extreme: number;
}

/** LIVE-10. What waits for the end of a pause does not count yet. */
export function countTold(told: Told, waiting: ReadonlySet<string>): FeedCounts {
  let [total, severeOrExtreme, extreme] = [0, 0, 0];
  for (const [eventId, severity] of told) {
    if (waiting.has(eventId)) continue;
    total += 1;
    if (severity === 'Extreme') extreme += 1;
    if (severity === 'Extreme' || severity === 'Severe') severeOrExtreme += 1;
  }
  return { total, severeOrExtreme, extreme };
}

import type { State } from './alert/vocabulary.ts';
import type { Instant } from './alert/vocabulary.ts';
import { compareText } from './alert/in-force.ts';

/** What `order_by=rank` looks at. */
export interface Ranked {
  eventId: string;
  state: State;
  isActive: boolean;
  hazardRank: number;
  inForceUntil: Instant | null;
  endedAt: Instant | null;
}

/**
 * `order_by=rank`: in force, then upcoming (each by danger, then soonest end, open ends last, then id), then over by newest end. A total
 * order: 0 only for the same event.
 */
export function compareRank(a: Ranked, b: Ranked): number {
  const group = groupOf(a) - groupOf(b);
  if (group !== 0) return group;
  if (!a.isActive) return (b.endedAt ?? -Infinity) - (a.endedAt ?? -Infinity) || compareText(a.eventId, b.eventId);
  return b.hazardRank - a.hazardRank || compareEnds(a.inForceUntil, b.inForceUntil) || compareText(a.eventId, b.eventId);
}

function groupOf(row: Ranked): number {
  if (!row.isActive) return 2;
  return row.state === 'upcoming' ? 1 : 0;
}

function compareEnds(a: Instant | null, b: Instant | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a - b;
}

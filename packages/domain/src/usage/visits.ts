import type { Instant } from '../alert/vocabulary.ts';

/** Requests of a visitor less than this apart are one visit. */
export const SESSION_GAP_MS = 30 * 60_000;

/** From the first request to the last of something. */
export type Stretch = readonly [first: Instant, last: Instant];

/** Visits and their whole length; also what is to be added to them. */
export interface Visits {
  sessions: number;
  activeMs: number;
}

const inOrder = (stretches: readonly Stretch[]): readonly Stretch[] =>
  stretches.length < 2 ? stretches : [...stretches].sort(([a, b], [c, d]) => a - c || b - d);

/**
 * Visits that go on from one stretch to the next were counted in both: what that is too much. Each stretch may hold several visits. `before`: when the visitor was
 * last seen before all of them. Null: a stretch begins before another one ends, so its visits lie among those of the other, and sums do not tell.
 */
export function visitsGoneOn(before: Instant | null, stretches: readonly Stretch[]): Visits | null {
  const change: Visits = { sessions: 0, activeMs: 0 };
  let seen = before;
  for (const [first, last] of inOrder(stretches)) {
    if (seen !== null && first < seen) return null;
    if (seen !== null && first - seen < SESSION_GAP_MS) {
      change.sessions -= 1;
      change.activeMs += first - seen;
    }
    seen = last;
  }
  return change;
}

/** Visits of stretches that are one visit each, or a piece of one; they may overlap. `before` and null as above. */
export function visitsOfPieces(before: Instant | null, stretches: readonly Stretch[]): Visits | null {
  const change: Visits = { sessions: 0, activeMs: 0 };
  let seen = before;
  let isFirst = true;
  for (const [first, last] of inOrder(stretches)) {
    if (isFirst && before !== null && first < before) return null;
    isFirst = false;
    if (seen === null || first - seen >= SESSION_GAP_MS) {
      change.sessions += 1;
      change.activeMs += last - first;
    } else change.activeMs += Math.max(0, last - seen);
    seen = Math.max(seen ?? last, last);
  }
  return change;
}

import type { Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { gapAfterMs } from './coverage.ts';
import type { Gap, IngestStore } from './types.ts';

/** The record of polls and gaps changes at most once a poll; questions about the past come in bursts. */
const KEPT_MS = 10_000;

/** Was every message issued between two instants seen, or fetched afterwards? Then an empty answer about that time means "none". */
export type Covered = (from: Instant, to: Instant) => Promise<boolean>;

/** The times within [from, to) that are observed or filled afterwards, in order, apart from each other. */
export type CoveredSpans = (from: Instant, to: Instant) => Promise<{ from: Instant; to: Instant }[]>;

interface CoveredDeps {
  clock: Clock;
  store: IngestStore;
  lastAcceptedAt: () => Instant | null;
  pollSeconds: number;
}

export function createCovered(deps: CoveredDeps): Covered {
  const record = createRecord(deps);
  return async (from, to) => {
    const { first, holes } = await record();
    const last = deps.lastAcceptedAt();
    if (first === null || last === null || from < first || to > last + gapAfterMs(deps.pollSeconds)) return false;
    return !holes.some((gap) => gap.from < to && (gap.to ?? Infinity) > from);
  };
}

export function createCoveredSpans(deps: CoveredDeps): CoveredSpans {
  const record = createRecord(deps);
  return async (from, to) => {
    const { first, holes } = await record();
    const last = deps.lastAcceptedAt();
    if (first === null || last === null) return [];
    const end = Math.min(to, last + gapAfterMs(deps.pollSeconds));
    const spans: { from: Instant; to: Instant }[] = [];
    let at = Math.max(from, first);
    for (const hole of holes.toSorted((a, b) => a.from - b.from)) {
      if (hole.from > at) spans.push({ from: at, to: Math.min(hole.from, end) });
      at = Math.max(at, hole.to ?? Infinity);
      if (at >= end) break;
    }
    if (at < end) spans.push({ from: at, to: end });
    return spans.filter((span) => span.to > span.from);
  };
}

function createRecord({ clock, store }: CoveredDeps) {
  let kept: { atMs: number; first: Instant | null; holes: Gap[] } | null = null;

  async function record() {
    const nowMs = clock.monotonicMs();
    if (kept && nowMs - kept.atMs < KEPT_MS) return kept;
    const [first, gaps] = await Promise.all([store.firstGoodPollAt(), store.gaps(0)]);
    kept = { atMs: nowMs, first, holes: gaps.filter((gap) => !gap.backfilled) };
    return kept;
  }
  return record;
}

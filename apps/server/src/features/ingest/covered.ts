import type { Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { gapAfterMs } from './coverage.ts';
import { BEFORE_FIRST_START, type Gap, type IngestStore } from './types.ts';

/** The record of polls and gaps changes at most once a poll; questions about the past come in bursts. */
const KEPT_MS = 10_000;

/**
 * By what knowledge a time is asked about: `final` counts what was fetched afterwards; `then` is what was known at each instant, and of a time in
 * which nobody looked nothing was.
 */
export type Known = 'final' | 'then';

/** Was every message issued between two instants seen, or (`final`, the default) fetched afterwards? Then an empty answer about that time means "none". */
export type Covered = (from: Instant, to: Instant, known?: Known) => Promise<boolean>;

/** The times within [from, to) that are observed or (`final`, the default) filled afterwards, in order, apart from each other. */
export type CoveredSpans = (from: Instant, to: Instant, known?: Known) => Promise<{ from: Instant; to: Instant }[]>;

interface CoveredDeps {
  clock: Clock;
  store: IngestStore;
  lastAcceptedAt: () => Instant | null;
  pollSeconds: number;
}

export function createCovered(deps: CoveredDeps): Covered {
  const record = createRecord(deps);
  return async (from, to, known = 'final') => {
    const { first, holes } = await record(known);
    const last = deps.lastAcceptedAt();
    if (first === null || last === null || from < first || to > last + gapAfterMs(deps.pollSeconds)) return false;
    return !holes.some((gap) => gap.from < to && (gap.to ?? Infinity) > from);
  };
}

export function createCoveredSpans(deps: CoveredDeps): CoveredSpans {
  const record = createRecord(deps);
  return async (from, to, known = 'final') => {
    const { first, holes } = await record(known);
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

interface Beginning {
  first: Instant | null;
  holes: Gap[];
}

function createRecord({ clock, store }: CoveredDeps) {
  let kept: { atMs: number; final: Beginning; observed: Beginning } | null = null;

  async function record(known: Known): Promise<Beginning> {
    const nowMs = clock.monotonicMs();
    if (kept && nowMs - kept.atMs < KEPT_MS) return known === 'then' ? kept.observed : kept.final;
    const [first, rows] = await Promise.all([store.firstGoodPollAt(), store.gaps(0)]);
    const gaps = rows.filter((gap) => gap.cause !== BEFORE_FIRST_START);
    const before = rows.find((gap) => gap.cause === BEFORE_FIRST_START && gap.backfilled);
    kept = {
      atMs: nowMs,
      final: { first: first !== null && before ? Math.min(first, before.from) : first, holes: gaps.filter((gap) => !gap.backfilled) },
      observed: { first, holes: gaps },
    };
    return known === 'then' ? kept.observed : kept.final;
  }
  return record;
}

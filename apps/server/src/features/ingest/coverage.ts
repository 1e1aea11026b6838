import type { Instant } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import { BEFORE_FIRST_START, type IngestConfig, type IngestStore } from './types.ts';

/** Upstream keeps about seven days of messages. */
export const HISTORY_DEPTH_MS = 7 * 24 * 3_600_000;
/** After an outage the window reaches this far behind the last good poll: late and stale nodes lag by minutes, once by an hour (A2). */
const OUTAGE_OVERLAP_MS = 2 * 3_600_000;
/** Messages that were issued and replaced between two polls appear in no active list; a look at the history every 10 minutes finds them. */
const SWEEP_EVERY_MS = 600_000;
const SWEEP_OVERLAP_MS = 600_000;
/** `updated` is the time of the newest message, which on a quiet night is minutes old. What came later is in the next look. */
const REACH_SLACK_MS = 300_000;
/** However old the answers are, looks without a gap are not more frequent than this. */
const SWEEP_PAUSE_MS = 300_000;
const RETRY_FIRST_MS = 25_000;
/** About two hours of trying; then the gap stays on record as not backfilled until the next start. */
const MAX_ATTEMPTS = 15;

/** No good poll for longer than this is a gap: 3 minutes, or four polls when those are rarer. */
export const gapAfterMs = (pollSeconds: number) => Math.max(180, 4 * pollSeconds) * 1_000;

interface OpenGap {
  id: number;
  from: Instant;
  /** Null while it lasts. */
  to: Instant | null;
  cause: string;
}

/** Up to when everything issued is known to be stored, and the gaps on record. */
export interface Coverage {
  restore(lastAcceptedAt: Instant | null): Promise<void>;
  /** Does nothing while a gap is open. */
  openGap(from: Instant, cause: string): Promise<void>;
  accepted(startedAt: Instant, changed: boolean): Promise<void>;
  /** A history is owed and comes after the first list: the absence was short. */
  owesAfterList(): boolean;
  /** Start of the history to fetch now, null when none is due. */
  historyDue(): Instant | null;
  /** Everything issued up to `reachesTo` is stored. */
  historyDone(reachesTo: Instant): Promise<void>;
  historyFailed(): void;
  /** More was issued than upstream hands out: what came is all there is, and gaps stay on record as not backfilled. */
  historyCut(requestedAt: Instant): void;
}

export function createCoverage(deps: {
  config: Pick<IngestConfig, 'feed' | 'pollSeconds'>;
  clock: SteadyClock;
  log: Log;
  store: IngestStore;
}): Coverage {
  const { clock, log, store } = deps;
  let completeUntil: Instant | null = null;
  /** Gaps whose messages are not fetched yet; the last one may still be open. */
  let gaps: OpenGap[] = [];
  /** After a start the time since the last good poll is looked at again. */
  let recheck = false;
  /** A short absence: what it missed and no list shows any more is over, and must not hold up the first list (it takes seconds to read). */
  let listFirst = false;
  let attempts = 0;
  let retryAtMs = 0;
  let sweepAtMs = 0;

  const openOne = () => gaps.find((gap) => gap.to === null);
  const giveUp = (requestedAt: Instant) => {
    log.error({ gaps: gaps.length }, 'The upstream history stays incomplete; the gap stays on record as not backfilled');
    completeUntil = requestedAt;
    gaps = gaps.filter((gap) => gap.to === null);
    recheck = false;
    attempts = 0;
  };

  const retryLater = () => {
    if (++attempts >= MAX_ATTEMPTS) giveUp(clock.now());
    // An incomplete look is repeated soon at first, then as seldom as a sweep.
    retryAtMs = clock.monotonicMs() + Math.min(SWEEP_EVERY_MS, RETRY_FIRST_MS * 2 ** Math.min(10, Math.max(0, attempts - 1)));
  };

  return {
    async restore(lastAcceptedAt) {
      const oldest = clock.now() - HISTORY_DEPTH_MS;
      const onRecord = await store.gaps(oldest);
      gaps = onRecord
        .filter((gap) => gap.cause !== BEFORE_FIRST_START && !gap.backfilled && (gap.to ?? Infinity) > oldest)
        .map(({ id, from, to, cause }) => ({ id, from, to, cause }));
      recheck = lastAcceptedAt !== null;
      listFirst = lastAcceptedAt !== null && gaps.length === 0 && clock.now() - lastAcceptedAt <= gapAfterMs(deps.config.pollSeconds);
      completeUntil = lastAcceptedAt === null ? null : Math.max(oldest, Math.min(lastAcceptedAt, ...gaps.map((gap) => gap.from)));
    },
    async openGap(from, cause) {
      if (openOne()) return;
      const gap: OpenGap = { id: -1, from, to: null, cause };
      gaps.push(gap);
      try {
        gap.id = await store.openGap({ from, cause });
        log.warn({ from, cause }, 'A gap in the data has begun');
      } catch (error) {
        gaps = gaps.filter((other) => other !== gap);
        throw error;
      }
    },
    async accepted(startedAt, changed) {
      listFirst = false;
      if (completeUntil === null) {
        completeUntil = startedAt;
        // A first list may come from a stale node: the history of the last hours has the cancels it lacks. Simulated feeds have no such nodes.
        recheck = deps.config.feed === 'nws';
      }
      const gap = openOne();
      // A frozen list ends with a change, not with one more good answer.
      if (!gap || gap.id < 0 || (gap.cause === 'upstream_frozen' && !changed)) return;
      await store.closeGap(gap.id, { to: startedAt, backfilled: false });
      gap.to = startedAt;
      // Upstream is well again: what failed meanwhile says nothing about now.
      retryAtMs = 0;
      attempts = 0;
    },
    owesAfterList: () => listFirst,
    historyDue() {
      if (completeUntil === null || listFirst || clock.monotonicMs() < retryAtMs) return null;
      const oldest = clock.now() - HISTORY_DEPTH_MS;
      const hasGap = gaps.some((gap) => gap.cause !== 'upstream_frozen' || gap.to !== null);
      if (recheck || hasGap) return Math.max(oldest, Math.min(completeUntil, ...gaps.map((gap) => gap.from)) - OUTAGE_OVERLAP_MS);
      const isDue = clock.now() - completeUntil >= SWEEP_EVERY_MS && clock.monotonicMs() >= sweepAtMs;
      return isDue ? Math.max(oldest, completeUntil - SWEEP_OVERLAP_MS) : null;
    },
    async historyDone(reachesTo) {
      const filled = gaps.filter((gap) => gap.to !== null && gap.to <= reachesTo + REACH_SLACK_MS);
      for (const gap of filled) await store.closeGap(gap.id, { to: gap.to ?? reachesTo, backfilled: true });
      gaps = gaps.filter((gap) => !filled.includes(gap));
      completeUntil = Math.max(completeUntil ?? reachesTo, reachesTo);
      sweepAtMs = clock.monotonicMs() + SWEEP_PAUSE_MS;
      recheck = false;
      // An old answer does not reach the end of the gap yet: asked again, but not at once.
      if (gaps.some((gap) => gap.to !== null)) retryLater();
      else attempts = 0;
    },
    historyFailed: retryLater,
    historyCut: giveUp,
  };
}

import type { Instant } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import { createCoverage, gapAfterMs, type Coverage } from './coverage.ts';
import type { IngestConfig, IngestStore } from './types.ts';

export type Cause = 'never_polled' | 'starting' | 'poll_failing' | 'shrink_quarantined' | 'paused';

export interface FreshnessFacts {
  lastAcceptedAt: Instant | null;
  lastChangeAt: Instant | null;
  /** Why the last round brought no accepted list; null when it did. */
  cause: Cause | null;
}

/** When data was last known good, and which stretches of time are not covered. Survives restarts through `IngestStore`. */
export interface IngestState {
  coverage: Coverage;
  restore(): Promise<void>;
  accepted(poll: { startedAt: Instant; changed: boolean }): Promise<void>;
  rejected(cause: Cause): void;
  /** Opens a gap when one has begun. Cheap; called every second. */
  look(): Promise<void>;
  facts(): FreshnessFacts;
  /** The national list has not changed for too long: what it does not hold proves nothing (A3). Only live data can freeze. */
  isFrozen(): boolean;
  /** True when the round before this one was accepted in time, so that "first seen" means "just appeared". */
  isContinuous(startedAt: Instant): boolean;
}

export function createIngestState(deps: { config: IngestConfig; clock: SteadyClock; log: Log; store: IngestStore }): IngestState {
  const { config, clock } = deps;
  const coverage = createCoverage(deps);
  let lastAcceptedAt: Instant | null = null;
  let lastChangeAt: Instant | null = null;
  let cause: Cause | null = 'never_polled';
  let acceptedInThisRun = false;

  const isFrozen = () => config.feed === 'nws' && lastChangeAt !== null && clock.now() - lastChangeAt > config.frozenAfterSeconds * 1_000;
  return {
    coverage,
    async restore() {
      const last = await deps.store.lastGoodPoll();
      lastAcceptedAt = last?.startedAt ?? null;
      lastChangeAt = await deps.store.lastChangeAt();
      cause = 'starting';
      await coverage.restore(lastAcceptedAt);
    },
    async accepted({ startedAt, changed }) {
      lastAcceptedAt = startedAt;
      if (changed || lastChangeAt === null) lastChangeAt = startedAt;
      cause = null;
      acceptedInThisRun = true;
      await coverage.accepted(startedAt, changed);
    },
    rejected(why) {
      cause = why;
    },
    async look() {
      if (lastAcceptedAt === null) return;
      if (clock.now() - lastAcceptedAt > gapAfterMs(config.pollSeconds)) {
        await coverage.openGap(lastAcceptedAt, acceptedInThisRun ? (cause ?? 'poll_failing') : 'process_down');
      } else if (isFrozen() && lastChangeAt !== null) {
        await coverage.openGap(lastChangeAt, 'upstream_frozen');
      }
    },
    facts: () => ({ lastAcceptedAt, lastChangeAt, cause }),
    isFrozen,
    isContinuous: (startedAt) =>
      acceptedInThisRun && lastAcceptedAt !== null && startedAt - lastAcceptedAt <= 2.5 * config.pollSeconds * 1_000,
  };
}

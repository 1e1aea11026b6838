import type { Instant } from '@nwms/domain';
import { type Clock, systemClock } from '../platform/clock.ts';

/** A wall clock that goes only as far as it is told. Durations of work are real: `monotonicMs` is the machine's. */
export interface SimulatedClock extends Clock {
  /** Moves on and runs what became due on the way, in its order. Never backwards. */
  advanceTo(at: Instant): Promise<void>;
}

export function createSimulatedClock(startAt: Instant): SimulatedClock {
  let now = startAt;
  const timers = new Set<{ dueAt: Instant; run: () => void }>();
  return {
    now: () => now,
    monotonicMs: systemClock.monotonicMs,
    after(delayMs, run) {
      const timer = { dueAt: now + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advanceTo(at) {
      for (;;) {
        let next: { dueAt: Instant; run: () => void } | null = null;
        for (const timer of timers) if (timer.dueAt <= at && (next === null || timer.dueAt < next.dueAt)) next = timer;
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.dueAt);
        next.run();
        await new Promise((turn) => setImmediate(turn));
      }
      now = Math.max(now, at);
    },
  };
}

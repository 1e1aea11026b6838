import type { Instant } from '@nwms/domain';

/** Time as an argument: everything that waits or dates something takes one, so tests can drive it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. May jump. */
  now(): Instant;
  /** Monotonic milliseconds for durations and timeouts; never jumps (I7). */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs` of monotonic time; returns the cancel. Does not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

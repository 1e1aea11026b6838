import type { Instant } from '@nwms/domain';
import type { Clock } from './clock.ts';

/** A wall clock step larger than this against monotonic time is not believed until confirmed (I7). NTP slews and leap seconds stay far below. */
export const JUMP_MS = 60_000;
/** Without a word from upstream a step is believed when it still stands after this long (a laptop that slept, an administrator who corrected the clock). */
const SECOND_LOOK_MS = 300_000;

export interface ClockState {
  /** Wall clock minus trusted time while a step awaits confirmation or was refused, else 0. */
  suspectedJumpMs: number;
  /** Trusted time minus upstream's Date at the last sight, null before the first. */
  upstreamSkewMs: number | null;
  /** Steps seen since start. */
  jumps: number;
}

/** A `Clock` whose `now()` does not follow wall clock steps until they are confirmed: a jump of a day must not end every alert. */
export interface SteadyClock extends Clock {
  /** Tells what time a trusted outside clock showed at an answer received now. Settles a pending step either way. */
  confirm(outsideNow: Instant): void;
  /** The later of the wall clock and trusted time: for ages, where too old is the safe error. */
  latestNow(): Instant;
  state(): ClockState;
}

/**
 * Steps are judged lazily, at reading time, against monotonic time since the last believed reading. Small differences are followed, so
 * ordinary clock discipline goes through.
 */
export function createSteadyClock(base: Clock): SteadyClock {
  let anchorWall = base.now();
  let anchorMonotonicMs = base.monotonicMs();
  let pending: { stepMs: number; sinceMs: number } | null = null;
  /** Upstream contradicted this step: it is not believed by a second look. */
  let refusedStepMs: number | null = null;
  let upstreamSkewMs: number | null = null;
  let jumps = 0;

  const expected = () => anchorWall + (base.monotonicMs() - anchorMonotonicMs);
  const believe = (wall: Instant) => {
    anchorWall = wall;
    anchorMonotonicMs = base.monotonicMs();
    pending = null;
    refusedStepMs = null;
  };
  const isSame = (a: number, b: number) => Math.abs(a - b) <= JUMP_MS;

  const now = (): Instant => {
    const wall = base.now();
    const stepMs = wall - expected();
    if (Math.abs(stepMs) <= JUMP_MS) {
      believe(wall);
      return wall;
    }
    if (pending === null || !isSame(pending.stepMs, stepMs)) {
      pending = { stepMs, sinceMs: base.monotonicMs() };
      jumps++;
    }
    const isRefused = refusedStepMs !== null && isSame(refusedStepMs, stepMs);
    if (!isRefused && base.monotonicMs() - pending.sinceMs >= SECOND_LOOK_MS) {
      believe(wall);
      return wall;
    }
    return Math.round(expected());
  };

  return {
    now,
    monotonicMs: () => base.monotonicMs(),
    after: (delayMs, run) => base.after(delayMs, run),
    latestNow: () => Math.max(now(), base.now()),
    confirm(outsideNow) {
      const trusted = now();
      const wall = base.now();
      if (pending !== null) {
        // The nearer of the two candidates is right; both may be a little off.
        if (Math.abs(wall - outsideNow) < Math.abs(trusted - outsideNow)) believe(wall);
        else refusedStepMs = wall - trusted;
      }
      upstreamSkewMs = now() - outsideNow;
    },
    state: () => {
      const trusted = now();
      return { suspectedJumpMs: pending === null ? 0 : base.now() - trusted, upstreamSkewMs, jumps };
    },
  };
}

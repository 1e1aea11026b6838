import { type Instant, openWindow } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';

/** Counts per caller and UTC minute, of this process and from memory: they protect the process, not an allowance somebody has. */
export interface MinuteBuckets {
  /** Takes units if they fit; false = they do not, and nothing was taken. */
  take(caller: string, units: number, limit: number): boolean;
  /** Gives back what did not cost anything in the end, in the same minute. */
  giveBack(caller: string, units: number, startedAt: Instant): void;
  used(caller: string): number;
  /** Start of the open minute: it never goes back. */
  startsAt(): Instant;
}

/** Callers remembered within one minute: a flood of addresses costs a few megabytes, never more. */
const MAX_CALLERS = 100_000;

export function createMinuteBuckets(clock: Clock): MinuteBuckets {
  let openedAt = 0;
  let used = new Map<string, number>();
  const roll = () => {
    const startsAt = openWindow('minute', clock.now(), openedAt);
    if (startsAt === openedAt) return;
    openedAt = startsAt;
    used = new Map();
  };
  return {
    take(caller, units, limit) {
      roll();
      const before = used.get(caller) ?? 0;
      if (before + units > limit) return false;
      used.set(caller, before + units);
      if (used.size > MAX_CALLERS) {
        const oldest = used.keys().next();
        if (!oldest.done) used.delete(oldest.value);
      }
      return true;
    },
    giveBack(caller, units, startedAt) {
      if (startedAt === openedAt) used.set(caller, Math.max(0, (used.get(caller) ?? 0) - units));
    },
    used(caller) {
      roll();
      return used.get(caller) ?? 0;
    },
    startsAt() {
      roll();
      return openedAt;
    },
  };
}

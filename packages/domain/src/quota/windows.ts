import type { Instant } from '../alert/vocabulary.ts';

/** The three windows every allowance may have, shortest first. */
export const QUOTA_WINDOWS = ['minute', 'day', 'month'] as const;
export type QuotaWindow = (typeof QUOTA_WINDOWS)[number];

/** Units allowed per window; null = this window is not limited. */
export type QuotaLimits = Readonly<Record<QuotaWindow, number | null>>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Fixed windows in UTC: the minute of the Unix clock, the calendar day, the calendar month. `endsAt` is the start of the next one, so two
 * windows never overlap and leave no gap.
 */
export function windowAt(window: QuotaWindow, at: Instant): { startsAt: Instant; endsAt: Instant } {
  if (window === 'month') {
    const day = new Date(at);
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
    return { startsAt: Date.UTC(year, month, 1), endsAt: Date.UTC(year, month + 1, 1) };
  }
  const length = window === 'minute' ? MINUTE_MS : DAY_MS;
  const startsAt = Math.floor(at / length) * length;
  return { startsAt, endsAt: startsAt + length };
}

/** No window is shorter. */
const SHORTEST_MS = { minute: MINUTE_MS, day: DAY_MS, month: 28 * DAY_MS } as const satisfies Record<QuotaWindow, number>;

/**
 * Start of the window that counts now: the one of the clock, or a later one that was open before the clock was set back (I7). `openBefore` is the start of a window; six of
 * them are asked for with every request of a key, so the calendar is looked at only where the answer may be another.
 */
export const openWindow = (window: QuotaWindow, now: Instant, openBefore: Instant): Instant =>
  now < openBefore + SHORTEST_MS[window] ? openBefore : Math.max(windowAt(window, now).startsAt, openBefore);

import type { Instant } from '../alert/vocabulary.ts';
import { DAY_MS } from '../trends/days.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A stretch of usage, UTC, from inclusive to exclusive. */
export interface UsageWindow {
  from: Instant;
  to: Instant;
  days: number;
  /** The last 24 hours do not begin at midnight: their rows are hours. */
  unit: 'hour' | 'day';
}

const startOf = (at: Instant, ms: number) => Math.floor(at / ms) * ms;
export const startOfDay = (at: Instant) => startOf(at, DAY_MS);
export const startOfHour = (at: Instant) => startOf(at, HOUR_MS);
export const startOfMinute = (at: Instant) => startOf(at, MINUTE_MS);
/** Ten days: the keys of addresses change every ninety, and no stretch may reach over such a change. */
export const TEN_DAYS_MS = 10 * DAY_MS;
export const startOfTenDays = (at: Instant) => startOf(at, TEN_DAYS_MS);

/**
 * N calendar days (UTC) that end today, today's running one included; N = 1 is the last 24 hours, from the start of the current hour
 * minus 23 h. UTC has no summer time: a day is 24 hours, always.
 */
export function usageWindow(days: number, now: Instant): UsageWindow {
  if (days === 1) return { from: startOfHour(now) - 23 * HOUR_MS, to: now, days, unit: 'hour' };
  return { from: startOfDay(now) - (days - 1) * DAY_MS, to: now, days, unit: 'day' };
}

/** The same length just before, cut at the same time of day. */
export function previousWindow({ from, to, days, unit }: UsageWindow): UsageWindow {
  const length = days * DAY_MS;
  return { from: from - length, to: to - length, days, unit };
}

/** Starts of the daily rows: exactly N; for N = 1 today alone. */
export function daysOfWindow(window: UsageWindow): Instant[] {
  if (window.days === 1) return [startOfDay(window.to)];
  return Array.from({ length: window.days }, (_, n) => window.from + n * DAY_MS);
}

/** The daily row an instant of the window belongs to. */
export const dayRowOf = (window: UsageWindow, at: Instant) => (window.days === 1 ? startOfDay(window.to) : startOfDay(at));

/** `2026-11-21` */
export const dateOf = (at: Instant) => new Date(at).toISOString().slice(0, 10);

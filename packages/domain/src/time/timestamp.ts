import type { Instant } from '../alert/vocabulary.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Timestamp {
  at: Instant;
  /** Minutes east of UTC it was written with. */
  offsetMinutes: number;
}

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/;

/**
 * Reads an RFC 3339 timestamp; a missing offset, an impossible date or anything else gives null. Nothing that is not
 * unmistakably a timestamp is ever taken for one (trap 17: "CALL 5-1-1" is not a date).
 */
export function parseTimestamp(value: unknown): Timestamp | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const match = PATTERN.exec(value);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(match[i] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millis = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const offsetHours = Number(match[10] ?? 0);
  const offsetMinute = Number(match[11] ?? 0);
  // Offsets on Earth lie between -12:00 and +14:00; 60 seconds is a leap second and counts as the next minute.
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 14 || offsetMinute > 59) return null;
  const local = utcInstant(year, month, day, hour, minute);
  if (local === null) return null;
  const offsetMinutes = (match[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinute);
  return { at: local + second * SECOND_MS + millis - offsetMinutes * MINUTE_MS, offsetMinutes: offsetMinutes || 0 };
}

/** Instant of a UTC calendar minute, or null when there is no such day. Years 1970 to 2200: anything else is damage. */
export function utcInstant(year: number, month: number, day: number, hour: number, minute: number): Instant | null {
  if (year < 1970 || year > 2200 || hour > 24 || minute > 59) return null;
  const midnight = Date.UTC(year, month - 1, day);
  const check = new Date(midnight);
  if (check.getUTCFullYear() !== year || check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return null;
  return midnight + hour * HOUR_MS + minute * MINUTE_MS;
}

/** `2025-12-15T21:55:00Z`: the wire's form of an instant (milliseconds only when there are any). */
export function formatTimestamp(at: Instant): string {
  const text = new Date(at).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

import type { Instant } from '../alert/vocabulary.ts';

export const DAY_MS = 86_400_000;

export interface Span {
  from: Instant;
  to: Instant;
}

/** A covered part of a time. */
export interface CoveredSpan extends Span {
  /** Nothing but an import covers it. */
  imported?: boolean;
}

/** A day counts as covered when this much of it is. */
export const COVERED_SHARE = 0.95;

/** Number of the UTC day. */
export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

export const monthOfDay = (day: number): number => new Date(day * DAY_MS).getUTCMonth() + 1;
export const yearOfDay = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();

/** The last `count` UTC days up to and including the one that holds `now`: exactly `count`, whatever the calendar does (I8). */
export function lastDays(now: Instant, count: number): number[] {
  const today = dayOf(now);
  return Array.from({ length: count }, (_, index) => today - count + 1 + index);
}

/** Milliseconds of [from, to) that lie in the spans (sorted, apart from each other). */
export function coveredMs(spans: readonly Span[], from: Instant, to: Instant): number {
  let total = 0;
  for (const span of spans) total += Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
  return total;
}

/** Covered UTC days among those that [from, to) touches; of a day cut by the range only the part inside is asked. */
export function coveredDays(spans: readonly Span[], from: Instant, to: Instant): Set<number> {
  const days = new Set<number>();
  for (let day = dayOf(from); day * DAY_MS < to; day += 1) {
    const start = Math.max(from, day * DAY_MS);
    const end = Math.min(to, (day + 1) * DAY_MS);
    if (end > start && coveredMs(spans, start, end) >= COVERED_SHARE * (end - start)) days.add(day);
  }
  return days;
}

/** What the spans leave out of [from, to). */
export function gapsOf(spans: readonly Span[], from: Instant, to: Instant): Span[] {
  const gaps: Span[] = [];
  let at = from;
  for (const span of spans) {
    if (span.to <= at || span.from >= to) continue;
    if (span.from > at) gaps.push({ from: at, to: span.from });
    at = Math.max(at, span.to);
  }
  if (at < to) gaps.push({ from: at, to });
  return gaps;
}

export const SEASONS = ['winter', 'spring', 'summer', 'fall'] as const;
export type Season = (typeof SEASONS)[number];

/** Winter is December to February, and so on by three months. */
export function seasonOfMonth(month: number): Season {
  return SEASONS[Math.floor((month % 12) / 3)] ?? 'winter';
}

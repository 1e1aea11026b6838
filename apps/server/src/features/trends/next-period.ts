import type { ReplyOf, trends } from '@nwms/contract';
import { dayOf, type Instant, yearOfDay } from '@nwms/domain';
import { type Lacking, round2 } from './covered.ts';
import { type DayCounts, perDayOf, sum } from './day-counts.ts';

type Predictions = ReplyOf<typeof trends.historicalPatterns>['predictions'];

const BINS = 52;
const SEASON_RATIO = 1.5;
const LEAST_YEARS = 3;
const LEAST_EVENTS = 30;
const WINDOW_HOURS = 6;
const WINDOW_SHARE = 0.35;
const LEAST_DAYS = 14;
const LEAST_BEGINS = 50;

export interface NextPeriodInput {
  counts: DayCounts;
  covered: ReadonlySet<number>;
  now: Instant;
  hasEvent: boolean;
  lacking: Lacking;
}

const none = (basis: string): Predictions => ({
  next_likely_period: null,
  confidence: null,
  next_period: null,
  basis,
  years: 0,
  hits: null,
  events_used: 0,
});

/** The next season of an event by its record of three or more years, else the time of day it likes; null with a reason otherwise. */
export function nextPeriod(input: NextPeriodInput): Predictions {
  const path = 'predictions.next_likely_period';
  if (!input.hasEvent) {
    input.lacking.add(path, 'parameter_required', 'event_type', 'none');
    return none('needs event_type');
  }
  const perDay = perDayOf(input.counts, input.covered);
  const years = coveredYears(input.covered, input.now);
  const season = years.length >= LEAST_YEARS && sum(perDay.values()) >= LEAST_EVENTS ? seasonOf(perDay, years, input.now) : null;
  if (season) return season;
  const hours = timeOfDay(input, years.length);
  if (hours) return hours;
  const short = years.length < LEAST_YEARS;
  input.lacking.add(
    path,
    short ? 'archive_too_short' : 'no_pattern',
    '3 covered years or 50 begins on 14 covered days that cluster',
    `${years.length} years, ${sum(perDay.values())} events`,
  );
  return { ...none('no pattern stands out'), years: years.length, events_used: sum(perDay.values()) };
}

/** Years (of 365 days back from today) that are covered at least 80 %, newest first, as lists of days. */
function coveredYears(covered: ReadonlySet<number>, now: Instant): number[][] {
  const years: number[][] = [];
  for (let back = 0; back < 30; back += 1) {
    const end = dayOf(now) - back * 365;
    const days = Array.from({ length: 365 }, (_, index) => end - index).filter((day) => covered.has(day));
    if (days.length >= 0.8 * 365) years.push(days);
  }
  return years;
}

const binOf = (day: number): number => Math.min(BINS - 1, Math.floor((day - dayOf(Date.UTC(yearOfDay(day), 0, 1))) / 7));

/** Runs of 7-day bins whose smoothed rate is at least 1.5 × the mean of the year. */
export function seasonBins(perDay: ReadonlyMap<number, number>, days: readonly number[]): boolean[] {
  const events = new Float64Array(BINS);
  const known = new Float64Array(BINS);
  for (const day of days) {
    const bin = binOf(day);
    events[bin] = (events[bin] ?? 0) + (perDay.get(day) ?? 0);
    known[bin] = (known[bin] ?? 0) + 1;
  }
  const rate = Array.from(events, (count, bin) => ((known[bin] ?? 0) > 0 ? count / (known[bin] ?? 1) : 0));
  const at = (bin: number) => rate[(bin + BINS) % BINS] ?? 0;
  const mean = sum(rate) / BINS;
  return rate.map((own, bin) => mean > 0 && (at(bin - 1) + 2 * own + at(bin + 1)) / 4 >= SEASON_RATIO * mean);
}

function seasonOf(perDay: ReadonlyMap<number, number>, years: readonly number[][], now: Instant): Predictions | null {
  const bins = seasonBins(perDay, years.flat());
  if (!bins.includes(true) || !bins.includes(false)) return null;
  const today = binOf(dayOf(now));
  const wrapped = (bin: number) => (bin + BINS) % BINS;
  let start = today;
  if (bins[today]) while (bins[wrapped(start - 1)]) start -= 1;
  else while (!bins[wrapped(start)]) start += 1;
  let end = start;
  while (bins[wrapped(end + 1)]) end += 1;
  const from = dateOfBin(now, start, 0);
  const to = dateOfBin(now, end, 6);
  const hits = years.filter((own, index) => holds(perDay, own, years.filter((_, other) => other !== index).flat())).length;
  return {
    next_likely_period: `${inWords(from)} to ${inWords(to)}`,
    confidence: round2((hits + 1) / (years.length + 2)),
    next_period: { kind: 'season', from: isoDay(from), to: isoDay(to), in_season: bins[today] ?? false },
    basis: 'weeks of the year with at least 1.5 times the mean rate',
    years: years.length,
    hits,
    events_used: sum(years.flat().map((day) => perDay.get(day) ?? 0)),
  };
}

/** Was the season that the other years show a season in this one too? */
function holds(perDay: ReadonlyMap<number, number>, own: readonly number[], others: readonly number[]): boolean {
  const bins = seasonBins(perDay, others);
  const inside = own.filter((day) => bins[binOf(day)]);
  if (inside.length === 0) return false;
  const rate = (days: readonly number[]) => sum(days.map((day) => perDay.get(day) ?? 0)) / days.length;
  return rate(own) > 0 && rate(inside) >= SEASON_RATIO * rate(own);
}

/** First (or last) day of a bin counted from this year's first; bins below 0 and above 51 lie in the neighbouring years. */
function dateOfBin(now: Instant, bin: number, offset: number): Date {
  const year = new Date(now).getUTCFullYear() + Math.floor(bin / BINS);
  const own = ((bin % BINS) + BINS) % BINS;
  return new Date(Date.UTC(year, 0, 1 + own * 7 + offset));
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10);
const inWords = (date: Date) => date.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** The six local hours that hold most begins, if they hold 35 % of them. */
function timeOfDay({ counts, covered, lacking }: NextPeriodInput, years: number): Predictions | null {
  const own = counts.filter((each) => covered.has(each.day) && each.hour !== null);
  const total = sum(own.map((each) => each.count));
  if (covered.size < LEAST_DAYS || total < LEAST_BEGINS) return null;
  const start = bestWindow(own);
  const inside = (hour: number, from: number) => (hour - from + 24) % 24 < WINDOW_HOURS;
  const share = sum(own.filter((each) => inside(each.hour ?? 0, start)).map((each) => each.count)) / total;
  if (share < WINDOW_SHARE) {
    lacking.add('predictions.next_period', 'no_pattern', '35 % of begins within 6 hours', `${Math.round(share * 100)} %`);
    return null;
  }
  let hits = 0;
  for (const day of new Set(own.map((each) => each.day))) {
    const from = bestWindow(own.filter((each) => each.day !== day));
    hits += sum(own.filter((each) => each.day === day && inside(each.hour ?? 0, from)).map((each) => each.count));
  }
  const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;
  return {
    next_likely_period: `between ${clock(start)} and ${clock(start + WINDOW_HOURS)} local time`,
    confidence: round2(hits / total),
    next_period: { kind: 'time_of_day', from: clock(start), to: clock(start + WINDOW_HOURS), in_season: null },
    basis: 'the six local hours with most begins',
    years,
    hits,
    events_used: total,
  };
}

function bestWindow(counts: DayCounts): number {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { hour, count } of counts) if (hour !== null) hours[hour] = (hours[hour] ?? 0) + count;
  const held = hours.map((_, start) => sum(Array.from({ length: WINDOW_HOURS }, (__, index) => hours[(start + index) % 24] ?? 0)));
  return held.indexOf(Math.max(...held));
}

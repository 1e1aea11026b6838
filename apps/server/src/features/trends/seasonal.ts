import type { ReplyOf, trends } from '@nwms/contract';
import { coveredDays, DAY_MS, dayOf, monthOfDay, overdispersion, rateBounds, seasonOfMonth, yearOfDay } from '@nwms/domain';
import { bounds, coverageOf, createLacking, round2, roundOrNull, spansFor } from './covered.ts';
import { countsOf, type DayCounts, perDayOf, sum } from './day-counts.ts';
import type { TrendsDeps } from './deps.ts';
import type { DerivedQuestion } from './question.ts';

type Reply = Omit<ReplyOf<typeof trends.seasonalPatterns>, 'freshness'>;
type Bucket = Reply['buckets'][number];
export type SeasonBucket = 'hour' | 'weekday' | 'week' | 'month' | 'season';
export type Cross = 'none' | 'hour' | 'event' | 'severity' | 'state';

const LEAST_DAYS = 3;
const LEAST_EVENTS = 20;
const LEAST_PEAK_EVENTS = 30;
const PEAK_RATIO = 1.25;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const SEASON_NAMES = ['winter', 'spring', 'summer', 'fall'];
const SEVERITY_NAMES = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'] as const;

export interface SeasonalQuestion extends DerivedQuestion {
  years: number;
  bucket: SeasonBucket;
  cross: Cross;
}

const two = (n: number) => String(n).padStart(2, '0');
/** Keys of a kind in order, with their words. */
const KINDS: Record<SeasonBucket, { keys: string[]; label: (key: string) => string }> = {
  hour: { keys: Array.from({ length: 24 }, (_, hour) => two(hour)), label: (key) => `${key}:00` },
  weekday: { keys: Array.from({ length: 7 }, (_, day) => String(day + 1)), label: (key) => WEEKDAYS[Number(key) - 1] ?? key },
  week: { keys: Array.from({ length: 52 }, (_, week) => two(week + 1)), label: (key) => `Week ${Number(key)}` },
  month: { keys: Array.from({ length: 12 }, (_, month) => two(month + 1)), label: (key) => MONTHS[Number(key) - 1] ?? key },
  season: { keys: SEASON_NAMES, label: (key) => `${key[0]?.toUpperCase() ?? ''}${key.slice(1)}` },
};

/** Bucket of a local day, null for hours, which every day has. */
function keyOfDay(bucket: SeasonBucket, day: number): string | null {
  switch (bucket) {
    case 'weekday':
      return String(((((day + 3) % 7) + 7) % 7) + 1);
    case 'week':
      return two(Math.min(52, Math.floor((day - dayOf(Date.UTC(yearOfDay(day), 0, 1))) / 7) + 1));
    case 'month':
      return two(monthOfDay(day));
    case 'season':
      return seasonOfMonth(monthOfDay(day));
    default:
      return null;
  }
}

/** Events by hour, weekday, week, month or season of local time, over years. */
export async function seasonalPatterns(deps: TrendsDeps, question: SeasonalQuestion): Promise<Reply> {
  const { now, filter, years, bucket, cross } = question;
  const { facts } = deps.record;
  const since = await facts.since();
  const from = Math.max(now - years * 365.25 * DAY_MS, since ?? now - DAY_MS);
  const covered = await coverageOf(spansFor(deps, filter, cross === 'state' ? 'state' : undefined), from, now, since);
  const by = { hour: bucket === 'hour' || cross === 'hour', event: cross === 'event', states: cross === 'state' };
  const counts = await countsOf(facts, filter, { since: since === null ? null : from, now, ...by });
  const lacking = createLacking();
  const own = counts.filter((each) => covered.days.has(each.day));
  const buckets = KINDS[bucket].keys.map((key) => bucketOf(key, bucket, own, covered.days));
  const short = buckets.filter((each) => each.per_day === null).length;
  if (short > 0) lacking.add('buckets.per_day', 'no_coverage', `${LEAST_DAYS} covered days in each bucket`, `${short} buckets have fewer`);
  return {
    source: question.source,
    buckets,
    cross: cross === 'none' ? null : crossOf(own, bucket, cross),
    years: yearsOf(counts, coveredDays(covered.spans, from, now)),
    peak: peakOf(buckets),
    coverage: covered.wire,
    insufficient: lacking.list,
    warnings: question.warnings,
  };
}

const keyOf = (each: DayCounts[number], bucket: SeasonBucket) => keyOfDay(bucket, each.day) ?? two(each.hour ?? 0);

function bucketOf(key: string, bucket: SeasonBucket, counts: DayCounts, covered: ReadonlySet<number>): Bucket {
  const days = [...covered].filter((day) => (keyOfDay(bucket, day) ?? key) === key);
  const own = counts.filter((each) => keyOf(each, bucket) === key);
  const events = sum(own.map((each) => each.count));
  const known = own.filter((each) => each.severity > 0);
  const n = sum(known.map((each) => each.count));
  const by_severity = { Extreme: 0, Severe: 0, Moderate: 0, Minor: 0, Unknown: 0 };
  for (const { severity, count } of own) by_severity[SEVERITY_NAMES[severity] ?? 'Unknown'] += count;
  const enough = days.length >= LEAST_DAYS;
  const interval =
    enough && events >= LEAST_EVENTS ? rateBounds({ events, days: days.length }, overdispersion([...perDayOf(own, days).values()])) : null;
  return {
    key,
    label: KINDS[bucket].label(key),
    events: days.length === 0 ? null : events,
    covered_days: days.length,
    per_day: enough ? round2(events / days.length) : null,
    interval: interval && bounds(interval, 'poisson'),
    avg_severity: roundOrNull(n === 0 ? null : sum(known.map((each) => each.count * each.severity)) / n),
    by_severity: days.length === 0 ? null : by_severity,
  };
}

function crossOf(counts: DayCounts, bucket: SeasonBucket, cross: Exclude<Cross, 'none'>): NonNullable<Reply['cross']> {
  const cells = new Map<string, { key: string; x: string; events: number }>();
  const namesOf = (each: DayCounts[number]): string[] => {
    if (cross === 'hour') return [two(each.hour ?? 0)];
    if (cross === 'event') return [each.event ?? ''];
    if (cross === 'severity') return [SEVERITY_NAMES[each.severity] ?? 'Unknown'];
    return (each.states ?? '').split(' ').filter((state) => state !== '');
  };
  for (const each of counts) {
    const key = keyOf(each, bucket);
    for (const x of namesOf(each)) {
      const cell = cells.get(`${key} ${x}`) ?? { key, x, events: 0 };
      cell.events += each.count;
      cells.set(`${key} ${x}`, cell);
    }
  }
  return [...cells.values()].toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.x < b.x ? -1 : 1));
}

function yearsOf(counts: DayCounts, covered: ReadonlySet<number>): Reply['years'] {
  const rows = new Map<number, { year: number; events: number; covered_days: number }>();
  for (const day of covered) {
    const year = yearOfDay(day);
    const row = rows.get(year) ?? { year, events: 0, covered_days: 0 };
    row.covered_days += 1;
    rows.set(year, row);
  }
  for (const each of counts) {
    const row = rows.get(yearOfDay(each.day));
    if (row) row.events += each.count;
  }
  return [...rows.values()].toSorted((a, b) => a.year - b.year);
}

function peakOf(buckets: readonly Bucket[]): Reply['peak'] {
  const known = buckets.flatMap(({ key, per_day: rate }) => (rate === null ? [] : [{ key, rate }]));
  const mean = known.reduce((total, each) => total + each.rate, 0) / Math.max(1, known.length);
  const top = known.toSorted((a, b) => b.rate - a.rate)[0];
  if (!top || mean === 0 || sum(buckets.map((each) => each.events ?? 0)) < LEAST_PEAK_EVENTS) return null;
  const ratio = top.rate / mean;
  return ratio >= PEAK_RATIO ? { key: top.key, ratio_to_mean: round2(ratio) } : null;
}

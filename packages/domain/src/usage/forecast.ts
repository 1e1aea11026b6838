import { medianOf } from '../stats/trend.ts';
import { roundTo } from './rates.ts';

/** Requests of complete UTC days up to yesterday, oldest first, without holes. `weekday` of the first: 0 Sunday to 6 Saturday. */
export interface DailySeries {
  counts: readonly number[];
  firstWeekday: number;
}

export const GROWTH_MIN_DAYS = 8;
export const GROWTH_MIN_REQUESTS = 100;
export const FORECAST_MIN_DAYS = 14;
const MAX_DAYS = 56;
const SEASON_DAYS = 28;
/** Growth of a day is carried on at most this fast, and 2 % less of it each day. */
const MAX_DAILY_GROWTH = 0.05;
const DAMPING = 0.98;
/** Backtests: 14 days before the origin, 7 after; at least 7 origins for an error bar. */
const ORIGIN_DAYS = 14;
const HORIZON_DAYS = 7;
const MIN_ORIGINS = 7;
const MAX_ORIGINS = 28;
const MONTH_DAYS = 30;
/** The running day is in no forecast: it is neither complete nor still to come. */
const TODAY = 1;
/** Errors are shares of a forecast, of one that is below this of this: a request a week must not read as "nothing, for sure". */
const LEAST = { day: 1, week: 1, month: MONTH_DAYS / HORIZON_DAYS } as const;
export const FORECAST_INTERVAL_DAYS = ORIGIN_DAYS + MIN_ORIGINS - 1 + HORIZON_DAYS;
export const FORECAST_LEVEL = 0.8;

export interface Interval80 {
  low: number;
  high: number;
  level: number;
}

export interface RequestForecast {
  week: number;
  month: number;
  weekInterval: Interval80 | null;
  monthInterval: Interval80 | null;
  /** Tomorrow first, 30 days. */
  daily: { expected: number; low: number | null; high: number | null }[];
  /** 1 − mean relative error of the backtests, 0 to 1, 2 decimals. */
  confidence: number | null;
  basisDays: number;
}

const mean = (values: readonly number[]) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

/** Weekday factors over the last 28 days at most: (mean on that weekday + 1) ÷ (mean + 1). */
function seasonOf({ counts, firstWeekday }: DailySeries): number[] {
  const start = Math.max(0, counts.length - SEASON_DAYS);
  const recent = counts.slice(start);
  const all = mean(recent) + 1;
  return Array.from(
    { length: 7 },
    (_, weekday) => (mean(recent.filter((_count, i) => (firstWeekday + start + i) % 7 === weekday)) + 1) / all,
  );
}

/** Median slope of ln(1 + z) over all pairs (Theil-Sen). */
function slopeOf(values: readonly number[]): number {
  const logs = values.map((value) => Math.log1p(value));
  const slopes: number[] = [];
  for (let j = 1; j < logs.length; j += 1) for (let i = 0; i < j; i += 1) slopes.push(((logs[j] ?? 0) - (logs[i] ?? 0)) / (j - i));
  return medianOf(slopes);
}

function deseasoned(series: DailySeries, season: readonly number[]): number[] {
  return series.counts.map((count, i) => count / (season[(series.firstWeekday + i) % 7] ?? 1));
}

/** Log growth per day on the last 28 complete days at most; by weekday-adjusted counts from 14 days on. */
function logGrowth(series: DailySeries): number {
  const values = series.counts.length >= FORECAST_MIN_DAYS ? deseasoned(series, seasonOf(series)) : [...series.counts];
  return slopeOf(values.slice(-SEASON_DAYS));
}

/** Percent per day, 2 decimals; null with fewer than 8 days or 100 requests. */
export function dailyGrowthRate(series: DailySeries): number | null {
  const total = series.counts.reduce((sum, count) => sum + count, 0);
  if (series.counts.length < GROWTH_MIN_DAYS || total < GROWTH_MIN_REQUESTS) return null;
  return roundTo(100 * Math.expm1(logGrowth(series)), 2);
}

export type GrowthTrend = 'rapid' | 'steady' | 'stable' | 'declining';
export function growthTrend(rate: number): GrowthTrend {
  if (rate > 5) return 'rapid';
  if (rate > 0) return 'steady';
  return rate > -5 ? 'stable' : 'declining';
}

/** Expected requests of the days after the series; `skip`: so many of them are left out at the beginning. */
function project(series: DailySeries, days: number, skip = 0): number[] {
  const { counts, firstWeekday } = series;
  const season = seasonOf(series);
  const growth = Math.min(MAX_DAILY_GROWTH, Math.max(-MAX_DAILY_GROWTH, logGrowth(series)));
  // The median of seven days stands for the middle one, which lies three days back.
  const level = medianOf(deseasoned(series, season).slice(-7)) * Math.exp(3 * growth);
  let damped = 0;
  return Array.from({ length: skip + days }, (_, i) => {
    damped += DAMPING ** (i + 1);
    return level * (season[(firstWeekday + counts.length + i) % 7] ?? 1) * Math.exp(growth * damped);
  }).slice(skip);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Relative error of a forecast; of one below `least` by that: next to nothing is no measure. */
const errorOf = (actual: number, forecast: number, least: number) => (actual - forecast) / Math.max(forecast, least);

/** Errors of the forecast at earlier origins: of whole weeks, and of their single days, which vary more. */
function backtest({ counts, firstWeekday }: DailySeries): { weeks: number[]; days: number[] } {
  const errors: { weeks: number[]; days: number[] } = { weeks: [], days: [] };
  for (let origin = counts.length - HORIZON_DAYS; origin >= ORIGIN_DAYS && errors.weeks.length < MAX_ORIGINS; origin -= 1) {
    const forecast = project({ counts: counts.slice(0, origin), firstWeekday }, HORIZON_DAYS);
    const actual = counts.slice(origin, origin + HORIZON_DAYS);
    errors.weeks.push(errorOf(sum(actual), sum(forecast), LEAST.week));
    errors.days.push(...actual.map((count, i) => errorOf(count, forecast[i] ?? 0, LEAST.day)));
  }
  return errors;
}

/** `seasonal-damped-v1`; null with fewer than 14 complete days. */
export function forecastRequests(whole: DailySeries): RequestForecast | null {
  const cut = Math.max(0, whole.counts.length - MAX_DAYS);
  const series = { counts: whole.counts.slice(cut), firstWeekday: (whole.firstWeekday + cut) % 7 };
  const n = series.counts.length;
  if (n < FORECAST_MIN_DAYS) return null;
  const daily = project(series, MONTH_DAYS, TODAY);
  const errors = backtest(series);
  const isEnough = errors.weeks.length >= MIN_ORIGINS;
  const [ofWeek, ofDay] = isEnough ? [errorQuantile(errors.weeks), errorQuantile(errors.days)] : [null, null];
  const [week, month] = [sum(daily.slice(0, HORIZON_DAYS)), sum(daily)];
  return {
    week: Math.round(week),
    month: Math.round(month),
    weekInterval: around(week, ofWeek, LEAST.week),
    monthInterval: around(month, ofWeek && ofWeek * Math.sqrt(MONTH_DAYS / HORIZON_DAYS), LEAST.month),
    daily: daily.map((expected, i) => {
      const bounds = around(expected, ofDay && ofDay * farther(i), LEAST.day);
      return { expected: Math.round(expected), low: bounds?.low ?? null, high: bounds?.high ?? null };
    }),
    confidence: isEnough ? roundTo(Math.min(1, Math.max(0, 1 - mean(errors.weeks.map(Math.abs)))), 2) : null,
    basisDays: n,
  };
}

/** What lies so far away in either direction, as a share of the forecast. */
const around = (value: number, share: number | null, least: number): Interval80 | null =>
  share === null
    ? null
    : {
        low: Math.max(0, Math.round(value - share * Math.max(value, least))),
        high: Math.round(value + share * Math.max(value, least)),
        level: FORECAST_LEVEL,
      };

/** Days beyond those that were tried out are less sure. */
const farther = (day: number) => Math.sqrt(Math.max(1, (day + 1) / HORIZON_DAYS));

/** The ⌈0.8 (k + 1)⌉-th smallest absolute error, at most the largest. */
function errorQuantile(errors: readonly number[]): number {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length, Math.ceil(FORECAST_LEVEL * (sorted.length + 1))) - 1] ?? 0;
}

import type { ReplyOf, trends } from '@nwms/contract';
import { DAY_MS, dayOf, directionOf, mannKendall, monthOfDay, overdispersion, rateRatio } from '@nwms/domain';
import { bounds, type Lacking, round2 } from './covered.ts';
import { type DayCounts, perDayOf, sum } from './day-counts.ts';

type Frequency = ReplyOf<typeof trends.historicalPatterns>['patterns']['frequency_analysis'];

const DAYS_PER_MONTH = 30.4375;
const LEAST_DAYS = 7;
const LEAST_EVENTS = 30;
const LEAST_WEEKS = 8;
/** A month of fewer covered days is no month. */
const LEAST_MONTH_DAYS = 15;
const PEAK_RATIO = 1.25;
/** An earlier year counts when this much of the same dates is covered. */
const YEAR_SHARE = 0.8;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

export interface FrequencyInput {
  counts: DayCounts;
  /** Covered days of the whole record. */
  covered: ReadonlySet<number>;
  /** Covered days of the window. */
  windowCovered: ReadonlySet<number>;
  window: { fromDay: number; toDay: number };
  lacking: Lacking;
}

export function frequencyOf(input: FrequencyInput): Frequency {
  const { counts, windowCovered, lacking } = input;
  const perDay = perDayOf(counts, windowCovered);
  const events = sum(perDay.values());
  const path = 'patterns.frequency_analysis';
  const months = byMonth(input);
  const enough = months.filter((month) => month.covered_days >= LEAST_MONTH_DAYS);
  const mean = enough.length === 0 ? 0 : enough.reduce((total, month) => total + month.events / month.covered_days, 0) / enough.length;
  if (enough.length < 3) lacking.add(`${path}.peak_months`, 'archive_too_short', '3 months of 15 covered days', `${enough.length} months`);
  const peaks = enough.length < 3 ? [] : enough.filter((month) => mean > 0 && month.events / month.covered_days >= PEAK_RATIO * mean);
  const peakNumbers = peaks
    .toSorted((a, b) => b.events / b.covered_days - a.events / a.covered_days)
    .slice(0, 4)
    .map((month) => month.month)
    .toSorted((a, b) => a - b);
  return {
    events_per_month:
      windowCovered.size < LEAST_DAYS
        ? lacking.add(`${path}.events_per_month`, 'no_coverage', `${LEAST_DAYS} covered days`, `${windowCovered.size} covered days`)
        : round2((events / windowCovered.size) * DAYS_PER_MONTH),
    ...trendOf(input, perDay, events),
    peak_months: peakNumbers.map((month) => MONTHS[month - 1] ?? ''),
    peak_month_numbers: peakNumbers,
    by_month: months,
  };
}

type TrendMembers = Pick<Frequency, 'trend' | 'trend_basis' | 'trend_ratio' | 'interval'>;

/** Against the same dates of earlier years where two of them are covered, else week by week within the window. */
function trendOf(input: FrequencyInput, perDay: ReadonlyMap<number, number>, events: number): TrendMembers {
  const years = earlierYears(input);
  if (years.length >= 2) {
    const before = perDayOf(input.counts, years.flat());
    const ratio = rateRatio(
      { events, days: perDay.size },
      { events: sum(before.values()), days: before.size },
      overdispersion([...perDay.values()]),
    );
    if (ratio) {
      const basis = 'same_dates_earlier_years' as const;
      return { trend: directionOf(ratio), trend_basis: basis, trend_ratio: round2(ratio.ratio), interval: bounds(ratio, 'rate_ratio') };
    }
  }
  const weeks = fullWeeks(input, perDay);
  const known = weeks.filter((week) => week !== null).length;
  const found = events >= LEAST_EVENTS && known >= LEAST_WEEKS ? mannKendall(weeks, LEAST_WEEKS) : null;
  if (found) return { trend: found.trend, trend_basis: 'within_window', trend_ratio: null, interval: null };
  const need = `2 covered earlier years, or ${LEAST_WEEKS} full covered weeks and ${LEAST_EVENTS} events`;
  const have = `${years.length} years, ${known} weeks, ${events} events`;
  input.lacking.add('patterns.frequency_analysis.trend', 'archive_too_short', need, have);
  return { trend: null, trend_basis: null, trend_ratio: null, interval: null };
}

/** Covered days of the same calendar dates in each earlier year that is covered well enough. */
function earlierYears({ covered, window }: FrequencyInput): number[][] {
  const years: number[][] = [];
  const length = window.toDay - window.fromDay + 1;
  for (let back = 1; back <= 30; back += 1) {
    const toDay = shiftYears(window.toDay, back);
    const days = Array.from({ length }, (_, index) => toDay - index).filter((day) => covered.has(day) && day < window.fromDay);
    if (days.length >= YEAR_SHARE * length) years.push(days);
  }
  return years;
}

/** The same date `years` earlier; 29 February becomes 28 February. */
function shiftYears(day: number, years: number): number {
  const date = new Date(day * DAY_MS);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - years);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return dayOf(date.getTime());
}

/** Counts of the whole weeks of the window, newest last; null where a day is not covered. */
function fullWeeks({ window }: FrequencyInput, perDay: ReadonlyMap<number, number>): (number | null)[] {
  const weeks: (number | null)[] = [];
  for (let end = window.toDay - 1; end - 6 >= window.fromDay; end -= 7) {
    const days = Array.from({ length: 7 }, (_, index) => perDay.get(end - index));
    weeks.unshift(days.includes(undefined) ? null : sum(days.map((count) => count ?? 0)));
  }
  return weeks;
}

function byMonth({ counts, covered }: FrequencyInput): Frequency['by_month'] {
  const perDay = perDayOf(counts, covered);
  const rows = MONTHS.map((_, index) => ({ month: index + 1, events: 0, covered_days: 0 }));
  for (const [day, count] of perDay) {
    const row = rows[monthOfDay(day) - 1];
    if (!row) continue;
    row.events += count;
    row.covered_days += 1;
  }
  return rows.map((row) => ({ ...row, per_day: row.covered_days === 0 ? null : round2(row.events / row.covered_days) }));
}

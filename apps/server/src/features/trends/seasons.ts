import type { ReplyOf, trends } from '@nwms/contract';
import { dayBootstrap, monthOfDay, type Season, seasonOfMonth, SEASONS, seedOf } from '@nwms/domain';
import { bounds, type Lacking, round2, roundOrNull } from './covered.ts';
import type { DayCounts } from './day-counts.ts';

type Seasons = ReplyOf<typeof trends.historicalPatterns>['patterns']['seasonal_trends'];
const LEAST_KNOWN = 20;

/** Severity and frequency by season over the days of the window. */
export function seasonsOf(counts: DayCounts, covered: ReadonlySet<number>, lacking: Lacking): Seasons {
  const one = (season: Season): Seasons[Season] => {
    const path = `patterns.seasonal_trends.${season}`;
    const days = [...covered].filter((day) => seasonOfMonth(monthOfDay(day)) === season).length;
    if (days === 0) {
      lacking.add(path, 'no_coverage', '1 covered day', '0 covered days');
      return { avg_severity: null, count: null, known: 0, per_day: null, covered_days: 0, interval: null };
    }
    const own = counts.filter((each) => seasonOfMonth(monthOfDay(each.day)) === season);
    const known = own.filter((each) => each.severity > 0);
    const n = known.reduce((total, each) => total + each.count, 0);
    const weighted = known.reduce((total, each) => total + each.count * each.severity, 0);
    if (n === 0) lacking.add(`${path}.avg_severity`, 'sample_too_small', '1 event of known severity', '0 events');
    else if (n < LEAST_KNOWN) lacking.add(`${path}.interval`, 'sample_too_small', `${LEAST_KNOWN} events of known severity`, `${n} events`);
    const onCovered = own.filter((each) => covered.has(each.day)).reduce((total, each) => total + each.count, 0);
    const interval = n < LEAST_KNOWN ? null : dayBootstrap(daySums(known), seedOf(`${season} ${n} ${weighted}`));
    return {
      avg_severity: roundOrNull(n === 0 ? null : weighted / n),
      count: own.reduce((total, each) => total + each.count, 0),
      known: n,
      per_day: round2(onCovered / days),
      covered_days: days,
      interval: interval && bounds(interval, 'day_bootstrap'),
    };
  };
  const [winter, spring, summer, fall] = SEASONS;
  return { winter: one(winter), spring: one(spring), summer: one(summer), fall: one(fall) };
}

/** Severity sums and sizes per day, in the order of days, so that the same data resamples the same. */
export function daySums(counts: DayCounts): { sum: number; weight: number }[] {
  const days = new Map<number, { sum: number; weight: number }>();
  for (const { day, severity, count } of counts.toSorted((a, b) => a.day - b.day)) {
    const own = days.get(day) ?? { sum: 0, weight: 0 };
    own.sum += severity * count;
    own.weight += count;
    days.set(day, own);
  }
  return [...days.values()];
}

import type { ReplyOf, trends } from '@nwms/contract';
import { coveredDays, DAY_MS, dayOf, medianOf } from '@nwms/domain';
import { adviceOf, recommend } from './advice.ts';
import { coverageOf, createLacking, spansFor } from './covered.ts';
import { countsOf, sum } from './day-counts.ts';
import type { TrendsDeps } from './deps.ts';
import { frequencyOf } from './frequency.ts';
import { type AreaLevel, createHotspots } from './hotspots.ts';
import { nextPeriod } from './next-period.ts';
import type { DerivedQuestion } from './question.ts';
import { seasonsOf } from './seasons.ts';

type Reply = Omit<ReplyOf<typeof trends.historicalPatterns>, 'freshness'>;

export interface PatternsQuestion extends DerivedQuestion {
  days: number;
  areaLevel: AreaLevel;
  limit: number;
}

/** Seasons, hot spots, frequency and the next likely period, from the window and (where it says so) the whole record. */
export async function historicalPatterns(deps: TrendsDeps, question: PatternsQuestion): Promise<Reply> {
  const { now, filter, days, areaLevel, limit } = question;
  const { facts, area } = deps.record;
  const from = now - days * DAY_MS;
  const since = await facts.since();
  const covered = await coverageOf(spansFor(deps, filter), from, now, since);
  const recordCovered = since === null ? new Set<number>() : coveredDays(await spansFor(deps, filter)(since, now), since, now);
  const lacking = createLacking();
  const counts = await countsOf(facts, filter, { since, now, hour: filter.events !== undefined });
  const window = { fromDay: dayOf(from), toDay: dayOf(now) };
  const inWindow = counts.filter((each) => each.day >= window.fromDay && each.day <= window.toDay);
  const placed = coveredDays(await spansFor(deps, filter, areaLevel)(from, now), from, now);
  const spots = createHotspots(placed, areaLevel, now);
  for await (const page of facts.meeting(from, now, filter)) for (const fact of page) spots.add(fact);
  const frequency = frequencyOf({ counts, covered: recordCovered, windowCovered: covered.days, window, lacking });
  const hotspots = spots.rows(limit, area, lacking);
  const predictions = nextPeriod({ counts, covered: recordCovered, now, hasEvent: filter.events !== undefined, lacking });
  const none = covered.days.size === 0;
  return {
    period: { from: new Date(from).toISOString(), to: new Date(now).toISOString(), days_back: days },
    source: question.source,
    events: none ? lacking.add('events', 'no_coverage', '1 covered day', '0 covered days') : sum(inWindow.map((each) => each.count)),
    severity_scale: { Minor: 1, Moderate: 2, Severe: 3, Extreme: 4 },
    patterns: {
      seasonal_trends: seasonsOf(inWindow, covered.days, lacking),
      geographic_hotspots: hotspots,
      frequency_analysis: frequency,
    },
    predictions,
    ...adviceOf(rules({ frequency, hotspots, predictions }, question)),
    coverage: covered.wire,
    insufficient: lacking.list,
    warnings: question.warnings,
  };
}

function rules(
  {
    frequency,
    hotspots,
    predictions,
  }: {
    frequency: Reply['patterns']['frequency_analysis'];
    hotspots: Reply['patterns']['geographic_hotspots'];
    predictions: Reply['predictions'];
  },
  { now, days }: PatternsQuestion,
) {
  const period = predictions.next_period;
  const until = period?.kind === 'season' ? Math.round((Date.parse(period.from) - now) / DAY_MS) : null;
  const evidence = { n: predictions.events_used, window_days: days };
  const [top] = hotspots;
  const typical = medianOf(hotspots.map((spot) => spot.frequency));
  const { trend, trend_ratio: ratio } = frequency;
  return [
    period?.in_season
      ? recommend({
          id: 'in_season',
          priority: 'high',
          title: 'The season is on',
          description: `The season of this event is now (${predictions.next_likely_period ?? ''}): raise staffing and test deliveries now.`,
          impact: 'Most of a year’s events fall into it.',
          evidence: { metric: 'confidence', value: predictions.confidence ?? 0, threshold: 0, ...evidence },
        })
      : null,
    until !== null && !period?.in_season && until >= 0 && until <= 30
      ? recommend({
          id: 'season_near',
          priority: 'medium',
          title: 'The season begins soon',
          description: `The season of this event begins in ${until} days (${predictions.next_likely_period ?? ''}).`,
          impact: 'There is time to prepare.',
          evidence: { metric: 'days_until_season', value: until, unit: 'days', threshold: 30, ...evidence },
        })
      : null,
    trend === 'increasing' && ratio !== null && ratio >= 1.5
      ? recommend({
          id: 'more_than_before',
          priority: 'medium',
          title: 'More events than in earlier years',
          description: `${ratio} times as many events per day as on the same dates of earlier years.`,
          impact: 'Limits and staffing made for those years may be too small.',
          evidence: { metric: 'trend_ratio', value: ratio, threshold: 1.5, ...evidence },
        })
      : null,
    top && hotspots.length >= 3 && typical > 0 && top.frequency >= 3 * typical
      ? recommend({
          id: 'one_hotspot',
          priority: 'low',
          title: `${top.label} stands out`,
          description: `${top.label} has events in force on ${Math.round(top.frequency * 100)} % of days, three times the usual hot spot.`,
          impact: 'It deserves thresholds of its own.',
          evidence: { metric: 'frequency', value: top.frequency, threshold: 3 * typical, n: top.events, window_days: days },
        })
      : null,
  ];
}

import type { UsageInsufficient } from '@nwms/contract';
import {
  type DailySeries,
  FORECAST_INTERVAL_DAYS,
  FORECAST_MIN_DAYS,
  GROWTH_MIN_DAYS,
  GROWTH_MIN_REQUESTS,
  HEALTH_MIN_REQUESTS,
} from '@nwms/domain';
import { RANKED_MIN_REQUESTS, type RankedEndpoints } from './insight-patterns.ts';
import type { Tally } from './tally.ts';

/** What is null, why, and what it would need. */
export function insightGaps(known: {
  last: Tally;
  series: DailySeries;
  growth: number | null;
  hasPeak: boolean;
  peakHours: number;
  total: Tally;
  people: { visitors: number };
  ranked: RankedEndpoints;
}): UsageInsufficient[] {
  const { last, series, growth, total } = known;
  const days = series.counts.length;
  const counted = series.counts.reduce((sum, count) => sum + count, 0);
  const missing: UsageInsufficient[] = [];
  const say = (fields: readonly string[], reason: UsageInsufficient['reason'], have: number, need: number) => {
    for (const field of fields) missing.push({ field, reason, have, need });
  };
  if (last.requests < HEALTH_MIN_REQUESTS)
    say(
      [
        'system_insights.system_health_score',
        'system_insights.health_components.availability',
        'system_insights.health_components.latency',
      ],
      'few_samples',
      last.requests,
      HEALTH_MIN_REQUESTS,
    );
  if (!known.hasPeak)
    say(
      ['peak_hour', 'peak_hour_requests', 'lowest_hour'].map((name) => `system_insights.${name}`),
      'short_history',
      known.peakHours / 24,
      1,
    );
  if (total.requests === 0) say(['system_insights.busiest_endpoint'], 'no_requests', 0, 1);
  if (known.ranked.slowest_endpoint === null) say(['system_insights.slowest_endpoint'], 'few_samples', total.requests, RANKED_MIN_REQUESTS);
  if (known.people.visitors === 0) say(['system_insights.avg_requests_per_user'], 'no_requests', 0, 1);
  if (growth === null) {
    const fields = ['system_insights.daily_growth_rate', 'predictions.growth_trend'];
    if (days < GROWTH_MIN_DAYS) say(fields, 'short_history', days, GROWTH_MIN_DAYS);
    else say(fields, 'few_samples', counted, GROWTH_MIN_REQUESTS);
  }
  if (days < FORECAST_MIN_DAYS)
    say(['predictions.next_week_requests', 'predictions.next_month_requests'], 'short_history', days, FORECAST_MIN_DAYS);
  if (days < FORECAST_INTERVAL_DAYS)
    say(
      ['predictions.intervals.next_week', 'predictions.intervals.next_month', 'confidence_score'],
      'short_history',
      days,
      FORECAST_INTERVAL_DAYS,
    );
  return missing;
}

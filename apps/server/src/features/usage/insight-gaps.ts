import type { UsageInsufficient } from '@nwms/contract';
import {
  type DailySeries,
  FORECAST_INTERVAL_DAYS,
  FORECAST_MIN_DAYS,
  GROWTH_MIN_DAYS,
  GROWTH_MIN_REQUESTS,
  HEALTH_MIN_REQUESTS,
  roundTo,
} from '@nwms/domain';
import { RANKED_MIN_REQUESTS, type rankEndpoints } from './insight-patterns.ts';
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
  ranked: ReturnType<typeof rankEndpoints>;
}): UsageInsufficient[] {
  const { last, series, growth, total } = known;
  const days = series.counts.length;
  const counted = series.counts.reduce((sum, count) => sum + count, 0);
  const missing: UsageInsufficient[] = [];
  const say = (fields: readonly string[], reason: UsageInsufficient['reason'], have: number, need: number) => {
    for (const field of fields) missing.push({ field, reason, have, need });
  };
  const of = (name: string) => `system_insights.${name}`;
  if (last.requests < HEALTH_MIN_REQUESTS)
    say(
      ['system_health_score', 'health_components.availability', 'health_components.latency'].map(of),
      'few_samples',
      last.requests,
      HEALTH_MIN_REQUESTS,
    );
  // Streams have no time.
  else if (last.timed === 0) say(['system_health_score', 'health_components.latency'].map(of), 'few_samples', 0, 1);
  if (!known.hasPeak) say(['peak_hour', 'peak_hour_requests', 'lowest_hour'].map(of), 'short_history', roundTo(known.peakHours / 24, 2), 1);
  if (total.requests === 0) say(['system_insights.busiest_endpoint'], 'no_requests', 0, 1);
  const { figures, most } = known.ranked;
  if (figures.slowest_endpoint === null) say(['system_insights.slowest_endpoint'], 'few_samples', most.timed, RANKED_MIN_REQUESTS);
  // Null with enough requests: none of them failed.
  if (most.requests < RANKED_MIN_REQUESTS) say(['system_insights.error_prone_endpoint'], 'few_samples', most.requests, RANKED_MIN_REQUESTS);
  if (known.people.visitors === 0) say(['system_insights.avg_requests_per_user'], 'no_requests', 0, 1);
  if (growth === null) {
    const fields = ['system_insights.daily_growth_rate', 'predictions.growth_trend'];
    if (days < GROWTH_MIN_DAYS) say(fields, 'short_history', days, GROWTH_MIN_DAYS);
    else say(fields, 'few_samples', counted, GROWTH_MIN_REQUESTS);
  }
  if (days < FORECAST_MIN_DAYS)
    say(
      ['predictions.next_week_requests', 'predictions.next_month_requests', 'predictions.daily'],
      'short_history',
      days,
      FORECAST_MIN_DAYS,
    );
  if (days < FORECAST_INTERVAL_DAYS)
    say(
      [
        'predictions.intervals.next_week',
        'predictions.intervals.next_month',
        // Days that are foretold have no bars.
        ...(days < FORECAST_MIN_DAYS ? [] : ['predictions.daily']),
        'confidence_score',
      ],
      'short_history',
      days,
      FORECAST_INTERVAL_DAYS,
    );
  return missing;
}

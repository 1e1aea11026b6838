import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';
import { common, daysBack, derivedFilters, Interval, perDay, SEVERITY_COUNTS } from './trends-parts.ts';

const maybeInterval = orNull(Interval);

export const SEASON_BUCKETS = ['hour', 'weekday', 'week', 'month', 'season'] as const;

/** When in the year, week or day events begin, in local time. */
export const SeasonalPatterns = Type.Object({
  buckets: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      events: orNull(Type.Integer()),
      covered_days: Type.Integer(),
      per_day: perDay('Events begun'),
      interval: maybeInterval,
      avg_severity: orNull(Type.Number()),
      // Like events: null when no day of the bucket is covered, which is not the same as five zeros.
      by_severity: orNull(SEVERITY_COUNTS),
    }),
    { description: 'Every bucket of the kind, also empty ones' },
  ),
  cross: orNull(Type.Array(Type.Object({ key: Type.String(), x: Type.String(), events: Type.Integer() }))),
  years: Type.Array(Type.Object({ year: Type.Integer(), events: orNull(Type.Integer()), covered_days: Type.Integer() })),
  peak: orNull(Type.Object({ key: Type.String(), ratio_to_mean: Type.Number() })),
  ...common,
});
export type SeasonalPatterns = Static<typeof SeasonalPatterns>;

export const seasonalPatterns = route({
  method: 'GET',
  path: '/playback/patterns/seasonal',
  access: 'public',
  cost: 2,
  area: 'trends',
  operation: 'seasonalPatterns',
  summary: 'Events by month, week, weekday, hour or season over years',
  query: Type.Object({
    ...derivedFilters,
    years: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: 'Years back; default 10' })),
    bucket: Type.Optional(oneOf(SEASON_BUCKETS, { description: 'Default month' })),
    cross: Type.Optional(oneOf(['none', 'hour', 'event', 'severity', 'state'], { description: 'Second axis; default none' })),
  }),
  reply: SeasonalPatterns,
  errors: ['trends.preparing', 'data.unavailable'],
});

const quantile = (unit: string) => orNull(Type.Number({ description: `${unit}; from 20 events on` }));

export const TrendAnalysis = Type.Object({
  range: Type.Object({ from: Ts, to: Ts }),
  bucket: oneOf(['hour', 'day', 'week', 'month']),
  series: Type.Array(
    Type.Object({
      key: Type.String(),
      points: Type.Array(
        Type.Object({ at: Ts, begun: orNull(Type.Integer()), in_force_max: orNull(Type.Integer()), covered: Type.Boolean() }),
      ),
      total: Type.Integer(),
      slope_per_bucket: orNull(Type.Number({ description: 'Theil-Sen' })),
      trend: orNull(oneOf(['increasing', 'decreasing', 'stable'])),
      p_value: orNull(Type.Number({ description: 'Mann-Kendall with tie correction, two-sided' })),
    }),
  ),
  comparison: orNull(
    Type.Object({
      previous_total: orNull(Type.Integer()),
      ratio: orNull(Type.Number({ description: 'Events per covered day now ÷ in the time of equal length before' })),
      interval: maybeInterval,
      direction: orNull(oneOf(['increasing', 'decreasing', 'stable'])),
    }),
  ),
  life: Type.Object({ median_minutes: quantile('Minutes in force'), p90_minutes: quantile('Minutes in force'), n: Type.Integer() }),
  lead_time: Type.Object({ median_minutes: quantile('Minutes from sent to in force, events announced ahead'), n: Type.Integer() }),
  update_count: Type.Object({ median: quantile('Versions per event'), n: Type.Integer() }),
  delay: Type.Object({ p50_seconds: quantile('Sent to seen by us'), p90_seconds: quantile('Sent to seen by us'), n: Type.Integer() }),
  ...common,
});
export type TrendAnalysis = Static<typeof TrendAnalysis>;

export const TREND_GROUPS = ['none', 'severity', 'event', 'state', 'office', 'family'] as const;

export const trendAnalysis = route({
  method: 'GET',
  path: '/playback/analysis/trends',
  access: 'public',
  cost: 2,
  area: 'trends',
  operation: 'trendAnalysis',
  summary: 'Events over time, with trend, life, lead time and delay',
  query: Type.Object({
    ...daysBack(365, 30),
    from: Type.Optional(Type.String({ maxLength: 40, description: 'Instead of days_back; RFC 3339 or YYYY-MM-DD' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'Default now; at most 365 days after from' })),
    ...derivedFilters,
    bucket: Type.Optional(
      oneOf(['hour', 'day', 'week', 'month'], { description: 'Default: the finest with at most 120 points; hour up to 14 days' }),
    ),
    group_by: Type.Optional(oneOf(TREND_GROUPS, { description: 'The ten largest and "other"; default none' })),
  }),
  reply: TrendAnalysis,
  errors: ['trends.preparing', 'query.window_too_large', 'data.unavailable'],
});

import { SEVERITIES } from '@nwms/domain';
import Type, { type Static } from 'typebox';
import { Freshness } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';
import {
  Area,
  AREA_LEVELS,
  common,
  daysBack,
  daysOf,
  DERIVED,
  derivedFilters,
  Interval,
  perDay,
  Period,
  Recommendation,
  SEVERITY_COUNTS,
} from './trends-parts.ts';

export * from './trends-patterns.ts';

const { count, share } = DERIVED;
const maybeInterval = orNull(Interval);
const advice = {
  recommendations: Type.Array(Type.String(), { description: 'Plain sentences; evidence in recommendation_details, same order' }),
  recommendation_details: Type.Array(Recommendation),
};

export const CHANGE_REASONS = ['replaced', 'severity', 'impact_tags', 'area', 'early_end'] as const;

const classCount = (word: string) => orNull(count(`Events classed ${word}; null when no day of the window is covered`));
const shareOf = orNull(Type.Object({ share: share('0 to 1, 2 decimals'), interval: Interval }, { description: 'From 20 events on' }));
const classes = {
  escalating_events: classCount('escalating'),
  stable_events: classCount('stable'),
  de_escalating_events: classCount('de-escalating'),
  total_events: orNull(count('Their sum: distinct events, not messages')),
};

/**
 * Class of an event: the version standing at the window's start (else its first) against the last version that still affected a zone.
 * The first that differs decides: replaced by a higher or lower event, severity, hazard_rank by 20 or more, area (25 % and 100 km²),
 * cancelled early (15 min and a quarter of the plan left). Nothing differs: stable. Longer times alone are not escalation.
 */
export const SeverityTrends = Type.Object({
  period: Period,
  trends: Type.Object({
    ...classes,
    shares: Type.Object({ escalating: shareOf, stable: shareOf, de_escalating: shareOf }),
    by_reason: Type.Record(Type.String(), Type.Integer(), { description: `By ${CHANGE_REASONS.join(', ')}` }),
    single_version: count('Events of one version (always stable)'),
    swung: count('Went up and came back: stable in the end'),
    extended: count('Later end than first planned'),
    shortened: count('Earlier end than first planned'),
    late_start: count('First seen in mid-life'),
  }),
  previous: Type.Object({
    ...classes,
    escalating_share_change: orNull(
      Type.Object({
        difference: Type.Number({ description: 'Share of escalating events now minus before' }),
        interval: Interval,
        direction: oneOf(['rising', 'falling', 'steady']),
      }),
    ),
  }),
  by_event: Type.Array(
    Type.Object({
      event: Type.String(),
      escalating: Type.Integer(),
      stable: Type.Integer(),
      de_escalating: Type.Integer(),
      total: Type.Integer(),
    }),
    { maxItems: 50 },
  ),
  series: Type.Array(
    Type.Object({
      at: Ts,
      issued: orNull(Type.Integer()),
      escalations: orNull(Type.Integer()),
      de_escalations: orNull(Type.Integer()),
    }),
    { description: 'Steps per bucket (UTC); null where our record has a gap. With bucket=day exactly days_back rows' },
  ),
  examples: Type.Array(
    Type.Object({
      event_id: Type.String(),
      event: Type.String(),
      area_desc: Type.String(),
      class: oneOf(['escalating', 'de_escalating']),
      reason: oneOf(CHANGE_REASONS),
      at: Ts,
      from: Type.String(),
      to: Type.String(),
      summary: Type.String(),
    }),
    { maxItems: 10 },
  ),
  ...advice,
  ...common,
});
export type SeverityTrends = Static<typeof SeverityTrends>;

const errors = ['trends.preparing', 'data.unavailable'] as const;

export const severityTrends = route({
  method: 'GET',
  path: '/intelligence/severity-trends',
  access: 'key-or-session',
  cost: 2,
  area: 'trends',
  operation: 'severityTrends',
  summary: 'How many events escalated, stayed, eased',
  query: Type.Object({
    ...daysBack(365, 7),
    ...derivedFilters,
    bucket: Type.Optional(oneOf(['hour', 'day', 'week'], { description: 'Default day' })),
  }),
  reply: SeverityTrends,
  errors,
});

const season = Type.Object({
  avg_severity: orNull(Type.Number({ description: 'Mean of each event’s highest severity, Minor 1 to Extreme 4; Unknown left out' })),
  count: orNull(count('Events that began in the season inside the window')),
  known: count('Of these with a known severity'),
  per_day: perDay('Events'),
  covered_days: count('Covered days of the season inside the window'),
  interval: maybeInterval,
});

export const HistoricalPatterns = Type.Object({
  period: Period,
  events: orNull(count('Distinct events that began in the window')),
  severity_scale: Type.Object({ Minor: Type.Literal(1), Moderate: Type.Literal(2), Severe: Type.Literal(3), Extreme: Type.Literal(4) }),
  patterns: Type.Object({
    seasonal_trends: Type.Object({ winter: season, spring: season, summer: season, fall: season }),
    geographic_hotspots: Type.Array(
      Type.Object({
        ...Area,
        frequency: share('Covered local days with at least one event in force there ÷ covered days'),
        interval: Interval,
        days_with: count('Days with'),
        covered_days: count('Covered days'),
        events: count('Distinct events'),
        avg_severity: orNull(Type.Number()),
      }),
    ),
    frequency_analysis: Type.Object({
      events_per_month: orNull(Type.Number({ description: 'Events begun ÷ covered days × 30.4375' })),
      trend: orNull(oneOf(['increasing', 'decreasing', 'stable'])),
      trend_basis: orNull(oneOf(['same_dates_earlier_years', 'within_window'])),
      trend_ratio: orNull(Type.Number()),
      interval: maybeInterval,
      peak_months: Type.Array(Type.String(), { description: 'English names, calendar order' }),
      peak_month_numbers: Type.Array(Type.Integer({ minimum: 1, maximum: 12 })),
      by_month: Type.Array(
        Type.Object({
          month: Type.Integer({ minimum: 1, maximum: 12 }),
          events: Type.Integer(),
          covered_days: Type.Integer(),
          per_day: perDay('Events'),
        }),
        { description: 'Whole archive, twelve rows' },
      ),
    }),
  }),
  predictions: Type.Object({
    next_likely_period: orNull(Type.String({ description: 'May 6 to June 30, or between 15:00 and 21:00 local time' })),
    confidence: orNull(share('How often the same rule would have been right, 0 to 1')),
    next_period: orNull(
      Type.Object({
        kind: oneOf(['season', 'time_of_day']),
        from: Type.String({ description: 'YYYY-MM-DD, or HH:MM local' }),
        to: Type.String(),
        in_season: orNull(Type.Boolean()),
      }),
    ),
    basis: Type.String(),
    years: count('Years covered at least 80 %'),
    hits: orNull(count('Years (or days) in which the rule, made without them, held')),
    events_used: count('Events used'),
  }),
  ...advice,
  ...common,
});
export type HistoricalPatterns = Static<typeof HistoricalPatterns>;

const areaLevel = Type.Optional(oneOf(AREA_LEVELS, { description: 'Default county' }));
const limit = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum, description: 'Areas listed; default 10' }));

export const historicalPatterns = route({
  method: 'GET',
  path: '/intelligence/historical-patterns',
  access: 'key-or-session',
  cost: 2,
  area: 'trends',
  operation: 'historicalPatterns',
  summary: 'Seasons, hot spots, frequency and the next likely period',
  query: Type.Object({ ...daysOf(365, 365), ...derivedFilters, area_level: areaLevel, limit: limit(50) }),
  reply: HistoricalPatterns,
  errors,
});

const risk = oneOf(['high', 'medium', 'low'], { description: 'high from 0.70, medium from 0.40' });

/** load = distinct events that began or escalated for an area, once per event and local day, ÷ covered days; score = 1 − 2^(−load ÷ 0.5). */
export const AlertFatigueAnalysis = Type.Object({
  period: Period,
  reference: Type.Object({ events_per_area_day: Type.Number(), formula: Type.String(), note: Type.String() }),
  fatigue_analysis: Type.Object({
    overall_density_score: orNull(share('Score at the place where the average alert arrives; [0, 1)')),
    fatigue_risk: orNull(risk),
    interval: maybeInterval,
    load_experienced: orNull(Type.Number()),
    load_all_areas: orNull(Type.Number({ description: 'Mean over the areas that had any' })),
    areas_with_alerts: orNull(
      count('Areas with at least one event; this and the next counts are null when no day of the window is covered'),
    ),
    distinct_events: orNull(count('Events that began or escalated')),
    messages: orNull(count('Messages of these events')),
    messages_per_event: orNull(Type.Number()),
    by_severity: orNull(SEVERITY_COUNTS),
    by_hour: orNull(Type.Array(Type.Integer(), { minItems: 24, maxItems: 24, description: 'Begins by local hour' })),
    night_share: orNull(share('Begins from 22:00 to 07:00 local')),
    high_density_areas: Type.Array(
      Type.Object({
        ...Area,
        alert_count: count('Distinct events begun there'),
        load: Type.Number(),
        density_score: share('Score of the area'),
        peak_7_day_score: orNull(share('Score of its fullest seven days')),
        fatigue_risk: risk,
        top_events: Type.Array(Type.Object({ event: Type.String(), count: Type.Integer() }), { maxItems: 3 }),
        night_share: orNull(Type.Number()),
        polygon_share: share('Events drawn by a polygon smaller than the area'),
        ...advice,
      }),
    ),
  }),
  ...advice,
  ...common,
});
export type AlertFatigueAnalysis = Static<typeof AlertFatigueAnalysis>;

export const alertFatigueAnalysis = route({
  method: 'GET',
  path: '/intelligence/alert-fatigue-analysis',
  access: 'key-or-session',
  cost: 2,
  area: 'trends',
  operation: 'alertFatigueAnalysis',
  summary: 'How many different events people in one place are told about',
  query: Type.Object({ ...daysBack(90, 7), ...derivedFilters, area_level: areaLevel, limit: limit(100) }),
  reply: AlertFatigueAnalysis,
  errors,
});

export const SystemRecommendations = Type.Object({
  generated_at: Ts,
  recommendations: Type.Array(Recommendation, { description: 'High first, then by id' }),
  silent: Type.Array(
    Type.Object({
      id: Type.String(),
      reason: oneOf(['no_coverage', 'sample_too_small', 'not_measured', 'not_configured', 'not_applicable']),
    }),
    {
      description: 'Rules without enough data to say anything',
    },
  ),
  freshness: Freshness,
});
export type SystemRecommendations = Static<typeof SystemRecommendations>;

export const systemRecommendations = route({
  method: 'GET',
  path: '/intelligence/recommendations',
  access: 'key-or-session',
  cost: 2,
  area: 'trends',
  operation: 'systemRecommendations',
  summary: 'Fixed rules over measured evidence',
  query: Type.Object({ audience: Type.Optional(oneOf(['member', 'admin'], { description: 'admin needs an administrator’s session' })) }),
  reply: SystemRecommendations,
  errors: ['access.admin_required', 'data.unavailable'],
});

export const SEVERITY_SCALE = { Minor: 1, Moderate: 2, Severe: 3, Extreme: 4 } as const;
export const TREND_SEVERITIES = SEVERITIES;

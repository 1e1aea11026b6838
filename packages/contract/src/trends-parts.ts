import Type, { type Static } from 'typebox';
import { Warning } from './alerts.ts';
import { Freshness } from './freshness.ts';
import { oneOf, orNull, Ts } from './schema.ts';

/** Why a value is null although the question was fine. */
export const INSUFFICIENT_REASONS = [
  'no_coverage',
  'sample_too_small',
  'archive_too_short',
  'not_measured',
  'no_pattern',
  'parameter_required',
  'source_unavailable',
  'not_configured',
  'not_applicable',
] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
export const DERIVED = { count, share };

/** Where a derived number probably lies: 95 %, two decimals. `method` names the formula (docs/intelligence.md). */
export const Interval = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  level: Type.Number({ description: '0.95' }),
  method: oneOf(['wilson', 'wilson_effective', 'newcombe', 'rate_ratio', 'day_bootstrap', 'poisson']),
});
export type Interval = Static<typeof Interval>;

/**
 * What our own record holds of the asked time. A day (UTC) is covered when at least 95 % of its minutes lie in good polls or in a gap
 * that was filled afterwards. Rates divide by covered days, never by calendar days: a gap is not calm weather.
 */
export const Coverage = Type.Object(
  {
    from: Ts,
    to: Ts,
    days: count('Days (UTC) that the range touches'),
    covered_days: count('Of these, covered'),
    share: share('Covered share of the range by time, 0 to 1, 2 decimals'),
    gaps: Type.Array(Type.Object({ from: Ts, to: Ts }), { maxItems: 20, description: 'Longest first, at most 20' }),
    archive_since: orNull(Ts),
    imported: Type.Boolean({ description: 'Part of the range comes from an import' }),
  },
  { $id: 'Coverage' },
);
export type Coverage = Static<typeof Coverage>;

/** One value (or list) that could not be computed, and what it would need. */
export const Insufficient = Type.Object({
  path: Type.String({ description: 'Member of the answer, e.g. trends.shares' }),
  reason: oneOf(INSUFFICIENT_REASONS),
  need: Type.String({ description: 'In words, e.g. "20 events"' }),
  have: Type.String({ description: 'In words, e.g. "3 events"' }),
});
export type Insufficient = Static<typeof Insufficient>;

/** A fixed rule that found something in measured numbers. */
export const Recommendation = Type.Object({
  id: Type.String(),
  priority: oneOf(['high', 'medium', 'low']),
  category: Type.String(),
  title: Type.String(),
  description: Type.String(),
  impact: Type.String(),
  evidence: Type.Object({
    metric: Type.String(),
    value: Type.Number(),
    unit: orNull(Type.String()),
    threshold: Type.Number(),
    n: count('Sample size'),
    window_days: Type.Integer(),
  }),
  action: orNull(Type.Object({ label: Type.String(), path: Type.String() })),
});
export type Recommendation = Static<typeof Recommendation>;

/** County (SAME code with its first digit 0), marine area, state or office. */
export const Area = {
  area: Type.String({ description: 'Code of the area: six-digit SAME code beginning with 0, marine UGC, two-letter state or office' }),
  label: Type.String({ description: 'Polk County, IA' }),
  code: Type.String(),
  kind: oneOf(['county', 'marine', 'state', 'office']),
  state: orNull(Type.String()),
  lat: orNull(Type.Number()),
  lon: orNull(Type.Number()),
};
export const AREA_LEVELS = ['county', 'state', 'office'] as const;

/** live = what the National Weather Service issued (imports included); simulator and replay never mix with it. */
export const RECORDS = ['live', 'simulator', 'replay'] as const;

const eventNames = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10, description }));
const areas = Type.Optional(
  Type.Array(Type.String({ pattern: '^([0-9]{5,6}|[A-Za-z]{2}[CZ][0-9]{3}|[A-Za-z]{2,4})$' }), {
    maxItems: 50,
    description: 'SAME (six digits), FIPS (five), UGC, two-letter state or four-letter office; any of them',
  }),
);
/** `event_type` is documented, `event` its synonym. */
export const derivedFilters = {
  event_type: eventNames('Exact event names, any letter case'),
  event: eventNames('Synonym of event_type'),
  area: areas,
};
const days = (maximum: number, description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
export const daysBack = (maximum: number, standard: number) => ({
  days_back: days(maximum, `Days up to now; default ${standard}`),
  days: days(maximum, 'Synonym of days_back'),
});
/** The same with `days` as the documented name. */
export const daysOf = (maximum: number, standard: number) => ({
  days: days(maximum, `Days up to now; default ${standard}`),
  days_back: days(maximum, 'Synonym of days'),
});

export const SEVERITY_COUNTS = Type.Object({
  Extreme: Type.Integer(),
  Severe: Type.Integer(),
  Moderate: Type.Integer(),
  Minor: Type.Integer(),
  Unknown: Type.Integer(),
});
export const Period = Type.Object({ from: Ts, to: Ts, days_back: Type.Integer() });

/** A figure by covered day; null where no day is covered. */
export const perDay = (what: string) => orNull(Type.Number({ description: `${what} per covered day, 2 decimals` }));

/** Members of every derived answer. */
export const common = {
  source: oneOf(RECORDS, { description: 'Which record was counted; simulated weather is never mixed with real' }),
  coverage: Coverage,
  insufficient: Type.Array(Insufficient, { description: 'What could not be computed and why; nothing here is ever shown as zero' }),
  warnings: Type.Array(Warning),
  freshness: Freshness,
};

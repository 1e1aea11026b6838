import { INSIGHT_SEVERITIES, USER_TYPES } from '@nwms/domain';
import Type, { type Static, type TProperties } from 'typebox';
import { oneOf, orNull, Ts } from './schema.ts';

/** Who made a request: nobody we know, an API key, a signed-in person. */
export const PRINCIPAL_KINDS = ['anonymous', 'key', 'session'] as const;
export const DEVICE_TYPES = ['desktop', 'mobile', 'bot', 'client', 'unknown'] as const;
export const USAGE_REASONS = ['no_requests', 'few_samples', 'short_history', 'not_recorded'] as const;
export { INSIGHT_SEVERITIES, USER_TYPES };

export const count = (description: string) => Type.Integer({ minimum: 0, description });
/** Of one row of a series. Nobody knows what was asked before anybody counted. */
export const recorded = (description: string) => orNull(count(`${description}; null before recording began`));
export const average = orNull(Type.Number({ description: 'Σ ms ÷ requests, 1 decimal; streams left out; null without requests' }));
export const percentile = orNull(Type.Number({ description: 'Milliseconds, nearest rank, within ± 1 % (DDSketch), 1 decimal' }));
export const percent = orNull(Type.Number({ description: 'Percent, 2 decimals; null without requests' }));
export const endpointName = Type.String({ description: 'Route template, e.g. /api/v1/alerts/{id}; unknown paths are (unmatched)' });
export const method = Type.String({ description: 'GET, POST, ...; openings of the WebSocket count as GET' });
export const day = Type.String({ description: 'YYYY-MM-DD, UTC' });
export const countryCode = Type.String({ description: 'ISO 3166-1 alpha-2; ZZ where it is not known' });
export const text = (description: string, maxLength = 200) => Type.Optional(Type.String({ maxLength, description }));

export const UsageInsufficient = Type.Object({
  field: Type.String({
    description: 'Member of this answer that is null, or a series with rows that are, e.g. predictions.next_week_requests, daily_trends',
  }),
  reason: oneOf(USAGE_REASONS),
  have: orNull(Type.Number()),
  need: orNull(Type.Number({ description: 'In requests; in days for short_history, in rows for series that are not_recorded' })),
});
export type UsageInsufficient = Static<typeof UsageInsufficient>;

const period = {
  start: Ts,
  end: Type.String({ format: 'date-time', description: 'Exclusive; requests that finished at least 5 s earlier are counted' }),
};
const tail = {
  generated_at: Ts,
  insufficient: Type.Array(UsageInsufficient, { description: 'Why members are null' }),
};
export const UsageEstimates = Type.Record(
  Type.String(),
  Type.Object({
    method: oneOf(['exact', 'hll']),
    error_95: Type.Number({ description: 'Half of the 95 % interval as a share of the figure; 0 = exact' }),
  }),
  { description: 'How counts of different ones were made, by member' },
);

/** An answer over whole days. */
export const overDays = <P extends TProperties>(members: P) =>
  Type.Object({ ...members, analysis_period: Type.Object({ ...period, days: Type.Integer() }), ...tail });
/** An answer over the last minutes. */
export const overMinutes = <P extends TProperties>(members: P) =>
  Type.Object({ ...members, analysis_period: Type.Object({ ...period, minutes: Type.Integer() }), ...tail });

const principal = Type.Optional(oneOf(['all', ...PRINCIPAL_KINDS], { description: 'Requests of this kind of caller only; default all' }));
export const daysQuery = {
  days_back: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, description: 'Calendar days (UTC) that end today, default 7; 1 = the last 24 hours' }),
  ),
  principal,
};
export const minutesQuery = {
  minutes_back: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Default 60; the running minute is the last' })),
  principal,
};
export const csvFormat = Type.Optional(oneOf(['json', 'csv'], { description: 'Default json' }));
export const LIST_FORMATS = ['application/json', 'text/csv'] as const;
export const guarded = ['auth.missing', 'access.admin_required', 'server.database_unavailable'] as const;

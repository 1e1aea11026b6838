import { CAP_STATUSES, CERTAINTIES, GEOMETRY_SOURCES, MESSAGE_TYPES, SEVERITIES, SOURCES, STATES, ZONE_TYPES } from '@nwms/domain';
import Type from 'typebox';
import { oneOf } from './schema.ts';

/** A comma-separated or repeated list of at most 50 values; arrives in the handler as an array. */
const list = (description: string, pattern?: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 100, ...(pattern ? { pattern } : {}) }), { maxItems: 50, description }));
const enumList = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Optional(Type.Array(oneOf(values), { maxItems: 50, description }));
const instant = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${description} (RFC 3339, or YYYY-MM-DD for that UTC midnight)` }));

/** Filters of one alert, shared by list, stats, near, within, changes, stream and live subscriptions. */
export const alertFilters = {
  event: list('Exact event names, any letter case'),
  event_code: list('NWS event codes, e.g. SVW'),
  family: list('Families of the type registry, e.g. tornado, winter'),
  severity: enumList(SEVERITIES, 'Severity'),
  certainty: enumList(CERTAINTIES, 'Certainty'),
  message_type: enumList(MESSAGE_TYPES, 'CAP message type'),
  category: list('CAP category, e.g. Met'),
  response: list('CAP response, e.g. Shelter'),
  lifecycle: enumList(STATES, 'State'),
  q: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 100,
      description: 'All words, letter case and accents folded, over headline, event, area and description',
    }),
  ),
  ugc: list('UGC codes; a prefix of at least two characters matches (IA, IAC)', '^[A-Za-z]{2}[A-Za-z0-9]{0,4}$'),
  same: list('SAME codes (six digits) or FIPS (five)', '^[0-9]{5,6}$'),
  office: list('Offices, e.g. KDMX; a prefix of at least two characters matches', '^[A-Za-z0-9]{2,4}$'),
  zone_type: enumList(ZONE_TYPES, 'At least one still affected zone is of this type'),
  vtec: list('VTEC event, e.g. KDMX.SV.W.0106'),
  phenomenon: list('VTEC phenomenon, e.g. SV', '^[A-Za-z]{2}$'),
  significance: list('VTEC significance, e.g. W', '^[A-Za-z]$'),
  tag: list('Impact tag `name:value`, or `emergency`'),
  min_rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'hazard_rank at least' })),
  geometry_source: enumList(GEOMETRY_SOURCES, 'Where the shape comes from'),
  bbox: Type.Optional(Type.String({ maxLength: 100, description: 'west,south,east,north; west > east crosses 180 degrees' })),
  polygon: Type.Optional(Type.String({ maxLength: 8000, description: 'lon,lat;lon,lat;... 4 to 500 vertices, closed for you' })),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  radius_km: Type.Optional(Type.Number({ minimum: 0, maximum: 500 })),
  status: enumList(CAP_STATUSES, 'CAP status; default Actual (and Exercise on simulated weather)'),
  source: enumList(SOURCES, 'Where the message came from'),
};

export const timeFilters = {
  from: instant('Start of the range'),
  to: instant('End of the range, exclusive; at most 400 days after from'),
  time_field: Type.Optional(
    oneOf(['in_force', 'sent', 'effective', 'onset', 'expires', 'ended'], { description: 'What the range is about; default in_force' }),
  ),
  at: instant('As known then: only messages received by that instant, the clock at it'),
  in_force_at: instant('In force at that instant by the knowledge of `at`'),
  updated_since: instant('updated_at at or after'),
};

export const ORDER_FIELDS = [
  'sent',
  'effective',
  'onset',
  'expires',
  'in_force_until',
  'updated_at',
  'event',
  'area',
  'severity',
  'hazard_rank',
  'id',
] as const;
export const ORDERS = ['rank', ...ORDER_FIELDS, ...ORDER_FIELDS.map((f) => `-${f}` as const)] as const;

export const pageParams = {
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: '0 or absent: 1,000' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  cursor: Type.Optional(Type.String({ maxLength: 400 })),
};

export const viewParams = {
  active_only: Type.Optional(Type.Boolean({ description: 'Only is_active; default false' })),
  view: Type.Optional(oneOf(['events', 'messages'])),
  detail: Type.Optional(oneOf(['full', 'slim'])),
  format: Type.Optional(oneOf(['json', 'geojson', 'cap', 'atom', 'csv', 'ndjson'])),
  order_by: Type.Optional(oneOf(ORDERS, { description: 'Default rank; `-` reverses' })),
};

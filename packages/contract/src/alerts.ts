import { VTEC_ACTIONS } from '@nwms/domain';
import Type, { type Static } from 'typebox';
import { Alert, Diff, Geometry, KindView, SlimAlert } from './alert.ts';
import { alertFilters, pageParams, timeFilters, viewParams } from './filters.ts';
import { Freshness } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

/** Where the numbered log stands: subscribe or ask for changes from here. */
export const Position = Type.Object({ epoch: Type.String(), seq: Type.Integer(), cursor: Type.String() });
export const Warning = Type.Object({ code: Type.String(), message: Type.String() });
/** Questions about the past go to the archive. */
const ofThePast = { units: 2, parameters: ['at', 'in_force_at', 'from', 'to'] } as const;
/** Long tables are many answers at once. */
const longTable = { units: 5, formats: ['csv', 'ndjson', 'atom'], rowsOver: 1000 } as const;
const counts = Type.Record(Type.String(), Type.Integer());

const page = {
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
  truncated: Type.Boolean({ description: 'This answer holds fewer rows than match' }),
};

export const AlertList = Type.Object({
  alerts: Type.Array(Type.Union([Alert, SlimAlert])),
  ...page,
  total_exact: Type.Boolean(),
  next_cursor: orNull(Type.String()),
  freshness: Freshness,
  position: Position,
  as_of: Ts,
  view: oneOf(['events', 'messages']),
  warnings: Type.Array(Warning),
});
export type AlertList = Omit<Static<typeof AlertList>, 'alerts'> & { alerts: Alert[] };

export const listAlerts = route({
  method: 'GET',
  path: '/alerts',
  access: 'public',
  area: 'alerts',
  operation: 'listAlerts',
  dearer: [ofThePast, longTable],
  summary: 'Alerts by filter, now or as known at an instant',
  query: Type.Object({ ...viewParams, ...pageParams, ...alertFilters, ...timeFilters }),
  reply: AlertList,
  formats: ['application/json', 'application/geo+json', 'application/atom+xml', 'text/csv', 'application/x-ndjson'],
  errors: ['query.cursor_invalid', 'query.cursor_mismatch', 'query.window_too_large', 'geo.invalid_shape', 'data.unavailable'],
});

export const AlertStats = Type.Object({
  total: Type.Integer(),
  by_event: counts,
  by_severity: Type.Object({
    Extreme: Type.Integer(),
    Severe: Type.Integer(),
    Moderate: Type.Integer(),
    Minor: Type.Integer(),
    Unknown: Type.Integer(),
  }),
  active: Type.Integer(),
  in_force: Type.Integer(),
  upcoming: Type.Integer(),
  over: Type.Integer(),
  event_types: Type.Integer(),
  severe_or_extreme: Type.Integer(),
  by_state: counts,
  by_urgency: counts,
  by_certainty: counts,
  by_family: counts,
  by_office: counts,
  by_us_state: counts,
  by_geometry_source: counts,
  drawn: Type.Integer(),
  newest_sent: orNull(Ts),
  total_exact: Type.Boolean({ description: 'false: more older alerts match than were counted; give from and to' }),
  freshness: Freshness,
  position: Position,
  warnings: Type.Array(Warning),
});
export type AlertStats = Static<typeof AlertStats>;

export const alertStats = route({
  method: 'GET',
  path: '/alerts/stats',
  access: 'public',
  area: 'alerts',
  operation: 'alertStats',
  dearer: [ofThePast],
  summary: 'Counts of events by filter',
  query: Type.Object({ active_only: viewParams.active_only, ...alertFilters, ...timeFilters }),
  reply: AlertStats,
  errors: ['query.window_too_large', 'geo.invalid_shape', 'data.unavailable'],
});

const match = {
  distance_km: Type.Number(),
  match_reason: Type.String(),
  match_kind: oneOf(['polygon', 'zone', 'county', 'distance']),
};
const placeAnswer = {
  ...page,
  window: Type.Object({ from: Ts, to: orNull(Ts) }),
  freshness: Freshness,
  position: Position,
  warnings: Type.Array(Warning),
};

export const NearAnswer = Type.Object({
  alerts: Type.Array(Type.Object({ ...Alert.properties, ...match })),
  center: Type.Object({ lat: Type.Number(), lon: Type.Number() }),
  radius_km: Type.Number(),
  city: Type.Optional(Type.String()),
  coverage: oneOf(['inside', 'outside', 'partial']),
  place_zones: Type.Array(Type.String()),
  ...placeAnswer,
});
export const alertsNear = route({
  method: 'GET',
  path: '/alerts/near',
  access: 'public',
  area: 'alerts',
  operation: 'alertsNear',
  dearer: [ofThePast],
  summary: 'Alerts for a place',
  query: Type.Object({
    ...alertFilters,
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lon: Type.Number({ minimum: -180, maximum: 180 }),
    radius: Type.Optional(Type.Number({ minimum: 0, maximum: 500, description: 'Synonym of radius_km' })),
    city: Type.Optional(Type.String({ maxLength: 100, description: 'Only echoed' })),
    active_only: viewParams.active_only,
    limit: pageParams.limit,
    offset: pageParams.offset,
    from: timeFilters.from,
    to: timeFilters.to,
  }),
  reply: NearAnswer,
  errors: ['data.unavailable', 'query.window_too_large'],
});

export const WithinAnswer = Type.Object({
  alerts: Type.Array(
    Type.Object({
      ...Alert.properties,
      match_kind: oneOf(['polygon', 'zone', 'county', 'distance']),
      match_reason: Type.String(),
      relation: oneOf(['contains', 'within', 'intersects']),
      overlap_share: orNull(Type.Number({ description: 'Of the alert area, 0 to 1' })),
    }),
  ),
  ...placeAnswer,
});
const relation = Type.Optional(Type.Array(oneOf(['contains', 'within', 'intersects'])));
const withinFilters = {
  ...alertFilters,
  relation,
  active_only: viewParams.active_only,
  limit: pageParams.limit,
  offset: pageParams.offset,
  from: timeFilters.from,
  to: timeFilters.to,
};
export const alertsWithin = route({
  method: 'GET',
  path: '/alerts/within',
  access: 'public',
  area: 'alerts',
  operation: 'alertsWithin',
  dearer: [ofThePast],
  summary: 'Alerts that touch a box or polygon',
  query: Type.Object(withinFilters),
  reply: WithinAnswer,
  errors: ['geo.invalid_shape', 'data.unavailable', 'query.window_too_large'],
});
export const alertsWithinShape = route({
  method: 'POST',
  path: '/alerts/within',
  access: 'public',
  area: 'alerts',
  operation: 'alertsWithinShape',
  cost: 5,
  summary: 'Alerts that touch a GeoJSON polygon (a read)',
  readOnly: true,
  body: Type.Object({ ...withinFilters, geometry: Geometry }, { additionalProperties: false }),
  reply: WithinAnswer,
  errors: ['geo.invalid_shape', 'data.unavailable', 'query.window_too_large'],
  bodyLimitBytes: 1_048_576,
});

const idParam = Type.Object({ id: Type.String({ minLength: 1, maxLength: 256, description: 'Alert id or event id' }) });
export const TextParts = Type.Object({
  what: orNull(Type.String()),
  where: orNull(Type.String()),
  when: orNull(Type.String()),
  impacts: orNull(Type.String()),
  additional: orNull(Type.String()),
});
export const AlertDetail = Type.Object({
  ...Alert.properties,
  freshness: Freshness,
  text_parts: orNull(TextParts),
  bulletin_ids: Type.Array(Type.String()),
  raw: orNull(Type.Unknown()),
});
export type AlertDetail = Static<typeof AlertDetail>;
export const getAlert = route({
  method: 'GET',
  path: '/alerts/{id}',
  access: 'public',
  area: 'alerts',
  operation: 'getAlert',
  dearer: [ofThePast],
  summary: 'One alert or event',
  params: idParam,
  query: Type.Object({
    at: timeFilters.at,
    include: Type.Optional(Type.Array(oneOf(['raw']))),
    geometry: Type.Optional(oneOf(['display', 'full'])),
    format: Type.Optional(oneOf(['json', 'geojson', 'cap'])),
  }),
  reply: AlertDetail,
  formats: ['application/json', 'application/geo+json', 'application/cap+xml'],
  errors: ['alert.not_found', 'data.unavailable'],
});

export const Revision = Type.Object({
  version: Type.Integer(),
  id: Type.String(),
  sent: Ts,
  received_at: Ts,
  seq: orNull(Type.Integer()),
  kind: KindView,
  action: orNull(oneOf(VTEC_ACTIONS)),
  summary: Type.String(),
  diff: orNull(Diff),
});
export const AlertHistory = Type.Object({
  event_id: Type.String(),
  event: Type.String(),
  current: SlimAlert,
  versions: Type.Array(Revision),
  related: Type.Array(
    Type.Object({ event_id: Type.String(), relation: oneOf(['upgraded_to', 'upgraded_from', 'same_bulletin']), event: Type.String() }),
  ),
  freshness: Freshness,
});
export type AlertHistory = Static<typeof AlertHistory>;
export const alertHistory = route({
  method: 'GET',
  path: '/alerts/{id}/history',
  access: 'public',
  area: 'alerts',
  operation: 'alertHistory',
  cost: 2,
  summary: 'All revisions of an event, with readable differences',
  params: idParam,
  reply: AlertHistory,
  errors: ['alert.not_found', 'data.unavailable'],
});

export const AlertTypes = Type.Object({
  types: Type.Array(
    Type.Object({
      event: Type.String(),
      event_code: orNull(Type.String()),
      family: Type.String(),
      default_severity: Type.String(),
      hazard_rank: Type.Integer(),
      emoji: Type.String(),
      color: Type.String({ description: 'NWS map colour, #rrggbb' }),
      significance: orNull(Type.String()),
    }),
  ),
  version: Type.String(),
});
export const alertTypes = route({
  method: 'GET',
  path: '/alerts/types',
  access: 'open',
  area: 'alerts',
  operation: 'alertTypes',
  summary: 'Registry of event types',
  reply: AlertTypes,
});

export * from './alerts-feed.ts';

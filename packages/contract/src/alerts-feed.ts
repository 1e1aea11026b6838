import { GEOMETRY_SOURCES, KINDS } from '@nwms/domain';
import Type, { type Static } from 'typebox';
import { Diff, LiveAlert } from './alert.ts';
import { alertFilters, timeFilters, viewParams } from './filters.ts';
import { Freshness } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

/** One entry of the numbered log. */
export const Entry = Type.Object({
  seq: Type.Integer(),
  cursor: Type.String(),
  at: Ts,
  kind: oneOf(KINDS),
  channels: Type.Array(oneOf(['alerts', 'severe_alerts', 'updates'])),
  event_id: Type.String(),
  id: Type.String(),
  version: Type.Integer(),
  state: Type.String(),
  is_active: Type.Boolean(),
  summary: Type.String(),
  diff: orNull(Diff),
  alert: LiveAlert,
});
export type Entry = Static<typeof Entry>;
export const AlertChanges = Type.Object({
  changes: Type.Array(Entry),
  cursor: Type.String(),
  has_more: Type.Boolean(),
  oldest_cursor: Type.String(),
  latest_cursor: Type.String(),
  freshness: Freshness,
});
export type AlertChanges = Static<typeof AlertChanges>;
export const alertChanges = route({
  method: 'GET',
  path: '/alerts/changes',
  access: 'public',
  area: 'alerts',
  operation: 'alertChanges',
  summary: 'The numbered log after a cursor, with long-poll',
  query: Type.Object({
    since: Type.Optional(Type.String({ maxLength: 60 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 30, description: 'Seconds to wait for a first entry' })),
    kind: Type.Optional(Type.Array(oneOf(KINDS))),
    channel: Type.Optional(Type.Array(oneOf(['alerts', 'severe_alerts', 'updates']))),
    ...alertFilters,
  }),
  reply: AlertChanges,
  errors: ['query.cursor_invalid', 'feed.cursor_expired', 'feed.epoch_changed', 'feed.busy', 'data.unavailable'],
});

export const streamAlerts = route({
  method: 'GET',
  path: '/alerts/stream',
  access: 'public',
  area: 'live',
  operation: 'streamAlerts',
  allowance: 'stream',
  summary: 'The live feed as server-sent events',
  query: Type.Object({
    channels: Type.Optional(Type.Array(oneOf(['alerts', 'severe_alerts', 'updates']))),
    since: Type.Optional(Type.String({ maxLength: 60 })),
    snapshot: Type.Optional(oneOf(['always', 'on_gap'])),
    ...alertFilters,
  }),
  formats: ['text/event-stream'],
  errors: ['quota.streams', 'query.cursor_invalid'],
});

const tileFilters = {
  severity: alertFilters.severity,
  lifecycle: alertFilters.lifecycle,
  event: alertFilters.event,
  family: alertFilters.family,
  min_rank: alertFilters.min_rank,
  geometry_source: Type.Optional(Type.Array(oneOf(GEOMETRY_SOURCES))),
  active_only: viewParams.active_only,
  at: timeFilters.at,
  v: Type.Optional(Type.String({ maxLength: 40, description: 'Cache key, ignored' })),
};
export const tileJson = route({
  method: 'GET',
  path: '/alerts/tiles.json',
  access: 'public',
  area: 'alerts',
  operation: 'tileJson',
  summary: 'TileJSON 3 of the alert tiles',
  query: Type.Object(tileFilters),
  reply: Type.Object(
    { tilejson: Type.Literal('3.0.0'), tiles: Type.Array(Type.String()), vector_layers: Type.Array(Type.Unknown()) },
    { additionalProperties: true },
  ),
});
export const alertTile = route({
  method: 'GET',
  path: '/alerts/tiles/{z}/{x}/{y}.mvt',
  access: 'public',
  area: 'alerts',
  operation: 'alertTile',
  allowance: 'tiles',
  summary: 'Mapbox vector tile of alert shapes and labels',
  params: Type.Object({
    z: Type.Integer({ minimum: 0, maximum: 12 }),
    x: Type.Integer({ minimum: 0, maximum: 4095 }),
    y: Type.Integer({ minimum: 0, maximum: 4095 }),
  }),
  query: Type.Object(tileFilters),
  formats: ['application/vnd.mapbox-vector-tile'],
});

/** Street tiles under the alerts. Without them maps are complete: they have the borders of states and counties of their own. */
export const MapBase = Type.Object({
  street_tiles: orNull(
    Type.Object({
      url: Type.String({ description: 'Template with {z}, {x} and {y}; 256-pixel raster tiles' }),
      max_zoom: Type.Integer({ description: 'Tiles of higher zooms are not asked for' }),
      attribution: Type.Object({ text: Type.String(), url: orNull(Type.String()) }),
    }),
  ),
});
export const mapBase = route({
  method: 'GET',
  path: '/alerts/map-base',
  access: 'open',
  area: 'alerts',
  operation: 'mapBase',
  summary: 'Street tiles of the map, as the operator configured them',
  reply: MapBase,
});

export const Ticker = Type.Object({
  breaking_alerts: Type.Array(
    Type.Object({
      id: Type.String(),
      event_id: Type.String(),
      location: Type.String(),
      headline: Type.String(),
      severity: Type.String(),
      emoji: Type.String(),
      timestamp: Ts,
      event: Type.String(),
      source: Type.String(),
      expires: orNull(Ts),
      in_force_until: orNull(Ts),
      state: Type.String(),
      is_active: Type.Boolean(),
      hazard_rank: Type.Integer(),
      sample: Type.Literal(false),
    }),
  ),
  total_active: Type.Integer(),
  generated_at: Ts,
  freshness: Freshness,
});
export type Ticker = Static<typeof Ticker>;
export const breakingNewsTicker = route({
  method: 'GET',
  path: '/intelligence/weather-insights/breaking-news-ticker',
  access: 'open',
  area: 'alerts',
  operation: 'breakingNewsTicker',
  summary: 'The most dangerous alerts in force, for a ticker',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) }),
  reply: Ticker,
  errors: ['data.unavailable'],
});

import {
  CAP_STATUSES,
  CERTAINTIES,
  type Diff as DiffView,
  GEOMETRY_QUALITIES,
  GEOMETRY_SOURCES,
  KINDS,
  MESSAGE_TYPES,
  type Shape,
  SEVERITIES,
  SOURCES,
  STATE_REASONS,
  STATES,
  URGENCIES,
  VTEC_ACTIONS,
  ZONE_TYPES,
} from '@nwms/domain';
import Type, { type Static } from 'typebox';
import { oneOf, orNull, position, Ts } from './schema.ts';

const text = Type.String();
const maybeText = orNull(Type.String());

export const Geometry = Type.Unsafe<Shape | null>({
  description: 'RFC 7946 Polygon or MultiPolygon, split at the antimeridian; null when no shape is known',
  anyOf: [
    {
      type: 'object',
      required: ['type', 'coordinates'],
      properties: { type: { type: 'string', enum: ['Polygon', 'MultiPolygon'] }, coordinates: { type: 'array', items: {} } },
    },
    { type: 'null' },
  ],
});

export const VtecView = Type.Object({
  raw: text,
  class: oneOf(['O', 'T', 'E', 'X']),
  action: oneOf(VTEC_ACTIONS),
  office: text,
  phenomenon: text,
  significance: text,
  etn: Type.Integer(),
  begins_at: orNull(Ts),
  ends_at: orNull(Ts),
  event_id: text,
});

export const ImpactTagsView = Type.Object({
  emergency: orNull(oneOf(['tornado', 'flash_flood'])),
  tornado_detection: maybeText,
  tornado_damage_threat: maybeText,
  thunderstorm_damage_threat: maybeText,
  flash_flood_detection: maybeText,
  flash_flood_damage_threat: maybeText,
  snow_squall_detection: maybeText,
  snow_squall_impact: maybeText,
  waterspout_detection: maybeText,
  wind_threat: maybeText,
  max_wind_gust_kmh: orNull(Type.Number()),
  hail_threat: maybeText,
  max_hail_size_mm: orNull(Type.Number()),
  motion: Type.Optional(
    orNull(
      Type.Object({
        at: Ts,
        toward_degrees: Type.Number({ description: 'Direction of travel' }),
        speed_kmh: Type.Number(),
        points: Type.Array(position),
      }),
    ),
  ),
});

export const ZoneView = Type.Object({
  ugc: text,
  type: oneOf(ZONE_TYPES),
  name: maybeText,
  state: oneOf(STATES),
  partial: Type.Boolean(),
});

export const ReferenceView = Type.Object({
  id: text,
  sender: maybeText,
  sent: orNull(Ts),
  kind: oneOf(['reference', 'expired_reference']),
});

/** Members of every row; `detail=slim` answers only these. */
const slimMembers = {
  id: text,
  event: text,
  severity: oneOf(SEVERITIES),
  urgency: orNull(oneOf(URGENCIES)),
  certainty: orNull(oneOf(CERTAINTIES)),
  status: oneOf(CAP_STATUSES),
  message_type: orNull(oneOf(MESSAGE_TYPES)),
  headline: maybeText,
  area_desc: text,
  effective: orNull(Ts),
  onset: orNull(Ts),
  expires: orNull(Ts),
  sent: Ts,
  updated_at: Type.String({ format: 'date-time', description: 'Our last change to this row' }),
  location: Type.String({ description: 'At most 80 characters: first places, "+N more"' }),
  timestamp: Type.String({ format: 'date-time', description: '= sent' }),
  emoji: text,
  source: oneOf(SOURCES),
  event_id: text,
  event_ids: Type.Array(text),
  version: Type.Integer(),
  versions: Type.Integer(),
  state: oneOf(STATES),
  state_reason: oneOf(STATE_REASONS),
  is_active: Type.Boolean({ description: 'Issued and not over; upcoming counts as active' }),
  in_force_from: Ts,
  in_force_until: orNull(Ts),
  ends: orNull(Ts),
  ended_at: orNull(Ts),
  text_overdue: Type.Boolean({ description: '`expires` has passed while the event is active' }),
  test_suspected: Type.Boolean(),
  identity: oneOf(['vtec', 'inferred', 'weak']),
  upgraded_to: maybeText,
  upgraded_from: maybeText,
  superseded_by: maybeText,
  event_code: maybeText,
  family: text,
  category: text,
  response: maybeText,
  hazard_rank: Type.Integer({ minimum: 0, maximum: 1000 }),
  language: text,
  sender_name: text,
  office: maybeText,
  time_zones: Type.Array(text),
  ugc: Type.Array(text, { description: 'Still affected' }),
  same: Type.Array(text),
  states: Type.Array(text),
  geometry_source: oneOf(GEOMETRY_SOURCES),
  geometry_quality: oneOf(GEOMETRY_QUALITIES),
  geometry_missing: Type.Array(text),
  label_point: orNull(position),
  bbox: orNull(Type.Unsafe<[number, number, number, number]>({ type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 })),
  area_km2: orNull(Type.Number()),
  received_at: Ts,
  seen_delay_seconds: orNull(Type.Integer()),
  source_url: maybeText,
  sample: Type.Literal(false),
};

/** A row without the heavy members (about 0.6 KB). */
export const SlimAlert = Type.Object({ ...slimMembers, impact_tags: Type.Omit(ImpactTagsView, ['motion']) }, { $id: 'SlimAlert' });
export type SlimAlert = Static<typeof SlimAlert>;

/** One alert row: an event at its newest version (`view=events`), or one message (`view=messages`). */
export const Alert = Type.Object(
  {
    ...slimMembers,
    description: maybeText,
    instruction: maybeText,
    geometry: Geometry,
    vtec: Type.Array(VtecView),
    impact_tags: ImpactTagsView,
    wea: orNull(Type.Object({ handling: maybeText, text: maybeText })),
    references: Type.Array(ReferenceView),
    zones: Type.Array(ZoneView),
  },
  { $id: 'Alert' },
);
export type Alert = Static<typeof Alert>;

/** Alert as sent on the live feed. */
export const LiveAlert = Type.Object(
  { ...Alert.properties, areaDesc: text, geometry_omitted: Type.Optional(Type.Boolean()) },
  { $id: 'LiveAlert' },
);
export type LiveAlert = Static<typeof LiveAlert>;

export const KindView = oneOf(KINDS);

/** What changed between two versions. */
export const Diff = Type.Unsafe<DiffView>({
  type: 'object',
  description: 'Only what changed; {} is a plain re-issue',
  properties: {
    state: {},
    severity: {},
    urgency: {},
    certainty: {},
    hazard_rank: {},
    event: {},
    times: {},
    area: {},
    tags: {},
    geometry: {},
    text: {},
  },
});

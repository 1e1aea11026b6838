import { GEOMETRY_SOURCES, STATES } from '@nwms/domain';
import Type, { type Static } from 'typebox';
import { Geometry } from './alert.ts';
import { Entry, Warning } from './alerts.ts';
import { alertFilters } from './filters.ts';
import { Freshness } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, position, Ts } from './schema.ts';
import { Coverage, Insufficient, SEVERITY_COUNTS } from './trends-parts.ts';

export const PLAYBACK_RANGES = ['24h', '7d', '30d', 'all'] as const;
export const PLAYBACK_VIEWS = ['intervals', 'frames', 'entries'] as const;

const timelineMembers = {
  range: Type.Optional(oneOf(PLAYBACK_RANGES, { description: 'Up to now; default 24h. `all` begins with the first stored event' })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Instead of range: RFC 3339, or YYYY-MM-DD for that UTC midnight' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Default now; at most 366 days after from' })),
  view: Type.Optional(
    oneOf(PLAYBACK_VIEWS, {
      description:
        'intervals (one row per version and its reign), frames (what is active per instant), entries (the log); default intervals',
    }),
  ),
  frames: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 500,
      description: 'Equal steps, default 100: instants from + k·(to − from)/frames, k = 0 to frames',
    }),
  ),
  step_seconds: Type.Optional(Type.Integer({ minimum: 60, description: 'Instead of frames; must give at most 500 steps' })),
  known: Type.Optional(
    oneOf(['then', 'final'], { description: 'then: only what was received by each instant (default); final: by what is known today' }),
  ),
  ...alertFilters,
  geometry: Type.Optional(oneOf(['none', 'label', 'display'], { description: 'Default label: point and box; display: shapes, each once' })),
  order: Type.Optional(oneOf(['sent'], { description: 'Oldest first' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, description: 'Rows per page; default 1,000' })),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'next_cursor of the page before, same question' })),
  storm: Type.Optional(Type.String({ maxLength: 100, description: 'A test storm of your own instead of the record' })),
};

/** One version of one event and the time for which it was what was known. */
export const TimelineItem = Type.Object({
  i: Type.Integer({ description: 'Index in the whole answer' }),
  event_id: Type.String(),
  id: Type.String(),
  version: Type.Integer(),
  last_version: Type.Boolean({ description: 'No later version takes its place within the range' }),
  event: Type.String(),
  family: Type.String(),
  severity: Type.String(),
  hazard_rank: Type.Integer(),
  state_at_end: oneOf(STATES),
  headline: orNull(Type.String()),
  area_desc: Type.String(),
  sent: Ts,
  marker_at: Type.String({ format: 'date-time', description: 'Where a marker belongs on the time bar: sent' }),
  known_from: Type.String({ format: 'date-time', description: 'Received by us; imports: sent' }),
  known_until: orNull(Ts),
  shown_from: Type.String({ format: 'date-time', description: 'In force and known from here' }),
  shown_until: orNull(Type.String({ format: 'date-time', description: 'Exclusive; null = still in force at the end of the range' })),
  in_force_from: Ts,
  in_force_until: orNull(Ts),
  label_point: orNull(position),
  bbox: orNull(Type.Array(Type.Number())),
  shape_id: orNull(Type.String()),
  geometry_source: oneOf(GEOMETRY_SOURCES),
  office: orNull(Type.String()),
  simulated: Type.Boolean(),
  sample: Type.Literal(false),
});
export type TimelineItem = Static<typeof TimelineItem>;

export const TimelineFrame = Type.Object({
  k: Type.Integer(),
  at: Ts,
  active: orNull(Type.Array(Type.Integer(), { description: '`i` of the items in force; null in a gap of our record: unknown, not empty' })),
  counts: orNull(SEVERITY_COUNTS),
  gap: Type.Boolean({ description: 'Our record does not cover this instant' }),
});
export type TimelineFrame = Static<typeof TimelineFrame>;

/**
 * Everything in force within a range as it was known then: at every instant T the items with shown_from ≤ T < shown_until are what
 * `GET /alerts?at=T&lifecycle=in_force,expiring,unconfirmed` answers.
 */
export const Timeline = Type.Object({
  range: Type.Object({ from: Ts, to: Ts, all: Type.Boolean() }),
  view: oneOf(PLAYBACK_VIEWS),
  known: oneOf(['then', 'final']),
  total: Type.Integer({ description: 'Rows of the whole answer, this page’s among them' }),
  by_severity: SEVERITY_COUNTS,
  items: Type.Array(TimelineItem),
  frames: orNull(Type.Array(TimelineFrame)),
  entries: orNull(Type.Array(Entry)),
  shapes: orNull(Type.Record(Type.String(), Geometry)),
  sparkline: Type.Array(Type.Object({ at: Ts, active: orNull(Type.Integer({ description: 'null in a gap' })) }), {
    description: '100 points, always',
  }),
  truncated: Type.Boolean(),
  next_cursor: orNull(Type.String()),
  coverage: Coverage,
  insufficient: Type.Array(Insufficient),
  warnings: Type.Array(Warning),
  freshness: Freshness,
});
export type Timeline = Static<typeof Timeline>;

const timelineErrors = [
  'query.window_too_large',
  'query.cursor_invalid',
  'query.cursor_mismatch',
  'geo.invalid_shape',
  'playback.storm_not_found',
  'data.unavailable',
] as const;
const formats = ['application/json', 'application/x-ndjson'] as const;

export const playbackTimeline = route({
  method: 'POST',
  path: '/playback/timeline',
  access: 'public',
  cost: 2,
  area: 'playback',
  operation: 'playbackTimeline',
  summary: 'What was in force over a range, as known then (a read)',
  readOnly: true,
  body: Type.Object(timelineMembers, { additionalProperties: false }),
  reply: Timeline,
  formats,
  errors: timelineErrors,
});

export const playbackTimelineByLink = route({
  method: 'GET',
  path: '/playback/timeline',
  access: 'public',
  cost: 2,
  area: 'playback',
  operation: 'playbackTimelineByLink',
  summary: 'The same as a link',
  query: Type.Object(timelineMembers),
  reply: Timeline,
  formats,
  errors: timelineErrors,
});

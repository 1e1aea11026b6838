import Type, { type Static } from 'typebox';
import { FEEDS, FRESHNESS_REASONS } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

const status = oneOf(['ok', 'degraded', 'down', 'unknown']);
export const Health = Type.Object({
  status: oneOf(['healthy', 'degraded', 'unhealthy']),
  response_time_ms: Type.Number(),
  timestamp: Ts,
  checks: Type.Object({
    data_freshness: Type.Object({
      status: oneOf(['ok', 'stale', 'unknown']),
      active_alerts: orNull(Type.Integer()),
      in_force: orNull(Type.Integer()),
      by_severity: orNull(
        Type.Object({
          Extreme: Type.Integer(),
          Severe: Type.Integer(),
          Moderate: Type.Integer(),
          Minor: Type.Integer(),
          Unknown: Type.Integer(),
        }),
      ),
      data_as_of: orNull(Ts),
      upstream_age_seconds: orNull(Type.Integer()),
      feed: oneOf(FEEDS),
      simulated: Type.Boolean(),
      reason: orNull(oneOf(FRESHNESS_REASONS)),
    }),
    database: Type.Object({ status, latency_ms: orNull(Type.Number()) }),
    live: Type.Object({ status, connections: Type.Integer() }),
    jobs: Type.Object({ status }),
  }),
  metrics: Type.Object({
    requests_today: orNull(Type.Integer()),
    requests_per_minute: orNull(Type.Number()),
    avg_response_time_ms: orNull(Type.Number()),
    users_online: orNull(Type.Integer()),
  }),
  admin: Type.Optional(
    Type.Object(
      {
        version: Type.String(),
        node: Type.String({ description: 'Version of Node.js' }),
        database: oneOf(['sqlite', 'postgres']),
        running_seconds: Type.Integer(),
        memory: Type.Object({ rss_bytes: Type.Integer(), heap_used_bytes: Type.Integer() }),
        event_loop_delay_p99_ms: Type.Number(),
        log_seq: Type.Integer({ description: 'Newest number of the event log' }),
        live_connections: Type.Integer(),
        quarantined_24h: Type.Integer(),
        polls_24h: Type.Object({ ok: Type.Integer(), unchanged: Type.Integer(), failed: Type.Integer() }),
      },
      { description: 'Only to administrators who are signed in' },
    ),
  ),
  uptime: Type.Object({ percent: orNull(Type.Number()), window_days: Type.Number(), since: orNull(Ts) }),
});
export type Health = Static<typeof Health>;

export const getHealth = route({
  method: 'GET',
  path: '/health',
  root: 'also',
  access: 'open',
  area: 'health',
  operation: 'getHealth',
  summary: 'State of the service and of its data',
  reply: Health,
});
export const getReady = route({
  method: 'GET',
  path: '/health/ready',
  root: 'also',
  access: 'open',
  area: 'health',
  operation: 'getReady',
  summary: 'Ready to answer',
  description:
    '503 while this process could not answer with a list of alerts yet, for 30 s after its start at most, and from the moment it stops. It does not fall when the weather service is away: what was loaded is served and marked.',
  reply: Type.Object({ ready: Type.Boolean(), waiting_for: Type.Optional(Type.Array(Type.String())) }),
});
export const getLive = route({
  method: 'GET',
  path: '/health/live',
  root: 'also',
  access: 'open',
  area: 'health',
  operation: 'getLive',
  summary: 'The process turns',
  reply: Type.Object({ live: Type.Literal(true) }),
});
export const UpstreamHealth = Type.Object({
  feed: oneOf(FEEDS),
  polls_24h: Type.Object({ ok: Type.Integer(), unchanged: Type.Integer(), failed: Type.Integer() }),
  last_change_at: orNull(Ts),
  gaps: Type.Array(Type.Object({ from: Ts, to: orNull(Ts), cause: Type.String(), backfilled: Type.Boolean() })),
  past_week: orNull(
    Type.Object(
      { from: Ts, reached: Ts, until: Ts, share: Type.Number({ minimum: 0, maximum: 1 }), done: Type.Boolean() },
      { description: 'How far the week before the first start has been read from upstream, oldest first; null when that was never due' },
    ),
  ),
  seen_delay_seconds: Type.Object({
    p50: orNull(Type.Number()),
    p90: orNull(Type.Number()),
    p99: orNull(Type.Number()),
    n: Type.Integer(),
  }),
  quarantined_24h: Type.Integer(),
});
export type UpstreamHealth = Static<typeof UpstreamHealth>;
export const getUpstreamHealth = route({
  method: 'GET',
  path: '/health/upstream',
  access: 'open',
  area: 'health',
  operation: 'getUpstreamHealth',
  summary: 'Public record of polls, gaps and delays behind "none as of T"',
  reply: UpstreamHealth,
});

import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';
import {
  average,
  count,
  countryCode,
  csvFormat,
  day,
  daysQuery,
  DEVICE_TYPES,
  endpointName,
  guarded,
  LIST_FORMATS,
  method,
  overDays,
  percent,
  percentile,
  PRINCIPAL_KINDS,
  recorded,
  text,
  UsageEstimates,
} from './usage-parts.ts';

export { DEVICE_TYPES, PRINCIPAL_KINDS } from './usage-parts.ts';

const access = 'admin';
const area = 'usage';
const share = Type.Number({ description: 'Percent of total_requests, 2 decimals' });
const totals = {
  total_requests: count('Counted requests: finished, below /api/v1; docs/analytics.md says which'),
  unique_ips: count('Distinct addresses (IPv6 by /64), by keyed hash'),
  avg_response_time_ms: average,
  error_rate_percent: percent,
};

const byPrincipal = Type.Object({ anonymous: count('Requests'), key: count('Requests'), session: count('Requests') });

export const UsageOverview = overDays({
  ...totals,
  server_error_rate_percent: percent,
  top_endpoints: Type.Array(Type.Object({ endpoint: endpointName, method, requests: count('Requests'), percent: share }), { maxItems: 10 }),
  daily_trends: Type.Array(
    Type.Object({
      date: day,
      requests: recorded('Requests'),
      by_principal: orNull(byPrincipal),
      avg_response_time_ms: average,
      error_rate_percent: percent,
      unique_ips: recorded('Distinct addresses of that day'),
    }),
    { description: 'Exactly days_back rows, oldest first' },
  ),
  hourly_trends: Type.Array(Type.Object({ hour: Ts, requests: recorded('Requests'), avg_response_time_ms: average }), {
    description: 'The last 24 hours, 24 rows, the running hour last',
  }),
  by_principal: byPrincipal,
  previous: orNull(Type.Object(totals, { description: 'As long just before, cut at the same time of day; null when not fully recorded' })),
  growth_percent: orNull(Type.Number({ description: 'Of total_requests against previous, 1 decimal' })),
  estimates: UsageEstimates,
});
export type UsageOverview = Static<typeof UsageOverview>;
export const usageOverview = route({
  method: 'GET',
  path: '/analytics/overview',
  access,
  area,
  operation: 'usageOverview',
  summary: 'Requests, callers, times and errors at a glance',
  query: Type.Object(daysQuery),
  reply: UsageOverview,
  errors: guarded,
});

export const UsageEndpoint = Type.Object({
  endpoint: endpointName,
  method,
  total_requests: count('Requests'),
  avg_response_time_ms: average,
  p95_response_time_ms: percentile,
  error_rate_percent: percent,
  server_error_rate_percent: percent,
  unique_ips: count('Distinct addresses'),
  bytes: count('Written to the connections for these answers, headers included'),
  cache_hit_percent: orNull(Type.Number({ description: '304 ÷ GETs, percent, 2 decimals; null without GETs' })),
  last_seen: orNull(Ts),
});
export type UsageEndpoint = Static<typeof UsageEndpoint>;
export const ENDPOINT_ORDERS = [
  'total_requests',
  'avg_response_time_ms',
  'p95_response_time_ms',
  'error_rate_percent',
  'unique_ips',
  'bytes',
  'last_seen',
] as const;
const bothWays = <const N extends readonly string[]>(names: N) => [...names, ...names.map((name) => `-${name}` as const)];
export const usageEndpoints = route({
  method: 'GET',
  path: '/analytics/endpoints',
  access,
  area,
  operation: 'usageEndpoints',
  summary: 'Figures by route and method',
  description: 'A bare list; NWMS-Period and NWMS-Total-Count say of what.',
  query: Type.Object({
    ...daysQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 20' })),
    order_by: Type.Optional(oneOf(bothWays(ENDPOINT_ORDERS), { description: 'Default -total_requests' })),
    format: csvFormat,
  }),
  reply: Type.Array(UsageEndpoint),
  formats: LIST_FORMATS,
  errors: guarded,
});

export const UsagePerformance = overDays({
  avg_response_time_ms: average,
  p50_response_time_ms: percentile,
  p95_response_time_ms: percentile,
  p99_response_time_ms: percentile,
  max_response_time_ms: orNull(Type.Number({ description: '1 decimal' })),
  sample_count: count('Timed requests: all but streams'),
  low_sample: Type.Boolean({ description: 'Fewer than 100 timed requests: p99 is the largest (below 20 so is p95)' }),
  slowest_endpoints: Type.Array(
    Type.Object({
      endpoint: endpointName,
      method,
      avg_response_time_ms: average,
      p95_response_time_ms: percentile,
      request_count: count('Requests'),
    }),
    { maxItems: 20, description: 'By average; those with 5 requests or more, fewer only if nothing else' },
  ),
  hourly_performance: Type.Array(
    Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), avg_response_time_ms: average, request_count: recorded('Requests') }),
    { description: '24 rows, hour of day UTC over the window' },
  ),
  timeline: Type.Array(
    Type.Object({ start: Ts, avg_response_time_ms: average, p95_response_time_ms: percentile, request_count: recorded('Requests') }),
    { description: 'Hours for up to 7 days, else days' },
  ),
});
export type UsagePerformance = Static<typeof UsagePerformance>;
export const usagePerformance = route({
  method: 'GET',
  path: '/analytics/performance',
  access,
  area,
  operation: 'usagePerformance',
  summary: 'Response times: percentiles, slowest routes, hours of the day',
  query: Type.Object(daysQuery),
  reply: UsagePerformance,
  errors: guarded,
});

export const UsageErrors = overDays({
  total_errors: count('Answers with status 400 or more'),
  error_rate: percent,
  error_rate_percent: percent,
  error_trends: Type.Array(
    Type.Object({
      date: day,
      error_count: recorded('Status 400 or more'),
      error_rate_percent: percent,
      total_requests: recorded('Requests'),
      server_error_count: recorded('Status 500 or more'),
    }),
    { description: 'Exactly days_back rows, oldest first' },
  ),
  error_by_status: Type.Array(Type.Object({ status_code: Type.Integer(), count: count('Answers') }), { description: 'By count' }),
  error_by_code: Type.Array(Type.Object({ error: Type.String({ description: 'Stable error code' }), count: count('Answers') })),
  error_by_endpoint: Type.Array(
    Type.Object({
      endpoint: endpointName,
      method,
      error_count: count('Answers'),
      error_rate_percent: percent,
      avg_response_time_ms: orNull(Type.Number({ description: 'Of the failing requests' })),
    }),
    { maxItems: 50 },
  ),
});
export type UsageErrors = Static<typeof UsageErrors>;
export const usageErrors = route({
  method: 'GET',
  path: '/analytics/errors',
  access,
  area,
  operation: 'usageErrors',
  summary: 'What failed: by day, status, code and route',
  query: Type.Object(daysQuery),
  reply: UsageErrors,
  errors: guarded,
});

const SERVED = 'Alert objects in 200 answers; a 304 adds none';
const GEOGRAPHIC = 'Below status 400: near, within, and alert or playback calls with bbox, polygon, lat or ugc';
const TIME_FILTERED = 'Below status 400: with at, from, to, in_force_at or updated_since';
const counter = (what: string) => orNull(count(`${what}; null where nothing counts them`));
export const UsageBusiness = overDays({
  total_alerts_served: count(SERVED),
  geographic_queries: count(GEOGRAPHIC),
  time_filtered_queries: count(TIME_FILTERED),
  alerts_streamed: counter('Log entries written to live connections'),
  tiles_served: counter('Map tiles'),
  push_sent: counter('Push messages'),
  webhooks_delivered: counter('Webhook deliveries'),
  ai_answers: counter('Answers of AI routes'),
  daily: Type.Array(
    Type.Object({
      date: day,
      alerts_served: recorded(SERVED),
      geographic_queries: recorded(GEOGRAPHIC),
      time_filtered_queries: recorded(TIME_FILTERED),
    }),
    { description: 'Exactly days_back rows, oldest first' },
  ),
});
export type UsageBusiness = Static<typeof UsageBusiness>;
export const usageBusinessMetrics = route({
  method: 'GET',
  path: '/analytics/business-metrics',
  access,
  area,
  operation: 'usageBusinessMetrics',
  summary: 'What callers got: alerts, questions about places and times, deliveries',
  query: Type.Object(daysQuery),
  reply: UsageBusiness,
  errors: guarded,
});

export const UsageRequest = Type.Object({
  at: Ts,
  endpoint: endpointName,
  method,
  status: Type.Integer(),
  error: orNull(Type.String()),
  duration_ms: orNull(Type.Number({ description: 'null for streams' })),
  bytes: Type.Integer(),
  principal: oneOf(PRINCIPAL_KINDS),
  key_id: orNull(Type.String()),
  user_id: orNull(Type.String()),
  visitor: Type.String({ description: 'As `id` of /analytics/users/detailed' }),
  country_code: countryCode,
  region: orNull(Type.String()),
  city: orNull(Type.String()),
  browser: orNull(Type.String()),
  os: orNull(Type.String()),
  device_type: oneOf(DEVICE_TYPES),
  agent: orNull(Type.String({ description: 'Name of the crawler or program' })),
  cache: oneOf(['not_modified', 'ready', 'none'], { description: 'ready = bytes that lay ready' }),
  alerts_served: Type.Integer(),
  geographic: Type.Boolean(),
  time_filtered: Type.Boolean(),
  cost: Type.Integer({ description: 'Quota units' }),
  request_id: Type.String(),
});
export type UsageRequest = Static<typeof UsageRequest>;
export const UsageRequests = Type.Object({
  requests: Type.Array(UsageRequest, { description: 'Newest first, without addresses' }),
  next_cursor: orNull(Type.String()),
});
export type UsageRequests = Static<typeof UsageRequests>;
export const usageRequests = route({
  method: 'GET',
  path: '/analytics/requests',
  access,
  area,
  operation: 'usageRequests',
  summary: 'Single requests of the last 90 days, newest first; reading is audited',
  description: 'format=csv without limit and cursor is a file of all that match, 100,000 at most (query.window_too_large beyond).',
  query: Type.Object({
    from: text('At or after (RFC 3339, or YYYY-MM-DD for that UTC midnight)', 40),
    to: text('Before', 40),
    endpoint: text('Route template'),
    method: text('GET, POST, ...', 10),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    error: text('Stable error code', 60),
    key_id: text('Of the API key', 60),
    user_id: text('Of the account', 60),
    visitor: text('As `id` of /analytics/users/detailed', 60),
    country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two letters' })),
    min_ms: Type.Optional(Type.Number({ minimum: 0, description: 'Took at least this long' })),
    principal: daysQuery.principal,
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'Default 100; CSV without limit and cursor has every row' }),
    ),
    format: csvFormat,
  }),
  reply: UsageRequests,
  formats: LIST_FORMATS,
  errors: [...guarded, 'query.cursor_invalid', 'query.cursor_mismatch', 'query.window_too_large'],
});

export const UsageGeographic = overDays({
  country_stats: Type.Array(
    Type.Object({
      country: Type.String({ description: 'English name; Unknown for addresses that are private or in no list' }),
      country_code: countryCode,
      requests: count('Requests'),
      unique_ips: count('Distinct addresses'),
      percent: share,
    }),
    { description: 'All, by requests' },
  ),
  city_stats: Type.Array(
    Type.Object({
      city: Type.String(),
      region: orNull(Type.String()),
      country_code: countryCode,
      requests: count('Requests'),
      percent: share,
    }),
    { maxItems: 50, description: 'Requests without a city are not guessed' },
  ),
  located_percent: orNull(Type.Number({ description: 'Share of requests with a country, percent, 2 decimals' })),
  total_requests: count('Requests'),
  attribution: orNull(Type.String({ description: 'To be shown beside the figures, with a link to attribution_url' })),
  attribution_url: orNull(Type.String()),
});
export type UsageGeographic = Static<typeof UsageGeographic>;
export const usageGeographic = route({
  method: 'GET',
  path: '/analytics/geographic',
  access,
  area,
  operation: 'usageGeographic',
  summary: 'Where requests come from',
  query: Type.Object(daysQuery),
  reply: UsageGeographic,
  errors: guarded,
});

const browsers = Type.Array(Type.Object({ browser: Type.String(), requests: count('Requests') }), {
  maxItems: 20,
  description: 'Of desktop and mobile requests',
});
const devices = Type.Array(Type.Object({ device_type: oneOf(DEVICE_TYPES), requests: count('Requests') }), {
  description: 'All five kinds',
});
export const UsageAgents = overDays({
  desktop_requests: count('Browsers on computers'),
  mobile_requests: count('Browsers on phones and tablets'),
  bot_requests: count('Crawlers'),
  client_requests: count('Programs: HTTP libraries, tools, SDKs'),
  unknown_requests: count('Neither, or no User-Agent'),
  total_requests: count('Sum of the five'),
  device_stats: devices,
  devices,
  browser_stats: browsers,
  browsers,
  os: Type.Array(Type.Object({ os: Type.String(), requests: count('Of desktop and mobile requests') })),
  bots: Type.Array(Type.Object({ name: Type.String(), requests: count('Requests') })),
  clients: Type.Array(Type.Object({ name: Type.String(), requests: count('Requests') })),
});
export type UsageAgents = Static<typeof UsageAgents>;
export const usageUserAgents = route({
  method: 'GET',
  path: '/analytics/user-agents',
  access,
  area,
  operation: 'usageUserAgents',
  summary: 'Devices, browsers, systems, crawlers and programs',
  query: Type.Object(daysQuery),
  reply: UsageAgents,
  errors: guarded,
});

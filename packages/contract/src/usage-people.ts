import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';
import {
  average,
  count,
  countryCode,
  csvFormat,
  daysQuery,
  DEVICE_TYPES,
  endpointName,
  guarded,
  INSIGHT_SEVERITIES,
  LIST_FORMATS,
  minutesQuery,
  overDays,
  overMinutes,
  percent,
  recorded,
  UsageEstimates,
  USER_TYPES,
} from './usage-parts.ts';

const access = 'admin';
const area = 'usage';

export const UsageRealtime = overMinutes({
  active_ips_last_5min: count('Distinct addresses of the last 300 s, at all processes'),
  requests_per_minute: Type.Array(
    Type.Object({
      timestamp: Ts,
      requests: recorded('Requests'),
      avg_response_time_ms: average,
      error_count: recorded('Status 400 or more'),
      error_rate_percent: percent,
      partial: Type.Boolean({ description: 'The running minute' }),
    }),
    { description: 'Exactly minutes_back rows, oldest first' },
  ),
  current_requests: count('Finished in the last 60 s, at all processes'),
  in_flight: count('Being answered by this process, whoever asks'),
  active_users: count('Distinct accounts (signed in or by key) of the last 300 s, at all processes'),
  live_connections: Type.Object({ websocket: count('Open at this process, whoever reads'), sse: count('The same for event streams') }),
  top_endpoints: Type.Array(Type.Object({ endpoint: endpointName, requests: count('Requests, all methods') }), { maxItems: 10 }),
  country_stats: Type.Array(
    Type.Object({
      country: Type.String(),
      country_code: countryCode,
      requests: count('Requests'),
      unique_ips: count('Distinct addresses'),
    }),
    { maxItems: 10 },
  ),
  totals: Type.Object({
    requests: count('Sum of the rows'),
    avg_response_time_ms: average,
    error_rate_percent: percent,
    unique_ips: count('Distinct addresses'),
  }),
  timestamp: Ts,
  estimates: UsageEstimates,
});
export type UsageRealtime = Static<typeof UsageRealtime>;
export const usageRealtime = route({
  method: 'GET',
  path: '/analytics/realtime',
  access,
  area,
  operation: 'usageRealtime',
  summary: 'The last minutes, from memory',
  query: Type.Object(minutesQuery),
  reply: UsageRealtime,
  errors: guarded,
});

export const UsageUsers = overDays({
  total_users: count('Visitors: accounts, else address + browser + system'),
  new_users: count('Without an earlier request that is kept'),
  returning_users: count('The others'),
  desktop_users: count('By their most frequent device'),
  mobile_users: count('The same'),
  bot_users: count('The same'),
  client_users: count('The same'),
  user_types: Type.Array(Type.Object({ type: oneOf(USER_TYPES), count: count('Visitors') }), {
    description: 'All five; their sum is total_users',
  }),
  total_sessions: count('Visits: requests of a visitor less than 30 minutes apart'),
  avg_session_seconds: orNull(Type.Number({ description: 'First to last request of a visit, 1 decimal' })),
  avg_requests_per_user: orNull(Type.Number({ description: '1 decimal' })),
  registered_users_active: count('Accounts among them'),
});
export type UsageUsers = Static<typeof UsageUsers>;
export const usageUsersOverview = route({
  method: 'GET',
  path: '/analytics/users/overview',
  access,
  area,
  operation: 'usageUsersOverview',
  summary: 'Visitors: how many, which kinds, how long',
  query: Type.Object(daysQuery),
  reply: UsageUsers,
  errors: guarded,
});

export const UsageUser = Type.Object({
  id: Type.String({ description: '`usr_...` for accounts, else `vis_...`, which changes every 90 days' }),
  username: orNull(Type.String()),
  primary_browser: orNull(Type.String({ description: 'Most frequent; of a tie the one seen last' })),
  primary_os: orNull(Type.String()),
  primary_device_type: oneOf(DEVICE_TYPES),
  user_type: oneOf(USER_TYPES),
  city: orNull(Type.String({ description: 'Of the most frequent place' })),
  region: orNull(Type.String()),
  country: orNull(Type.String()),
  total_requests: count('Requests'),
  total_sessions: count('Visits'),
  most_used_endpoint: orNull(endpointName),
  endpoint_diversity_score: Type.Number({ description: 'Route templates used ÷ served, 0 to 1, 4 decimals' }),
  avg_response_time_ms: average,
  error_rate_percent: percent,
  is_bot_user: Type.Boolean(),
  has_api_key: Type.Boolean({ description: 'Used an API key in the window' }),
  first_seen: Ts,
  last_seen: Ts,
  requests_per_day: Type.Number({ description: 'Requests ÷ days of the window, 2 decimals' }),
});
export type UsageUser = Static<typeof UsageUser>;
export const USER_ORDERS = ['total_requests', 'total_sessions', 'avg_response_time_ms', 'error_rate_percent', 'last_seen'] as const;
const orders = [...USER_ORDERS, ...USER_ORDERS.map((name) => `-${name}` as const)];
export const usageUsersDetailed = route({
  method: 'GET',
  path: '/analytics/users/detailed',
  access,
  area,
  operation: 'usageUsersDetailed',
  summary: 'Visitors one by one',
  description: 'A bare list; NWMS-Period and NWMS-Total-Count say of what.',
  query: Type.Object({
    ...daysQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 10' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Default 0' })),
    user_type: Type.Optional(oneOf(USER_TYPES)),
    order_by: Type.Optional(oneOf(orders, { description: 'Default -total_requests' })),
    format: csvFormat,
  }),
  reply: Type.Array(UsageUser),
  formats: LIST_FORMATS,
  errors: guarded,
});

const evidence = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), { description: 'The figures the text is made of' });
const component = orNull(Type.Number({ minimum: 0, maximum: 1 }));
const interval = orNull(Type.Object({ low: Type.Integer(), high: Type.Integer(), level: Type.Number({ description: '0.8' }) }));
export const UsageInsights = overDays({
  system_insights: Type.Object({
    system_health_score: orNull(Type.Integer({ minimum: 0, maximum: 100, description: 'Of the last 24 hours; docs/analytics.md' })),
    health_components: Type.Object({ availability: component, latency: component, freshness: component, dependencies: component }),
    peak_hour: orNull(Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of day (UTC) with the most requests on average' })),
    peak_hour_requests: orNull(Type.Number({ description: 'Mean per hour, 1 decimal' })),
    lowest_hour: orNull(Type.Integer({ minimum: 0, maximum: 23 })),
    total_requests: count('Requests'),
    unique_users: count('Distinct visitors'),
    busiest_endpoint: orNull(Type.String({ description: 'Method and route' })),
    slowest_endpoint: orNull(Type.String({ description: 'Of those with 10 requests or more' })),
    error_prone_endpoint: orNull(Type.String({ description: 'The same' })),
    daily_growth_rate: orNull(Type.Number({ description: 'Percent per day, 2 decimals' })),
    avg_requests_per_user: orNull(Type.Number({ description: '1 decimal' })),
    power_users_count: count('Visitors of type power_user'),
  }),
  recommendations: Type.Array(
    Type.Object({
      id: Type.String(),
      priority: oneOf(['high', 'medium', 'low']),
      category: Type.String(),
      title: Type.String(),
      description: Type.String(),
      impact: Type.String(),
      evidence,
    }),
    { maxItems: 10, description: 'Empty when no rule holds' },
  ),
  alerts: Type.Array(Type.Object({ id: Type.String(), severity: oneOf(INSIGHT_SEVERITIES), message: Type.String(), since: Ts, evidence }), {
    description: 'Open now; each ends 10 minutes after its condition did',
  }),
  predictions: Type.Object({
    next_week_requests: orNull(Type.Integer()),
    next_month_requests: orNull(Type.Integer({ description: '30 days' })),
    growth_trend: orNull(oneOf(['rapid', 'steady', 'stable', 'declining'])),
    intervals: Type.Object({ next_week: interval, next_month: interval }),
    daily: Type.Array(
      Type.Object({ date: Type.String(), expected: Type.Integer(), low: orNull(Type.Integer()), high: orNull(Type.Integer()) }),
      { description: 'From tomorrow; empty where there is no forecast' },
    ),
    method: Type.Literal('seasonal-damped-v1'),
    basis_days: Type.Integer({ description: 'Complete days the forecast rests on' }),
  }),
  confidence_score: orNull(
    Type.Number({ minimum: 0, maximum: 1, description: '1 − mean relative error of earlier forecasts, 2 decimals' }),
  ),
});
export type UsageInsights = Static<typeof UsageInsights>;
export const usageInsights = route({
  method: 'GET',
  path: '/analytics/intelligence/insights',
  access,
  area,
  operation: 'usageInsights',
  summary: 'Health score, advice, alerts and forecasts by fixed rules',
  query: Type.Object(daysQuery),
  reply: UsageInsights,
  errors: guarded,
});

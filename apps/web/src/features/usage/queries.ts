import type { alerts, health, usage, usagePeople } from '@nwms/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { DEFAULT_DAYS, DEFAULT_MINUTES, type Principal, type RequestFilter, type UsageSearch } from './usage-search.ts';

const LINES = {
  overview: line<typeof usage.usageOverview>('GET', '/analytics/overview'),
  endpoints: line<typeof usage.usageEndpoints>('GET', '/analytics/endpoints'),
  performance: line<typeof usage.usagePerformance>('GET', '/analytics/performance'),
  errors: line<typeof usage.usageErrors>('GET', '/analytics/errors'),
  business: line<typeof usage.usageBusinessMetrics>('GET', '/analytics/business-metrics'),
  requests: line<typeof usage.usageRequests>('GET', '/analytics/requests'),
  geographic: line<typeof usage.usageGeographic>('GET', '/analytics/geographic'),
  agents: line<typeof usage.usageUserAgents>('GET', '/analytics/user-agents'),
  realtime: line<typeof usagePeople.usageRealtime>('GET', '/analytics/realtime'),
  health: line<typeof health.getHealth>('GET', '/health'),
  alertStats: line<typeof alerts.alertStats>('GET', '/alerts/stats'),
} as const;

export const windowOf = ({ days = DEFAULT_DAYS, principal }: UsageSearch) => ({ days_back: days, ...(principal ? { principal } : {}) });
/** Another period keeps what is shown until its own answer is there. */
const shared = { placeholderData: keepPreviousData } as const;

// NET-12, R-40: how often each is asked stands in one table (api/intervals.ts).

export const overviewOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'overview', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.overview, { query: windowOf(search), signal }),
    ...byPolicy('analyticsOverview', services),
    ...shared,
  });

export const endpointsOf = (services: Services, search: UsageSearch, limit: number) =>
  queryOptions({
    queryKey: ['usage', 'endpoints', windowOf(search), limit],
    queryFn: ({ signal }) => services.api.call(LINES.endpoints, { query: { ...windowOf(search), limit }, signal }),
    ...byPolicy('endpoints', services),
    ...shared,
  });

export const performanceOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'performance', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.performance, { query: windowOf(search), signal }),
    ...byPolicy('performance', services),
    ...shared,
  });

export const errorsOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'errors', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.errors, { query: windowOf(search), signal }),
    ...byPolicy('errors', services),
    ...shared,
  });

export const businessOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'business', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.business, { query: windowOf(search), signal }),
    ...byPolicy('business', services),
    ...shared,
  });

export const geographicOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'geographic', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.geographic, { query: windowOf(search), signal }),
    ...byPolicy('geographic', services),
    ...shared,
  });

export const agentsOf = (services: Services, search: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'agents', windowOf(search)],
    queryFn: ({ signal }) => services.api.call(LINES.agents, { query: windowOf(search), signal }),
    ...byPolicy('userAgents', services),
    ...shared,
  });

/** RTIM-02: every 10 s, unless switched off. */
export const realtimeOf = (services: Services, { minutes = DEFAULT_MINUTES, principal, auto }: UsageSearch) =>
  queryOptions({
    queryKey: ['usage', 'realtime', minutes, principal ?? null],
    queryFn: ({ signal }) =>
      services.api.call(LINES.realtime, { query: { minutes_back: minutes, ...(principal ? { principal } : {}) }, signal }),
    ...byPolicy('realtime', services, auto !== 'off'),
    // NET-15: whoever calls this with what is no window asks nothing.
    enabled: minutes > 0,
    ...shared,
  });

/** The same question as the badge in the bar asks; one answer for both. */
export const healthOf = (services: Services) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => services.api.call(LINES.health, { signal }),
    ...byPolicy('health', services),
  });

export const alertStatsOf = (services: Services) =>
  queryOptions({
    queryKey: ['usage', 'alert-stats'],
    queryFn: ({ signal }) => services.api.call(LINES.alertStats, { query: { active_only: true }, signal }),
    ...byPolicy('alertStats', services),
  });

/** The filter as the server takes it, with the stretch of time and whose requests. */
export type RequestsAsked = Omit<RequestFilter, 'minute'> & { from: string; to?: string; principal?: Principal };

/** Single requests of the period, newest first, page after page. Reading them is audited, so they are not asked again by themselves. */
export const requestsOf = (services: Services, asked: RequestsAsked) =>
  infiniteQueryOptions({
    queryKey: ['usage', 'requests', asked],
    queryFn: ({ pageParam, signal }) =>
      services.api.call(LINES.requests, { query: { ...asked, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...byPolicy('analytics', services),
  });

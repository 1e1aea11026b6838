import type { admin, usagePeople } from '@nwms/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { line } from '../../../api/line.ts';
import { byPolicy } from '../../../api/query-client.ts';
import { type Services, useServices } from '../../../api/services.ts';
import { errorsOf, overviewOf, performanceOf, realtimeOf } from '../queries.ts';

const LINES = {
  users: line<typeof usagePeople.usageUsersOverview>('GET', '/analytics/users/overview'),
  people: line<typeof usagePeople.usageUsersDetailed>('GET', '/analytics/users/detailed'),
  insights: line<typeof usagePeople.usageInsights>('GET', '/analytics/intelligence/insights'),
  accounts: line<typeof admin.getDashboard>('GET', '/auth/admin/dashboard'),
  limits: line<typeof admin.getUsageLimits>('GET', '/auth/admin/usage/limits'),
} as const;
/** MON-02: rows of the detailed activity. */
export const PEOPLE = 10;

const accountsOf = (services: Services) =>
  queryOptions({
    queryKey: ['usage', 'accounts'],
    queryFn: ({ signal }) => services.api.call(LINES.accounts, { signal }),
    ...byPolicy('monitoring', services),
  });
/** Accounts per page of their limits. */
export const LIMIT_ROWS = 50;
export const limitsOf = (services: Services, page: number) =>
  queryOptions({
    queryKey: ['usage', 'limits', page],
    queryFn: ({ signal }) => services.api.call(LINES.limits, { query: { limit: LIMIT_ROWS, offset: (page - 1) * LIMIT_ROWS }, signal }),
    ...byPolicy('monitoring', services),
    placeholderData: keepPreviousData,
  });
const usersOf = (services: Services) =>
  queryOptions({
    queryKey: ['usage', 'users'],
    queryFn: ({ signal }) => services.api.call(LINES.users, { signal }),
    ...byPolicy('monitoring', services),
  });
const peopleOf = (services: Services) =>
  queryOptions({
    queryKey: ['usage', 'people', PEOPLE],
    queryFn: ({ signal }) => services.api.call(LINES.people, { query: { limit: PEOPLE }, signal }),
    ...byPolicy('monitoring', services),
  });
const insightsOf = (services: Services) =>
  queryOptions({
    queryKey: ['usage', 'insights'],
    queryFn: ({ signal }) => services.api.call(LINES.insights, { signal }),
    ...byPolicy('monitoring', services),
  });

/** MON-01, MON-02: nine questions side by side, every 30 s, each of which may fail alone. */
export function useMonitoring() {
  const services = useServices();
  const often = byPolicy('monitoring', services);
  return {
    accounts: useQuery(accountsOf(services)),
    // The accounts nearest to their limits; the table asks for the page that is open.
    limits: useQuery(limitsOf(services, 1)),
    performance: useQuery({ ...performanceOf(services, {}), ...often }),
    errors: useQuery({ ...errorsOf(services, {}), ...often }),
    realtime: useQuery({ ...realtimeOf(services, {}), ...often }),
    overview: useQuery({ ...overviewOf(services, {}), ...often }),
    users: useQuery(usersOf(services)),
    people: useQuery(peopleOf(services)),
    insights: useQuery(insightsOf(services)),
  };
}
export type Monitoring = ReturnType<typeof useMonitoring>;

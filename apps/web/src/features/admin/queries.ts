import type { admin, AdminUser, settings } from '@nwms/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../../api/call.ts';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { etagOf } from '../../lib/etag.ts';
import type { ConnectionCalls } from './connection-test.ts';
import type { LimitDefaults } from './user-draft.ts';
import { type UsersSearch, usersQuery } from './users-search.ts';

const dashboard = line<typeof admin.getDashboard>('GET', '/auth/admin/dashboard');
const list = line<typeof admin.listUsers>('GET', '/auth/admin/users');
const read = line<typeof admin.getUser>('GET', '/auth/admin/users/{id}');
const create = line<typeof admin.createUser>('POST', '/auth/admin/users');
const update = line<typeof admin.updateUser>('PUT', '/auth/admin/users/{id}');
const remove = line<typeof admin.deleteUser>('DELETE', '/auth/admin/users/{id}');
const unlock = line<typeof admin.unlockUser>('POST', '/auth/admin/users/{id}/unlock');
const endSessions = line<typeof admin.endUserSessions>('POST', '/auth/admin/users/{id}/end-sessions');
const status = line<typeof admin.getAdminStatus>('GET', '/auth/admin/status');
const settingsLine = line<typeof settings.getSettings>('GET', '/auth/admin/settings');

/** Everything the administration caches; dropped together after a change of an account. */
export const ADMIN_KEY = ['admin'] as const;

export const dashboardOf = (services: Services) =>
  queryOptions({
    queryKey: [...ADMIN_KEY, 'dashboard'],
    queryFn: ({ signal }) => services.api.call(dashboard, { signal }),
    ...byPolicy('admin', services),
  });

/** How the installation stands, in the words of the server. */
export const statusOf = (services: Services) =>
  queryOptions({
    queryKey: [...ADMIN_KEY, 'status'],
    queryFn: ({ signal }) => services.api.call(status, { signal }),
    ...byPolicy('admin', services),
  });

/** five newest accounts. */
export const RECENT_USERS = 5;
export const recentUsersOf = (services: Services) =>
  queryOptions({
    queryKey: [...ADMIN_KEY, 'users', 'recent'],
    queryFn: ({ signal }) => services.api.call(list, { query: { limit: RECENT_USERS }, signal }),
    ...byPolicy('admin', services),
  });

/** One page of accounts; the page before stays in sight while the next is asked for. */
export const usersOf = (services: Services, search: UsersSearch) =>
  queryOptions({
    queryKey: [...ADMIN_KEY, 'users', usersQuery(search)],
    queryFn: ({ signal }) => services.api.call(list, { query: usersQuery(search), signal }),
    ...byPolicy('admin', services),
    placeholderData: keepPreviousData,
  });

/** What a new account starts with. */
export const limitDefaultsOf = (services: Services) =>
  queryOptions({
    queryKey: ['settings', 'user-limits'],
    queryFn: async ({ signal }): Promise<LimitDefaults> => {
      const { system } = await services.api.call(settingsLine, { signal });
      return { perMinute: system.api_rate_limit_default, perDay: system.daily_limit_default, perMonth: system.monthly_limit_default };
    },
    ...byPolicy('admin', services),
  });

export const readUser = (api: Api, id: string) => api.call(read, { params: { id } });
export const createUser = (api: Api, body: admin.NewUser, idempotencyKey: string) => api.call(create, { body, idempotencyKey });
/** @throws ApiError `precondition.failed` when somebody saved since `user` was loaded. */
export const updateUser = (api: Api, user: AdminUser, body: admin.NewUser) =>
  api.call(update, { params: { id: user.id }, body, ifMatch: etagOf(user) });
export const deleteUser = (api: Api, id: string) => api.call(remove, { params: { id } });
export const unlockUser = (api: Api, id: string) => api.call(unlock, { params: { id } });
export const endSessionsOf = (api: Api, id: string) => api.call(endSessions, { params: { id } });

/** Plain fetch of `/health` at the root (ADMN-07), then the status as an administrator. */
export const connectionCallsOf = (api: Api): ConnectionCalls => ({
  async health() {
    const response = await fetch('/health', { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(15_000) });
    return { ok: response.ok, status: response.status, body: () => response.json() };
  },
  status: () => api.call(status, {}),
});

const EXPORT_PAGE = 100;
const EXPORT_MAX_OFFSET = 10_000;

export interface Exported {
  users: AdminUser[];
  /** How many match; more than `users` when the server pages no further. */
  total: number;
}

/** Every account that matches, oldest first so that new ones do not shift the pages. `onProgress` gets shares from 0 to 1. */
export async function exportUsers(
  api: Api,
  search: UsersSearch,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Exported> {
  const found = new Map<string, AdminUser>();
  let total = 0;
  for (let offset = 0; offset <= EXPORT_MAX_OFFSET; offset += EXPORT_PAGE) {
    const query = { ...usersQuery(search), offset, limit: EXPORT_PAGE, order_by: 'created_at' as const };
    // One after the other: an export is no reason to crowd out what people are looking at.
    const page = await api.call(list, { query, signal: options.signal });
    for (const user of page.users) found.set(user.id, user);
    total = page.total;
    options.onProgress(total === 0 ? 1 : Math.min(1, found.size / total));
    if (!page.has_more) break;
  }
  return { users: [...found.values()], total };
}

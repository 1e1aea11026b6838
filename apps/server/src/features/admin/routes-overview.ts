import { admin as contract, type Dashboard } from '@nwms/contract';
import type { Serve } from '../../platform/http/serve.ts';
import type { AdminDeps } from './types.ts';
import { usageLimits } from './usage-limits.ts';

const DAY_MS = 86_400_000;
const TOP = 5;
const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** The accounts with the most requests by their keys. */
async function topOf(users: AdminDeps['users'], totals: ReadonlyMap<string, number>): Promise<Dashboard['top_users_by_requests']> {
  const most = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, TOP);
  const accounts = await Promise.all(most.map(([id]) => users.find(id)));
  // One may have gone since it was counted.
  return most.flatMap(([id, count], at) => (accounts[at] ? [{ user_id: id, username: accounts[at].username, requests: count }] : []));
}

/** Figures of all accounts, and the connection test. */
export function registerOverviewRoutes(serve: Serve, deps: AdminDeps): void {
  const { clock, users, requests } = deps;

  serve(contract.getDashboard, async ({ reply }) => {
    reply.headers(PRIVATE);
    const now = clock.now();
    const [accounts, byPrincipal, active, totals] = await Promise.all([
      users.counts(now - 30 * DAY_MS),
      requests.today(),
      requests.activeSince(now - DAY_MS),
      requests.keyTotals(),
    ]);
    const keyRequests = [...totals.values()].reduce((sum, count) => sum + count, 0);
    return {
      total_users: accounts.total,
      active_users: accounts.active,
      admin_users: accounts.admins,
      users_created_last_30_days: accounts.createdSince,
      average_requests_per_user: accounts.total === 0 ? 0 : Math.round((10 * keyRequests) / accounts.total) / 10,
      total_api_requests_today: byPrincipal.anonymous + byPrincipal.key + byPrincipal.session,
      requests_today_by_principal: byPrincipal,
      top_users_by_requests: await topOf(users, totals),
      active_users_24h: active,
      generated_at: new Date(now).toISOString(),
    };
  });

  serve(contract.getAdminStatus, async ({ reply, principal }) => {
    reply.headers(PRIVATE);
    const { total } = await users.counts(clock.now());
    const trouble = deps.trouble();
    return {
      status: trouble === null ? 'ok' : 'degraded',
      message: trouble ?? 'Administration is reachable and the database answers.',
      current_admin: principal.account.username,
      total_users_in_db: total,
    } as const;
  });

  serve(contract.getUsageLimits, async ({ query, reply, principal }) => {
    reply.headers(PRIVATE);
    return usageLimits(deps, principal.account.id, query);
  });
}

import { admin as contract } from '@nwms/contract';
import type { Serve } from '../../platform/http/serve.ts';
import type { AdminDeps } from './types.ts';
import { usageLimits } from './usage-limits.ts';

const DAY_MS = 86_400_000;
const TOP = 5;
const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** Figures of all accounts, and the connection test. */
export function registerOverviewRoutes(serve: Serve, deps: AdminDeps): void {
  const { clock, users, counts } = deps;

  serve(contract.getDashboard, async ({ reply }) => {
    reply.headers(PRIVATE);
    const now = clock.now();
    const byPrincipal = await counts.today();
    const [accounts, keyRequests, active, top] = await Promise.all([
      users.counts(now - 30 * DAY_MS),
      counts.keyRequests(),
      counts.activeSince(now - DAY_MS),
      users.top(TOP),
    ]);
    return {
      total_users: accounts.total,
      active_users: accounts.active,
      admin_users: accounts.admins,
      users_created_last_30_days: accounts.createdSince,
      average_requests_per_user: accounts.total === 0 ? 0 : Math.round((10 * keyRequests) / accounts.total) / 10,
      total_api_requests_today: byPrincipal.anonymous + byPrincipal.key + byPrincipal.session,
      requests_today_by_principal: byPrincipal,
      top_users_by_requests: top.map(({ id, username, requests }) => ({ user_id: id, username, requests })),
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

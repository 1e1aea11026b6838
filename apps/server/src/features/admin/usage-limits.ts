import type { admin as contract, QueryOf, UsageLimits } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import type { UserRow } from '../auth/index.ts';
import type { AdminDeps } from './types.ts';

type UsageRow = UsageLimits['users'][number];

const DEFAULT_LIMIT = 100;
/** Accounts compared with each other; only those beyond, created first, are missing from the order. */
const MAX_COMPARED = 20_000;

/** Every account's limits beside what it used, nearest to a limit first. @throws AppError user.not_found: the caller was just deleted */
export async function usageLimits(deps: AdminDeps, callerId: string, query: QueryOf<typeof contract.getUsageLimits>): Promise<UsageLimits> {
  const { offset = 0, limit = DEFAULT_LIMIT, q } = query;
  const [caller, all] = await Promise.all([
    deps.users.find(callerId),
    deps.users.list({ ...(q === undefined ? {} : { q }), limit: MAX_COMPARED, offset: 0, orderBy: 'created_at', descending: true }),
  ]);
  if (!caller) throw new AppError('user.not_found', { public: 'Your account does not exist any more.' });
  const rows = (await usageOf(deps, all.users)).sort((a, b) => b.used_percent - a.used_percent || (a.user_id < b.user_id ? -1 : 1));
  const [own] = await usageOf(deps, [caller]);
  const page = rows.slice(offset, offset + limit);
  return {
    user_id: callerId,
    limits: limitsOf(caller),
    current_usage: own?.current_usage ?? { this_minute: 0, today: 0, this_month: 0 },
    users: page,
    total: all.total,
    limit,
    offset,
    has_more: offset + page.length < rows.length,
    generated_at: new Date(deps.clock.now()).toISOString(),
  };
}

async function usageOf(deps: AdminDeps, users: readonly UserRow[]): Promise<UsageRow[]> {
  const units = await deps.unitsOf(users.map((user) => user.id));
  return users.map((user) => {
    const used = units.get(user.id);
    const usage = { this_minute: used?.keys.minute ?? 0, today: used?.keys.day ?? 0, this_month: used?.keys.month ?? 0 };
    const limits = limitsOf(user);
    const share = Math.max(usage.this_minute / limits.per_minute, usage.today / limits.per_day, usage.this_month / limits.per_month);
    return {
      user_id: user.id,
      username: user.username,
      is_active: user.isActive,
      limits,
      current_usage: usage,
      web_usage: { this_minute: used?.sessions.minute ?? 0, today: used?.sessions.day ?? 0 },
      used_percent: Math.round(1_000 * share) / 10,
      refused_today: (used?.keys.refusedToday ?? 0) + (used?.sessions.refusedToday ?? 0),
    };
  });
}

const limitsOf = ({ limits }: UserRow) => ({ per_minute: limits.perMinute, per_day: limits.perDay, per_month: limits.perMonth });

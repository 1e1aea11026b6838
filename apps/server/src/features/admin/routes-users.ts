import { admin as contract, type AdminUser } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { versionTag } from '../../platform/http/if-match.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { UserFilter, UserRow } from '../auth/index.ts';
import type { AdminDeps } from './types.ts';
import { createUser, deleteUser, entryOf, locationOf, updateUser } from './users.ts';

const PRIVATE = { 'Cache-Control': 'private, no-store' };
const DEFAULT_LIMIT = 25;

export function registerUserRoutes(serve: Serve, deps: AdminDeps): void {
  const { users } = deps;

  serve(contract.listUsers, async ({ query, reply }) => {
    reply.headers(PRIVATE);
    const { limit = DEFAULT_LIMIT, offset = 0, order_by: order = '-created_at' } = query;
    const filter: UserFilter = {
      ...(query.role === undefined ? {} : { role: query.role }),
      ...(query.is_active === undefined ? {} : { isActive: query.is_active }),
      ...(query.q === undefined ? {} : { q: query.q }),
      orderBy: order.replace(/^-/, '') as NonNullable<UserFilter['orderBy']>,
      descending: order.startsWith('-'),
      limit,
      offset,
    };
    const page = await users.list(filter);
    return {
      users: await presentAll(deps, page.users),
      total: page.total,
      limit,
      offset,
      has_more: offset + page.users.length < page.total,
    };
  });

  serve(contract.createUser, async ({ body, request, reply, principal }) => {
    reply.headers(PRIVATE);
    const call = { spec: contract.createUser, principal, request, reply, body };
    const user = await deps.idempotency.run<AdminUser>(call, (keep) => createUser(deps, { request, principal }, body, keep));
    reply.headers({ Location: locationOf(user.id), ETag: versionTag(user.version) });
    return user;
  });

  serve(contract.getUser, async ({ params, request, reply, principal }) => {
    reply.headers(PRIVATE);
    const user = await users.find(params.id);
    if (!user) throw new AppError('user.not_found', { public: 'No user with this id.' });
    await deps.audit.record(entryOf({ request, principal }, 'user.read', user));
    reply.header('ETag', versionTag(user.version));
    return presentOne(deps, user);
  });

  serve(contract.updateUser, async ({ params, body, request, reply, principal }) => {
    const user = await updateUser(deps, { request, principal }, params.id, body);
    reply.headers({ ...PRIVATE, ETag: versionTag(user.version) });
    return presentOne(deps, user);
  });

  serve(contract.deleteUser, async ({ params, request, principal }) => {
    await deleteUser(deps, { request, principal }, params.id);
  });

  serve(contract.unlockUser, async ({ params, request, principal }) => {
    await users.unlock(params.id, (transaction, user) =>
      deps.audit.record(entryOf({ request, principal }, 'user.unlocked', user), transaction),
    );
  });

  serve(contract.endUserSessions, async ({ params, request, principal }) => {
    await users.change(params.id, () => ({}), {
      endSessions: { except: null },
      alongside: (transaction, user) => deps.audit.record(entryOf({ request, principal }, 'user.sessions_ended', user), transaction),
    });
  });
}

async function presentOne(deps: AdminDeps, user: UserRow): Promise<AdminUser> {
  const [presented] = await presentAll(deps, [user]);
  return presented as AdminUser;
}

async function presentAll(deps: AdminDeps, rows: readonly UserRow[]): Promise<AdminUser[]> {
  const ids = rows.map((user) => user.id);
  const [presented, keys, locks] = await Promise.all([deps.users.present(rows, true), deps.keyCountsOf(ids), deps.users.lockedUntil(rows)]);
  return presented.map((user) => {
    const until = locks.get(user.id);
    return { ...user, key_count: keys.get(user.id) ?? 0, locked_until: until === undefined ? null : new Date(until).toISOString() };
  });
}

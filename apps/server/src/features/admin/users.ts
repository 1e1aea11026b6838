import type { AdminUser } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import { AppError, invariant } from '../../platform/app-error.ts';
import { actorOf, originOf } from '../../platform/http/caller.ts';
import { checkIfMatch } from '../../platform/http/if-match.ts';
import type { KeepAnswer } from '../../platform/http/idempotency.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { changesBetween, type AuditRecord } from '../audit/index.ts';
import { presentUser, type NewUser, type UserChange, type UserRow } from '../auth/index.ts';
import { readUserFields, type UserFields } from './read-fields.ts';
import type { AdminDeps } from './types.ts';

/** The administrator behind a request and the request itself. */
export interface AdminCall {
  request: FastifyRequest;
  principal: Principal;
}

export const locationOf = (userId: string) => `/api/v1/auth/admin/users/${userId}`;

/** Creates an account; the audit entry and the repeatable answer are in its transaction. */
export async function createUser(deps: AdminDeps, call: AdminCall, body: unknown, keep: KeepAnswer<AdminUser>): Promise<AdminUser> {
  const { system, security } = deps.settings.current();
  const fields = readUserFields(body, {
    existing: null,
    passwordMinLength: security.password_min_length,
    isCommon: (folded) => deps.passwords.isCommon(folded),
  });
  const passwordHash = fields.password === undefined ? null : await deps.passwords.hash(fields.password);
  const account: NewUser = {
    username: fields.username ?? '',
    email: fields.email ?? '',
    fullName: fields.full_name ?? null,
    organization: fields.organization ?? null,
    role: fields.role ?? 'user',
    isActive: fields.is_active ?? true,
    specialAccess: fields.special_access ?? false,
    limits: {
      perMinute: fields.api_rate_limit_per_minute ?? system.api_rate_limit_default,
      perDay: fields.api_daily_limit ?? system.daily_limit_default,
      perMonth: fields.api_monthly_limit ?? system.monthly_limit_default,
    },
    notes: fields.notes ?? null,
    provider: passwordHash === null ? 'google' : 'password',
    passwordHash,
    emailVerified: false,
    mustChangePassword: passwordHash !== null,
  };
  let answer: AdminUser | undefined;
  await deps.users.create(account, async (transaction, user) => {
    await deps.audit.record({ ...entryOf(call, 'user.created', user), changes: changesBetween(null, auditedFields(user)) }, transaction);
    // Nothing was counted for a new account and no key or lock can exist: the answer needs no further question.
    const body: AdminUser = { ...presentUser(user, undefined, true), key_count: 0, locked_until: null };
    await keep(transaction, { status: 201, headers: { Location: locationOf(user.id) }, body });
    answer = body;
  });
  invariant(answer, 'a created account was not presented');
  return answer;
}

/** Changes an account; refusals of the guards are written down too. */
export async function updateUser(deps: AdminDeps, call: AdminCall, id: string, body: unknown): Promise<UserRow> {
  const known = await deps.users.find(id);
  if (!known) throw new AppError('user.not_found', { public: 'No user with this id.' });
  const { security } = deps.settings.current();
  const fields = readUserFields(body, {
    existing: known,
    passwordMinLength: security.password_min_length,
    isCommon: (folded) => deps.passwords.isCommon(folded),
  });
  // Before the transaction: a hash takes as long as many writes.
  const passwordHash = fields.password === undefined ? undefined : await deps.passwords.hash(fields.password);
  const self = call.principal.type === 'session' && call.principal.account.id === id ? call.principal : null;
  const setsPassword = passwordHash !== undefined || fields.google_only === true;
  try {
    return await deps.users.change(
      id,
      (user) => {
        checkIfMatch(call.request.headers['if-match'], user.version, { required: false });
        if (self && (fields.role === 'user' || fields.is_active === false)) throw selfForbidden('demote or disable');
        return changeOf(fields, user, passwordHash, self !== null);
      },
      {
        alongside: async (transaction, user, before) => {
          const changes = changesBetween(auditedFields(before), auditedFields(user));
          if (setsPassword) changes.push(...changesBetween({ password: 'before' }, { password: 'after' }));
          await deps.audit.record({ ...entryOf(call, 'user.updated', user), changes }, transaction);
        },
        // A password that somebody else set ends what was opened with the old one.
        ...(setsPassword ? { endSessions: { except: self?.sessionId ?? null } } : {}),
      },
    );
  } catch (error) {
    throw await refused(deps, call, 'user.updated', known, error);
  }
}

export async function deleteUser(deps: AdminDeps, call: AdminCall, id: string): Promise<void> {
  const known = await deps.users.find(id);
  if (!known) throw new AppError('user.not_found', { public: 'No user with this id.' });
  try {
    if (call.principal.type !== 'anonymous' && call.principal.account.id === id) throw selfForbidden('delete');
    await deps.users.remove(id, async (transaction, user) => {
      checkIfMatch(call.request.headers['if-match'], user.version, { required: false });
      await deps.audit.record({ ...entryOf(call, 'user.deleted', user), changes: changesBetween(auditedFields(user), null) }, transaction);
    });
  } catch (error) {
    throw await refused(deps, call, 'user.deleted', known, error);
  }
}

/** What an audit entry says of an action on an account. */
export function entryOf(call: AdminCall, action: AuditRecord['action'], user: Pick<UserRow, 'id' | 'username'>): AuditRecord {
  return {
    actor: actorOf(call.principal),
    action,
    target: { type: 'user', id: user.id, label: user.username },
    ...originOf(call.request, call.principal),
  };
}

/** Only fields that differ, so that a form saved as it was opened changes no version. */
function changeOf(fields: UserFields, user: UserRow, passwordHash: string | undefined, isSelf: boolean): UserChange {
  const { perMinute, perDay, perMonth } = user.limits;
  const limits = {
    perMinute: fields.api_rate_limit_per_minute ?? perMinute,
    perDay: fields.api_daily_limit ?? perDay,
    perMonth: fields.api_monthly_limit ?? perMonth,
  };
  const wished: UserChange = {
    username: fields.username,
    email: fields.email,
    fullName: fields.full_name,
    organization: fields.organization,
    role: fields.role,
    isActive: fields.is_active,
    specialAccess: fields.special_access,
    notes: fields.notes,
    limits,
    ...(passwordHash === undefined ? {} : { passwordHash, mustChangePassword: !isSelf }),
    ...(fields.google_only === true ? { passwordHash: null, mustChangePassword: false } : {}),
    // Nobody has shown that the new address is theirs.
    ...(fields.email !== undefined && fields.email !== user.email ? { emailVerified: false } : {}),
  };
  const differing = Object.entries(wished).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(user[name as keyof UserRow]),
  );
  return Object.fromEntries(differing) as UserChange;
}

/** Fields of an account under their names on the wire; the password is told apart. */
function auditedFields(user: UserRow): object {
  return {
    username: user.username,
    email: user.email,
    full_name: user.fullName,
    organization: user.organization,
    role: user.role,
    is_active: user.isActive,
    special_access: user.specialAccess,
    api_rate_limit_per_minute: user.limits.perMinute,
    api_daily_limit: user.limits.perDay,
    api_monthly_limit: user.limits.perMonth,
    notes: user.notes,
  };
}

const selfForbidden = (what: string) =>
  new AppError('user.self_forbidden', { public: `You cannot ${what} your own account. Ask another administrator.` });

/** Attempts on the last administrator or on oneself are worth an entry; answers the error to throw on. */
async function refused(deps: AdminDeps, call: AdminCall, action: AuditRecord['action'], user: UserRow, error: unknown): Promise<unknown> {
  if (error instanceof AppError && (error.code === 'user.last_admin' || error.code === 'user.self_forbidden'))
    await deps.audit.record({ ...entryOf(call, action, user), outcome: 'refused', reason: error.code });
  return error;
}

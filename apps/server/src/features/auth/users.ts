import { AppError } from '../../platform/app-error.ts';
import { databaseFault, isUniqueViolation } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import { presentUser } from './present.ts';
import type { SessionRows } from './store-sessions.ts';
import type { SignInRows } from './store-sign-in.ts';
import type { UserRows } from './store-users.ts';
import type { Ended, NewUser, UserCascade, UserFilter, UserRequests, UserRow, UserStore } from './types.ts';
import { changed, lastAdmin, losesPower, normalized, taken, userNotFound } from './user-changes.ts';

export interface UsersDeps {
  database: Database;
  clock: Clock;
  users: UserRows;
  sessions: SessionRows;
  signIns: SignInRows;
  requests: UserRequests;
  cascades: readonly UserCascade[];
  /** Key under which wrong passwords for a name are counted. */
  accountKey(name: string): string;
  /** The account may have changed: nothing remembered of it holds any more. */
  forget(userId: string): void;
  ended(ended: Ended): void;
}

/** A row as it is first written. */
export function newUserRow(user: NewUser, at: number): UserRow {
  return {
    ...normalized(user),
    id: `usr_${randomBase32()}`,
    lastLoginAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}

/** Accounts with everything that must happen around a change of them; see `UserStore`. */
export function createUsers(deps: UsersDeps): UserStore {
  const { database, clock, users, sessions, signIns } = deps;
  const db = database.app;
  const told = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  const inTransaction = <T>(work: (transaction: Part) => Promise<T>) => told(db.transaction().execute((transaction) => work(transaction)));
  const findByName = async (part: Part, name: string) =>
    name.includes('@') ? users.findByEmail(part, name) : users.findByUsername(part, name);

  /** Throws the 409 of whatever another account has. */
  const refuseTaken = async (part: Part, user: Pick<UserRow, 'id' | 'username' | 'email'>): Promise<void> => {
    const sameName = await users.findByUsername(part, user.username);
    if (sameName && sameName.id !== user.id) throw taken('username');
    const sameEmail = await users.findByEmail(part, user.email);
    if (sameEmail && sameEmail.id !== user.id) throw taken('email');
  };
  const guardLastAdmin = async (part: Part, id: string): Promise<void> => {
    const admins = await users.lockActiveAdmins(part);
    if (admins.includes(id) && admins.length === 1) throw lastAdmin();
  };

  /** Null while the record of requests, which may be another database, cannot be read: nobody is kept from signing in by that. */
  const requestsOf = async (ids: readonly string[]) => {
    try {
      return await deps.requests.figuresOf(ids);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  };
  /** The totals are not in this database: what matches is put in order here. */
  const byRequests = async ({ limit, offset, descending, ...filter }: UserFilter) => {
    const [ids, totals] = await Promise.all([told(users.ids(db, filter)), deps.requests.keyTotals()]);
    const sign = descending ? -1 : 1;
    ids.sort((a, b) => sign * ((totals.get(a) ?? 0) - (totals.get(b) ?? 0) || (a < b ? -1 : 1)));
    return { users: await told(users.findAll(db, ids.slice(offset, offset + limit))), total: ids.length };
  };

  return {
    find: (id, transaction) => told(users.find(transaction ?? db, id)),
    findAll: (ids) => told(users.findAll(db, ids)),
    findByName: (name, transaction) => told(findByName(transaction ?? db, name)),
    list: ({ orderBy, ...filter }) =>
      orderBy === 'total_api_requests' ? byRequests(filter) : told(users.list(db, { ...filter, ...(orderBy ? { orderBy } : {}) })),
    counts: (createdSince) => told(users.counts(db, createdSince)),

    create: (given, alongside) =>
      inTransaction(async (part) => {
        const user = newUserRow(given, clock.now());
        if (!(await users.insert(part, user))) {
          await refuseTaken(part, user);
          throw taken('username');
        }
        await alongside?.(part, user);
        return user;
      }),

    async change(id, decide, { alongside, endSessions } = {}) {
      const { user, ended } = await inTransaction(async (part) => {
        // The administrators before the row itself, in one order everywhere: two changes that cross would wait for each other for ever.
        const admins = await users.lockActiveAdmins(part);
        const before = await users.lock(part, id);
        if (!before) throw userNotFound();
        const change = await decide(before, part);
        const hasChange = Object.values(change).some((value) => value !== undefined);
        const after = hasChange ? changed(before, change, clock.now()) : before;
        if (losesPower(before, after) && admins.every((admin) => admin === id)) throw lastAdmin();
        if (hasChange) {
          await refuseTaken(part, after);
          await users.update(part, after).catch((error: unknown) => {
            // Somebody took the name between the look and the write.
            throw isUniqueViolation(error) ? taken('username') : error;
          });
        }
        const gone =
          !after.isActive || endSessions ? await sessions.endOf(part, id, after.isActive ? (endSessions?.except ?? null) : null) : [];
        await alongside?.(part, after, before);
        return { user: after, ended: gone };
      }).finally(() => deps.forget(id));
      if (ended.length > 0) deps.ended({ userId: id, sessionIds: user.isActive ? ended : null, removed: false });
      else if (!user.isActive) deps.ended({ userId: id, sessionIds: null, removed: false });
      return user;
    },

    async remove(id, alongside) {
      await inTransaction(async (part) => {
        await guardLastAdmin(part, id);
        const user = await users.lock(part, id);
        if (!user) throw userNotFound();
        await sessions.endOf(part, id, null);
        for (const name of [user.username, user.email]) await signIns.forgetFailures(part, deps.accountKey(name), null);
        for (const cascade of deps.cascades) await cascade(id, part);
        await users.remove(part, id);
        await alongside?.(part, user);
      }).finally(() => deps.forget(id));
      deps.ended({ userId: id, sessionIds: null, removed: true });
    },

    async lockedUntil(rows) {
      const keys = new Map(rows.flatMap((user) => [user.username, user.email].map((name) => [deps.accountKey(name), user.id] as const)));
      const locks = await told(signIns.locks(db, [...keys.keys()], clock.now()));
      const until = new Map<string, number>();
      for (const [account, at] of locks) {
        const id = keys.get(account) ?? '';
        until.set(id, Math.max(at, until.get(id) ?? 0));
      }
      return until;
    },

    unlock: (id, alongside) =>
      inTransaction(async (part) => {
        const user = await users.lock(part, id);
        if (!user) throw userNotFound();
        for (const name of [user.username, user.email]) await signIns.forgetFailures(part, deps.accountKey(name), null);
        await alongside?.(part, user);
      }),

    async present(rows, forAdmin) {
      const figures = await requestsOf(rows.map((user) => user.id));
      return rows.map((user) => presentUser(user, figures && figures.get(user.id), forAdmin));
    },
  };
}

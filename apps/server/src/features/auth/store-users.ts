import { foldName, type Instant } from '@nwms/domain';
import { sql } from 'kysely';
import type { Database, Part } from '../../platform/db/types.ts';
import { type AuthTables, type UserColumns, userOf } from './tables.ts';
import type { UserCounts, UserFilter, UserRow } from './types.ts';

/** Characters that mean something in a LIKE pattern. */
const LIKE_SPECIAL = /[\\%_]/g;
const ORDER = {
  created_at: 'created_at',
  username: 'username_key',
  last_login: 'last_login_at',
  total_api_requests: 'total_requests',
} as const;

const searchText = (user: Pick<UserRow, 'username' | 'email' | 'fullName'>) =>
  [user.username, user.email, user.fullName ?? ''].map(foldName).join('\n');

function columnsOf(user: UserRow): UserColumns {
  return {
    id: user.id,
    username: user.username,
    username_key: foldName(user.username),
    email: user.email,
    email_key: foldName(user.email),
    full_name: user.fullName,
    organization: user.organization,
    search_text: searchText(user),
    role: user.role,
    is_active: Number(user.isActive),
    special_access: Number(user.specialAccess),
    limit_minute: user.limits.perMinute,
    limit_day: user.limits.perDay,
    limit_month: user.limits.perMonth,
    notes: user.notes,
    provider: user.provider,
    password_hash: user.passwordHash,
    email_verified: Number(user.emailVerified),
    must_change_password: Number(user.mustChangePassword),
    last_login_at: user.lastLoginAt,
    total_requests: user.totalRequests,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    version: user.version,
  };
}

/** Rows of accounts and nothing else: what must happen around them is `users.ts`. Every function runs on the part or transaction it is given. */
export function createUserRows(engine: Database['engine']) {
  const users = (db: Part) => db.withTables<AuthTables>();
  const one = (row: UserColumns | undefined) => (row ? userOf(row) : null);
  const isLocking = engine.lockRow !== '';
  return {
    async find(db: Part, id: string): Promise<UserRow | null> {
      return one(await users(db).selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst());
    },
    /** Waits for other writers of the row; within a transaction only. */
    async lock(db: Part, id: string): Promise<UserRow | null> {
      const query = users(db).selectFrom('users').selectAll().where('id', '=', id);
      return one(await (isLocking ? query.forUpdate() : query).executeTakeFirst());
    },
    /** Ids of active administrators, their rows locked in one order: two who take each other's power meet here (R-44). */
    async lockActiveAdmins(db: Part): Promise<string[]> {
      const query = users(db).selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', 1).orderBy('id');
      return (await (isLocking ? query.forUpdate() : query).execute()).map((row) => row.id);
    },
    async findByEmail(db: Part, email: string): Promise<UserRow | null> {
      return one(await users(db).selectFrom('users').selectAll().where('email_key', '=', foldName(email)).executeTakeFirst());
    },
    async findByUsername(db: Part, username: string): Promise<UserRow | null> {
      return one(await users(db).selectFrom('users').selectAll().where('username_key', '=', foldName(username)).executeTakeFirst());
    },
    /** False when user name or e-mail are taken; the transaction stays usable. */
    async insert(db: Part, user: UserRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await users(db)
        .insertInto('users')
        .values(columnsOf(user))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
    async update(db: Part, user: UserRow): Promise<void> {
      // The total has a writer of its own.
      const { id, total_requests: _, ...columns } = columnsOf(user);
      await users(db).updateTable('users').set(columns).where('id', '=', id).execute();
    },
    async remove(db: Part, id: string): Promise<void> {
      await users(db).deleteFrom('user_identities').where('user_id', '=', id).execute();
      await users(db).deleteFrom('users').where('id', '=', id).execute();
    },
    async addRequests(db: Part, id: string, n: number): Promise<void> {
      await users(db)
        .updateTable('users')
        .set((at) => ({ total_requests: at('total_requests', '+', n) }))
        .where('id', '=', id)
        .execute();
    },
    async list(db: Part, filter: UserFilter): Promise<{ users: UserRow[]; total: number }> {
      let query = users(db).selectFrom('users');
      if (filter.role) query = query.where('role', '=', filter.role);
      if (filter.isActive !== undefined) query = query.where('is_active', '=', Number(filter.isActive));
      const wanted = foldName(filter.q ?? '');
      if (wanted !== '') {
        const pattern = `%${wanted.replaceAll(LIKE_SPECIAL, String.raw`\$&`)}%`;
        query = query.where(sql<boolean>`search_text like ${pattern} escape '\\'`);
      }
      const { n } = await query.select((of) => of.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
      const column = ORDER[filter.orderBy ?? 'created_at'];
      const direction = filter.descending ? 'desc' : 'asc';
      const rows = await query
        .selectAll()
        // Never signed in sorts as the longest ago, alike on both engines.
        .orderBy(column === 'last_login_at' ? sql<number>`coalesce(last_login_at, 0)` : sql.ref(column), direction)
        .orderBy('id', direction)
        .limit(filter.limit)
        .offset(filter.offset)
        .execute();
      return { users: rows.map(userOf), total: Number(n) };
    },
    async counts(db: Part, createdSince: Instant): Promise<UserCounts> {
      const row = await users(db)
        .selectFrom('users')
        .select([
          sql<number>`count(*)`.as('total'),
          sql<number>`coalesce(sum(is_active), 0)`.as('active'),
          sql<number>`coalesce(sum(case when role = 'admin' then 1 else 0 end), 0)`.as('admins'),
          sql<number>`coalesce(sum(case when created_at >= ${createdSince} then 1 else 0 end), 0)`.as('recent'),
        ])
        .executeTakeFirstOrThrow();
      return { total: Number(row.total), active: Number(row.active), admins: Number(row.admins), createdSince: Number(row.recent) };
    },
    async top(db: Part, limit: number): Promise<{ id: string; username: string; requests: number }[]> {
      const rows = await users(db)
        .selectFrom('users')
        .select(['id', 'username', 'total_requests'])
        .where('total_requests', '>', 0)
        .orderBy('total_requests', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ id: row.id, username: row.username, requests: Number(row.total_requests) }));
    },
  };
}

export type UserRows = ReturnType<typeof createUserRows>;

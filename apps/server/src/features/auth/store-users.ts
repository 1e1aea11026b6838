import { foldName, type Instant } from '@nwms/domain';
import { sql } from 'kysely';
import type { Database, Part } from '../../platform/db/types.ts';
import { type AuthTables, type UserColumns, userOf } from './tables.ts';
import type { UserCounts, UserFilter, UserRow } from './types.ts';

/** Characters that mean something in a LIKE pattern. */
const LIKE_SPECIAL = /[\\%_]/g;
const ORDER = { created_at: 'created_at', username: 'username_key', last_login: 'last_login_at' } as const;
type StoredOrder = keyof typeof ORDER;
/** What can be asked of the rows alone. */
export type RowFilter = Omit<UserFilter, 'orderBy'> & { orderBy?: StoredOrder };

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
  const matching = (db: Part, { role, isActive, q }: Pick<UserFilter, 'role' | 'isActive' | 'q'>) => {
    let query = users(db).selectFrom('users');
    if (role) query = query.where('role', '=', role);
    if (isActive !== undefined) query = query.where('is_active', '=', Number(isActive));
    const wanted = foldName(q ?? '');
    if (wanted === '') return query;
    const pattern = `%${wanted.replaceAll(LIKE_SPECIAL, String.raw`\$&`)}%`;
    return query.where(sql<boolean>`search_text like ${pattern} escape '\\'`);
  };
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
      const { id, ...columns } = columnsOf(user);
      await users(db).updateTable('users').set(columns).where('id', '=', id).execute();
    },
    async remove(db: Part, id: string): Promise<void> {
      await users(db).deleteFrom('user_identities').where('user_id', '=', id).execute();
      await users(db).deleteFrom('users').where('id', '=', id).execute();
    },
    async list(db: Part, filter: RowFilter): Promise<{ users: UserRow[]; total: number }> {
      const query = matching(db, filter);
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
    /** Ids of every account that matches: for orders that are not of its row. */
    async ids(db: Part, filter: Pick<UserFilter, 'role' | 'isActive' | 'q'>): Promise<string[]> {
      return (await matching(db, filter).select('id').execute()).map(({ id }) => id);
    },
    /** In the order of the ids; those without an account are left out. */
    async findAll(db: Part, ids: readonly string[]): Promise<UserRow[]> {
      if (ids.length === 0) return [];
      const rows = await users(db).selectFrom('users').selectAll().where('id', 'in', ids).execute();
      const found = new Map(rows.map((row) => [row.id, userOf(row)]));
      return ids.flatMap((id) => found.get(id) ?? []);
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
  };
}

export type UserRows = ReturnType<typeof createUserRows>;

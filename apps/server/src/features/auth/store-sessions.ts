import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';
import { type AuthTables, type SessionColumns, userOf } from './tables.ts';
import type { Provider, UserRow } from './types.ts';

/** One sign-in and what it may do until it ends. A session that ended has no row. */
export interface SessionRow {
  id: string;
  userId: string;
  provider: Provider;
  device: string;
  countryCode: string | null;
  createdAt: Instant;
  lastSeenAt: Instant;
  /** As decided at its start; a shorter policy of today ends it sooner. */
  expiresAt: Instant;
}

/** Ids in one statement: far below what either engine binds. */
const CHUNK = 500;

function sessionOf(row: SessionColumns): SessionRow {
  return {
    id: row.id,
    userId: row.user_id,
    provider: row.provider as Provider,
    device: row.device,
    countryCode: row.country_code,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}

const chunks = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) => ids.slice(index * CHUNK, (index + 1) * CHUNK));

/** Sessions on the part or transaction they are given. */
export function createSessionRows() {
  const tables = (db: Part) => db.withTables<AuthTables>();
  return {
    async insert(db: Part, session: SessionRow): Promise<void> {
      await tables(db)
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          provider: session.provider,
          device: session.device,
          country_code: session.countryCode,
          created_at: session.createdAt,
          last_seen_at: session.lastSeenAt,
          expires_at: session.expiresAt,
        })
        .execute();
    },
    /** The session with its account, in one read. */
    async findWithUser(db: Part, id: string): Promise<{ session: SessionRow; user: UserRow } | null> {
      const row = await tables(db).selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return null;
      const user = await tables(db).selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst();
      return user ? { session: sessionOf(row), user: userOf(user) } : null;
    },
    async listOf(db: Part, userId: string, limit: number): Promise<SessionRow[]> {
      const rows = await tables(db)
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(sessionOf);
    },
    /** False when it is not theirs or is over. */
    async end(db: Part, userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await tables(db)
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
    /** Ids of those it ended. */
    async endOf(db: Part, userId: string, except: string | null): Promise<string[]> {
      let query = tables(db).deleteFrom('sessions').where('user_id', '=', userId);
      if (except !== null) query = query.where('id', '!=', except);
      return (await query.returning('id').execute()).map((row) => row.id);
    },
    /** Which of these may still act: there, and of an active account. */
    async alive(db: Part, ids: readonly string[]): Promise<Map<string, SessionRow>> {
      const found = new Map<string, SessionRow>();
      for (const chunk of chunks(ids)) {
        const rows = await tables(db)
          .selectFrom('sessions')
          .innerJoin('users', 'users.id', 'sessions.user_id')
          .selectAll('sessions')
          .where('sessions.id', 'in', chunk)
          .where('users.is_active', '=', 1)
          .execute();
        for (const row of rows) found.set(row.id, sessionOf(row));
      }
      return found;
    },
    async touch(db: Part, id: string, at: Instant): Promise<void> {
      await tables(db).updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).where('last_seen_at', '<', at).execute();
    },
    async removeExpired(db: Part, before: Instant): Promise<void> {
      await tables(db).deleteFrom('sessions').where('expires_at', '<', before).execute();
    },
  };
}

export type SessionRows = ReturnType<typeof createSessionRows>;

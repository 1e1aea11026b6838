import type { Instant } from '@nwms/domain';
import type { Database, Part } from '../../platform/db/types.ts';
import type { KeyRow, SecretRow } from './types.ts';

interface KeyColumns {
  id: string;
  user_id: string;
  description: string;
  is_active: number;
  limit_minute: number;
  limit_day: number;
  limit_month: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_country: string | null;
  last_agent: string | null;
  total_requests: number;
  version: number;
}
interface SecretColumns {
  hash: string;
  key_id: string;
  prefix: string;
  created_at: number;
  ends_at: number | null;
}
// A type, not an interface: only types have the index signature that the table map asks for.
type KeyTables = { api_keys: KeyColumns; api_key_secrets: SecretColumns };

const orNull = (value: number | null) => (value === null ? null : Number(value));

const keyOf = (row: KeyColumns): KeyRow => ({
  id: row.id,
  userId: row.user_id,
  description: row.description,
  isActive: row.is_active === 1,
  limits: { perMinute: Number(row.limit_minute), perDay: Number(row.limit_day), perMonth: Number(row.limit_month) },
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  expiresAt: orNull(row.expires_at),
  lastUsedAt: orNull(row.last_used_at),
  lastCountry: row.last_country,
  lastAgent: row.last_agent,
  totalRequests: Number(row.total_requests),
  version: row.version,
});
const secretOf = (row: SecretColumns): SecretRow => ({
  hash: row.hash,
  keyId: row.key_id,
  prefix: row.prefix,
  createdAt: Number(row.created_at),
  endsAt: orNull(row.ends_at),
});

/** The secret in use before those that end; two made in the same millisecond must not change places. */
const ownFirst = (a: SecretRow, b: SecretRow) => Number(a.endsAt !== null) - Number(b.endsAt !== null);

/** Rows of keys and of their secrets' hashes. Every function runs on the part or transaction it is given. */
export function createKeyRows(engine: Database['engine']) {
  const tables = (db: Part) => db.withTables<KeyTables>();
  return {
    async insert(db: Part, key: KeyRow, secret: SecretRow): Promise<void> {
      await tables(db)
        .insertInto('api_keys')
        .values({
          id: key.id,
          user_id: key.userId,
          description: key.description,
          is_active: Number(key.isActive),
          limit_minute: key.limits.perMinute,
          limit_day: key.limits.perDay,
          limit_month: key.limits.perMonth,
          created_at: key.createdAt,
          updated_at: key.updatedAt,
          expires_at: key.expiresAt,
          last_used_at: key.lastUsedAt,
          last_country: key.lastCountry,
          last_agent: key.lastAgent,
          total_requests: key.totalRequests,
          version: key.version,
        })
        .execute();
      await this.addSecret(db, secret);
    },
    async addSecret(db: Part, secret: SecretRow): Promise<void> {
      await tables(db)
        .insertInto('api_key_secrets')
        .values({
          hash: secret.hash,
          key_id: secret.keyId,
          prefix: secret.prefix,
          created_at: secret.createdAt,
          ends_at: secret.endsAt,
        })
        .execute();
    },
    /** Ends all secrets of a key (but the one of this hash) at `at`, those that would end sooner excepted. */
    async endSecrets(db: Part, keyId: string, at: Instant, exceptHash: string | null = null): Promise<void> {
      await tables(db)
        .updateTable('api_key_secrets')
        .set({ ends_at: at })
        .where('key_id', '=', keyId)
        .where('hash', '<>', exceptHash ?? '')
        .where((on) => on.or([on('ends_at', 'is', null), on('ends_at', '>', at)]))
        .execute();
    },
    /** Of somebody's own key only. `lock`: waits for other writers of the row; within a transaction. */
    async find(db: Part, userId: string, id: string, { lock = false } = {}): Promise<KeyRow | null> {
      const query = tables(db).selectFrom('api_keys').selectAll().where('id', '=', id).where('user_id', '=', userId);
      const row = await (lock && engine.lockRow !== '' ? query.forUpdate() : query).executeTakeFirst();
      return row ? keyOf(row) : null;
    },
    /** Newest first. */
    async listOf(db: Part, userId: string): Promise<KeyRow[]> {
      const query = tables(db).selectFrom('api_keys').selectAll().where('user_id', '=', userId);
      return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(keyOf);
    },
    async countsOf(db: Part, userIds: readonly string[]): Promise<Map<string, number>> {
      if (userIds.length === 0) return new Map();
      const rows = await tables(db)
        .selectFrom('api_keys')
        .select(['user_id', (of) => of.fn.countAll<number>().as('n')])
        .where('user_id', 'in', userIds)
        .groupBy('user_id')
        .execute();
      return new Map(rows.map((row) => [row.user_id, Number(row.n)]));
    },
    /** Active keys whose last use (or making) lies before the one instant, or that were made before the other and never end. */
    async countIdle(db: Part, { unusedSince, madeBefore }: { unusedSince: Instant; madeBefore: Instant }): Promise<number> {
      const { n } = await tables(db)
        .selectFrom('api_keys')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('is_active', '=', 1)
        .where((key) =>
          key.or([
            key(key.fn.coalesce('last_used_at', 'created_at'), '<', unusedSince),
            key.and([key('expires_at', 'is', null), key('created_at', '<', madeBefore)]),
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(n);
    },
    /** Secrets of keys that still work or may be told from unknown ones, newest first. */
    async secretsOf(db: Part, keyIds: readonly string[]): Promise<SecretRow[]> {
      if (keyIds.length === 0) return [];
      const query = tables(db).selectFrom('api_key_secrets').selectAll().where('key_id', 'in', keyIds);
      return (await query.orderBy('created_at', 'desc').orderBy('hash').execute()).map(secretOf).sort(ownFirst);
    },
    /** Secrets by their hashes, each with its key; the key is null when it was deleted. Unknown hashes are left out. */
    async findSecrets(db: Part, hashes: readonly string[]): Promise<{ secret: SecretRow; key: KeyRow | null }[]> {
      if (hashes.length === 0) return [];
      const secrets = await tables(db).selectFrom('api_key_secrets').selectAll().where('hash', 'in', hashes).execute();
      const keyIds = [...new Set(secrets.map((row) => row.key_id))];
      if (keyIds.length === 0) return [];
      const keys = await tables(db).selectFrom('api_keys').selectAll().where('id', 'in', keyIds).execute();
      const byId = new Map(keys.map((row) => [row.id, keyOf(row)]));
      return secrets.map((row) => ({ secret: secretOf(row), key: byId.get(row.key_id) ?? null }));
    },
    /** Everything its owner may change; use is written elsewhere. */
    async update(db: Part, key: KeyRow): Promise<void> {
      await tables(db)
        .updateTable('api_keys')
        .set({
          description: key.description,
          is_active: Number(key.isActive),
          limit_minute: key.limits.perMinute,
          limit_day: key.limits.perDay,
          limit_month: key.limits.perMonth,
          updated_at: key.updatedAt,
          version: key.version,
        })
        .where('id', '=', key.id)
        .execute();
    },
    /** False: not theirs, or gone. Its secrets end and stay to be told from unknown ones. */
    async remove(db: Part, userId: string, id: string, at: Instant): Promise<boolean> {
      const { numDeletedRows } = await tables(db)
        .deleteFrom('api_keys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) await this.endSecrets(db, id, at);
      return numDeletedRows > 0n;
    },
    async removeOldSecrets(db: Part, endedBefore: Instant): Promise<void> {
      await tables(db).deleteFrom('api_key_secrets').where('ends_at', '<', endedBefore).execute();
    },
  };
}

export type KeyRows = ReturnType<typeof createKeyRows>;

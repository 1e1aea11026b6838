import { sql } from 'kysely';
import type { Part } from '../../platform/db/types.ts';
import type { KeyMinute, KeyUse } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type UseTables = {
  api_keys: { id: string; total_requests: number; last_used_at: number | null; last_agent: string | null; last_country: string | null };
  api_key_minutes: { key_id: string; minute: number; endpoint: string; allowed: number; refused: number };
};

/** What keys were used for. Rows are written in one order, so that two processes never wait for each other in a circle. */
export function createUseRows() {
  const tables = (db: Part) => db.withTables<UseTables>();
  return {
    async addUses(db: Part, uses: readonly KeyUse[]): Promise<void> {
      for (const use of [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
        await tables(db)
          .updateTable('api_keys')
          .set({ total_requests: sql<number>`total_requests + ${use.requests}` })
          .where('id', '=', use.keyId)
          .execute();
        if (use.lastAt === null) continue;
        await tables(db)
          .updateTable('api_keys')
          .set({ last_used_at: use.lastAt, last_agent: use.agent, last_country: use.country })
          .where('id', '=', use.keyId)
          .where((on) => on.or([on('last_used_at', 'is', null), on('last_used_at', '<=', use.lastAt)]))
          .execute();
      }
    },
    async addMinutes(db: Part, minutes: readonly KeyMinute[]): Promise<void> {
      const order = (one: KeyMinute) => `${one.keyId} ${one.minute} ${one.endpoint}`;
      for (const one of [...minutes].sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
        await tables(db)
          .insertInto('api_key_minutes')
          .values({ key_id: one.keyId, minute: one.minute, endpoint: one.endpoint, allowed: one.allowed, refused: one.refused })
          .onConflict((conflict) =>
            conflict.columns(['key_id', 'minute', 'endpoint']).doUpdateSet({
              allowed: sql<number>`api_key_minutes.allowed + ${one.allowed}`,
              refused: sql<number>`api_key_minutes.refused + ${one.refused}`,
            }),
          )
          .execute();
      }
    },
    async minutesOf(db: Part, keyId: string, fromMinute: number): Promise<KeyMinute[]> {
      const rows = await tables(db)
        .selectFrom('api_key_minutes')
        .selectAll()
        .where('key_id', '=', keyId)
        .where('minute', '>=', fromMinute)
        .execute();
      return rows.map((row) => ({
        keyId: row.key_id,
        minute: Number(row.minute),
        endpoint: row.endpoint,
        allowed: Number(row.allowed),
        refused: Number(row.refused),
      }));
    },
    async removeMinutesBefore(db: Part, minute: number): Promise<void> {
      await tables(db).deleteFrom('api_key_minutes').where('minute', '<', minute).execute();
    },
    async removeMinutesOf(db: Part, keyIds: readonly string[]): Promise<void> {
      if (keyIds.length > 0) await tables(db).deleteFrom('api_key_minutes').where('key_id', 'in', keyIds).execute();
    },
  };
}

export type UseRows = ReturnType<typeof createUseRows>;

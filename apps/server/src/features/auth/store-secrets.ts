import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';
import type { AuthTables } from './tables.ts';

export interface SecretRow {
  generation: number;
  value: string;
  createdAt: Instant;
}

/** Keys the server made for itself, newest first. */
export function createSecretRows() {
  const tables = (db: Part) => db.withTables<AuthTables>();
  return {
    async all(db: Part, name: string): Promise<SecretRow[]> {
      const rows = await tables(db).selectFrom('secrets').selectAll().where('name', '=', name).orderBy('generation', 'desc').execute();
      return rows.map((row) => ({ generation: row.generation, value: row.value, createdAt: row.created_at }));
    },
    /** Of several processes that make the same generation one wins; all read what it wrote. */
    async insert(db: Part, name: string, secret: SecretRow): Promise<void> {
      await tables(db)
        .insertInto('secrets')
        .values({ name, generation: secret.generation, value: secret.value, created_at: secret.createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async removeBelow(db: Part, name: string, generation: number): Promise<void> {
      await tables(db).deleteFrom('secrets').where('name', '=', name).where('generation', '<', generation).execute();
    },
  };
}

export type SecretRows = ReturnType<typeof createSecretRows>;

import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import type { SettingsStore } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type SettingsTables = {
  settings: { id: number; version: number; values: string; updated_at: number; updated_by: string };
};

const ROW = 1;

/** The one row of settings in the `app` part. Throws `AppError` where the database is away or full. */
export function createSettingsStore(app: Part): SettingsStore {
  const db = app.withTables<SettingsTables>();
  return {
    async read() {
      const row = await told(db.selectFrom('settings').selectAll().where('id', '=', ROW).executeTakeFirst());
      if (!row) return null;
      return {
        version: row.version,
        values: JSON.parse(row.values) as unknown,
        updatedAt: Number(row.updated_at),
        updatedBy: row.updated_by,
      };
    },
    async version() {
      const row = await told(db.selectFrom('settings').select('version').where('id', '=', ROW).executeTakeFirst());
      return row?.version ?? null;
    },
    async save(expected, next, alongside) {
      const columns = {
        version: expected + 1,
        values: JSON.stringify(next.values),
        updated_at: next.updatedAt,
        updated_by: next.updatedBy,
      };
      return told(
        app.transaction().execute(async (plain) => {
          const transaction = plain.withTables<SettingsTables>();
          const updated = await transaction
            .updateTable('settings')
            .set(columns)
            .where('id', '=', ROW)
            .where('version', '=', expected)
            .executeTakeFirst();
          let written = Number(updated.numUpdatedRows) === 1;
          if (!written && expected === 1) {
            const inserted = await transaction
              .insertInto('settings')
              .values({ id: ROW, ...columns })
              .onConflict((conflict) => conflict.column('id').doNothing())
              .executeTakeFirst();
            written = Number(inserted.numInsertedOrUpdatedRows ?? 0) === 1;
          }
          if (written) await alongside(plain);
          return written;
        }),
      );
    },
  };
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw databaseFault(error);
  }
}

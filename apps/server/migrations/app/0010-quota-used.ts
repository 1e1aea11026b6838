import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Units used, beside those granted: a process that holds some ready must not look as if its callers had used them. */
export const quotaUsed: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('quota_windows')
      .addColumn('used', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};

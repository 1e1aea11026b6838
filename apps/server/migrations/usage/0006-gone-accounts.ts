import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

type Tables = { usage_marks: { name: string; value: number } };

/**
 * Accounts that were removed: what processes still hold of them is written under the name that their rows have now, while that is known, and later under
 * any other. The row of the marks is what batches share and a removal has to itself.
 */
export const goneAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('gone_accounts')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await db.withTables<Tables>().insertInto('usage_marks').values({ name: 'gone', value: 0 }).execute();
  },
};

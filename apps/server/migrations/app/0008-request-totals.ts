import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Counted requests by account (empty = nobody), kind of caller and period: `total`, a UTC month `2026-11` or a UTC day `2026-11-21`.
 */
export const requestTotals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('request_totals')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('request_totals_pk', ['user_id', 'kind', 'period'])
      .execute();
    await db.schema.createIndex('request_totals_period').on('request_totals').columns(['period', 'last_at']).execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Probes by UTC day (days since 1970-01-01), and when the last one was. */
export const uptime: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('uptime_days')
      .addColumn('day', 'integer', (column) => column.primaryKey())
      .addColumn('good', 'integer', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('last_probe_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Errors of pages, one row per fingerprint. */
export const clientErrors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('client_errors')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('stack', 'text')
      .addColumn('page', 'text', (column) => column.notNull())
      .addColumn('app_version', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('client_errors_last').on('client_errors').columns(['last_at', 'fingerprint']).execute();
  },
};

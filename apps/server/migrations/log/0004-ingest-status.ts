import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the ingesting process knows about its feed, for processes that only follow: one row. */
export const ingestStatus: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('ingest_status')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('term', 'bigint', (column) => column.notNull())
      .addColumn('beat', 'bigint', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Facts about polls, gaps in the record, and features that could not be read. */
export const ingest: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('polls')
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .addColumn('upstream_updated_at', 'bigint')
      .addColumn('listed_count', 'integer')
      .addPrimaryKeyConstraint('polls_key', ['outcome', 'started_at'])
      .execute();
    await schema.createIndex('polls_started').on('polls').column('started_at').execute();
    await schema
      .createTable('gaps')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('from_at', 'bigint', (column) => column.notNull())
      .addColumn('to_at', 'bigint')
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('backfilled', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('quarantine')
      .addColumn('content_hash', 'text', (column) => column.notNull())
      .addColumn('upstream_id', 'text', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('seen', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('raw', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('quarantine_key', ['content_hash', 'upstream_id'])
      .execute();
    await schema.createIndex('quarantine_last').on('quarantine').column('last_at').execute();
  },
};

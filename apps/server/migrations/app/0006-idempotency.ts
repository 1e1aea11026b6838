import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Answers of requests with an Idempotency-Key, for 24 hours. `scope` is a hash of who, what and the key; no answer holds a secret. */
export const idempotency: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('idempotency')
      .addColumn('scope', 'text', (column) => column.primaryKey())
      .addColumn('body_hash', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('idempotency_created').on('idempotency').column('created_at').execute();
  },
};

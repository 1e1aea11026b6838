import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * One row per entry, never updated. The columns ending in `_folded` are the lower-case twins that filters compare with; `changes` is
 * JSON. Keys of the address hashes by 90-day period.
 */
export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor_type', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('actor_name_folded', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target_type', 'text')
      .addColumn('target_id', 'text')
      .addColumn('target_label', 'text')
      .addColumn('target_label_folded', 'text')
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('request_id', 'text')
      .addColumn('address_hash', 'text')
      .addColumn('changes', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('audit_at').on('audit').columns(['at', 'id']).execute();
    await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'at']).execute();
    await db.schema.createIndex('audit_target').on('audit').columns(['target_id', 'at']).execute();
    await db.schema
      .createTable('address_keys')
      .addColumn('period', 'integer', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull())
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * API keys, the hashes of their secrets (one without an end is in use; ended ones stay a while to be told from unknown ones), granted
 * units per allowance and window, and what keys were used for, minute by minute.
 */
export const keys: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('limit_minute', 'bigint', (column) => column.notNull())
      .addColumn('limit_day', 'bigint', (column) => column.notNull())
      .addColumn('limit_month', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('last_country', 'text')
      .addColumn('last_agent', 'text')
      .addColumn('total_requests', 'bigint', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('api_keys_user').on('api_keys').columns(['user_id', 'created_at']).execute();
    await db.schema
      .createTable('api_key_secrets')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint')
      .execute();
    await db.schema.createIndex('api_key_secrets_key').on('api_key_secrets').column('key_id').execute();
    await db.schema
      .createTable('quota_windows')
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('span', 'text', (column) => column.notNull())
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('granted', 'bigint', (column) => column.notNull())
      .addColumn('asked', 'bigint', (column) => column.notNull())
      .addColumn('given', 'bigint', (column) => column.notNull())
      .addColumn('cap', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('quota_windows_pk', ['subject', 'span'])
      .execute();
    await db.schema
      .createTable('api_key_minutes')
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('minute', 'bigint', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('allowed', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('api_key_minutes_pk', ['key_id', 'minute', 'endpoint'])
      .execute();
    await db.schema.createIndex('api_key_minutes_minute').on('api_key_minutes').column('minute').execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Usage of the API. `requests`: one row per finished request, `_next` columns hashed with the key of the coming 90 days. `batches`: what was
 * written, so that a batch counts once. `rollups`: counts per minute (size 0), hour (1) and day (2) of everything that is counted by;
 * `part` = who wrote it while it was open, `rolled` = 1 when the next size has it. `visitors`: the same by visitor.
 */
export const usage: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('batches')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('ms', 'double precision')
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('visitor', 'text', (column) => column.notNull())
      .addColumn('visitor_next', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('address_next', 'text', (column) => column.notNull())
      .addColumn('country', 'text', (column) => column.notNull())
      .addColumn('region', 'text')
      .addColumn('city', 'text')
      .addColumn('browser', 'text')
      .addColumn('os', 'text')
      .addColumn('device', 'text', (column) => column.notNull())
      .addColumn('agent', 'text')
      .addColumn('cache', 'text', (column) => column.notNull())
      .addColumn('alerts', 'integer', (column) => column.notNull())
      .addColumn('geographic', 'integer', (column) => column.notNull())
      .addColumn('time_filtered', 'integer', (column) => column.notNull())
      .addColumn('cost', 'integer', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('requests_at').on('requests').columns(['at', 'id']).execute();
    for (const column of ['endpoint', 'visitor', 'visitor_next', 'user_id', 'key_id', 'error'])
      await schema.createIndex(`requests_${column}`).on('requests').columns([column, 'at']).execute();
    await schema
      .createTable('rollups')
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('start', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('rolled', 'integer', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('errors', 'bigint', (column) => column.notNull())
      .addColumn('server_errors', 'bigint', (column) => column.notNull())
      .addColumn('timed', 'bigint', (column) => column.notNull())
      .addColumn('ms', 'double precision', (column) => column.notNull())
      .addColumn('ms_max', 'double precision', (column) => column.notNull())
      .addColumn('error_timed', 'bigint', (column) => column.notNull())
      .addColumn('error_ms', 'double precision', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('gets', 'bigint', (column) => column.notNull())
      .addColumn('not_modified', 'bigint', (column) => column.notNull())
      .addColumn('alerts', 'bigint', (column) => column.notNull())
      .addColumn('geographic', 'bigint', (column) => column.notNull())
      .addColumn('time_filtered', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      // SQLite takes any name of a type and keeps bytes as bytes.
      .addColumn('sketch', 'bytea')
      .addColumn('addresses', 'bytea')
      .addColumn('addresses_next', 'bytea')
      .addPrimaryKeyConstraint('rollups_pk', ['size', 'start', 'kind', 'name', 'principal', 'part'])
      .execute();
    await schema.createIndex('rollups_open').on('rollups').columns(['rolled', 'size', 'start']).execute();
    await schema.createIndex('rollups_kind').on('rollups').columns(['kind', 'size', 'start']).execute();
    await schema
      .createTable('visitors')
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('start', 'bigint', (column) => column.notNull())
      .addColumn('visitor', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('rolled', 'integer', (column) => column.notNull())
      .addColumn('visitor_next', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('errors', 'bigint', (column) => column.notNull())
      .addColumn('timed', 'bigint', (column) => column.notNull())
      .addColumn('ms', 'double precision', (column) => column.notNull())
      .addColumn('desktop', 'bigint', (column) => column.notNull())
      .addColumn('mobile', 'bigint', (column) => column.notNull())
      .addColumn('bot', 'bigint', (column) => column.notNull())
      .addColumn('client', 'bigint', (column) => column.notNull())
      .addColumn('unknown', 'bigint', (column) => column.notNull())
      .addColumn('by_key', 'bigint', (column) => column.notNull())
      .addColumn('by_api', 'bigint', (column) => column.notNull())
      .addColumn('sessions', 'bigint', (column) => column.notNull())
      .addColumn('active_ms', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('visitors_pk', ['size', 'start', 'visitor', 'scope', 'part'])
      .execute();
    await schema.createIndex('visitors_open').on('visitors').columns(['rolled', 'size', 'start']).execute();
    await schema.createIndex('visitors_visitor').on('visitors').columns(['visitor', 'start']).execute();
    await schema.createIndex('visitors_next').on('visitors').columns(['visitor_next', 'start']).execute();
    await schema
      .createTable('usage_marks')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'bigint', (column) => column.notNull())
      .execute();
    await db
      .withTables<{ usage_marks: { name: string; value: number } }>()
      .insertInto('usage_marks')
      .values({ name: 'compaction', value: 0 })
      .execute();
  },
};

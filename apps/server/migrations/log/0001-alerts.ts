import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Messages, events, their past states and the numbered log. Instants are epoch milliseconds; "no end" is 8640000000000000. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>) {
    await createMessages(db);
    await createEvents(db);
    await createHistory(db);
  },
};

async function createMessages(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('upstream_id', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('sent', 'bigint', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('bulletin', 'text')
    .addColumn('parsed', 'text', (column) => column.notNull())
    .addColumn('raw', 'text', (column) => column.notNull())
    .addUniqueConstraint('messages_content', ['upstream_id', 'content_hash'])
    .execute();
  await schema.createIndex('messages_event').on('messages').column('event_id').execute();
  await schema.createIndex('messages_bulletin').on('messages').column('bulletin').where(sql.ref('bulletin'), 'is not', null).execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('events')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('event_code', 'text')
    .addColumn('office', 'text')
    .addColumn('countable', 'integer', (column) => column.notNull())
    .addColumn('in_force_from', 'bigint', (column) => column.notNull())
    .addColumn('over_at', 'bigint', (column) => column.notNull())
    .addColumn('span_class', 'integer', (column) => column.notNull())
    .addColumn('sent', 'bigint')
    .addColumn('effective', 'bigint')
    .addColumn('onset', 'bigint')
    .addColumn('expires', 'bigint')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('rev_seq', 'integer')
    .addColumn('rev_from', 'bigint')
    .addColumn('rev_over_at', 'bigint')
    .addColumn('shape', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('events_span').on('events').columns(['span_class', 'in_force_from']).execute();
  for (const column of ['over_at', 'sent', 'effective', 'onset', 'expires', 'updated_at']) {
    await schema.createIndex(`events_${column}`).on('events').column(column).execute();
  }
  await schema
    .createTable('event_keys')
    .addColumn('vtec_key', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_keys_key', ['vtec_key', 'event_id'])
    .execute();
  await schema
    .createTable('event_areas')
    .addColumn('area', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('in_force_from', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_areas_key', ['area', 'event_id'])
    .execute();
  await schema.createIndex('event_areas_from').on('event_areas').columns(['area', 'in_force_from']).execute();
}

async function createHistory(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('log')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('channels', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('state_reason', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('countable', 'integer', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('diff', 'text')
    .addColumn('alert_json', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('log_at').on('log').column('at').execute();
  await schema
    .createTable('revisions')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('diff', 'text')
    .addColumn('known_from', 'bigint')
    .addColumn('known_until', 'bigint')
    .addColumn('shown_until', 'bigint')
    .addColumn('span_class', 'integer')
    .addColumn('state', 'text')
    .addPrimaryKeyConstraint('revisions_key', ['event_id', 'seq'])
    .execute();
  await schema.createIndex('revisions_span').on('revisions').columns(['span_class', 'known_from']).execute();
}

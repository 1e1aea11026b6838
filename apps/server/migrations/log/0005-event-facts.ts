import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Distinct events reduced to what statistics ask. A roll-up: it can be dropped and is then built again from events and revisions. */
export const eventFacts: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('event_facts')
      .addColumn('event_id', 'text', (column) => column.primaryKey())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('event_lower', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('severity', 'integer', (column) => column.notNull())
      .addColumn('begin_at', 'bigint', (column) => column.notNull())
      .addColumn('local_day', 'integer', (column) => column.notNull())
      .addColumn('local_hour', 'integer', (column) => column.notNull())
      .addColumn('span_class', 'integer', (column) => column.notNull())
      .addColumn('span_from', 'bigint', (column) => column.notNull())
      .addColumn('over_at', 'bigint', (column) => column.notNull())
      .addColumn('states', 'text', (column) => column.notNull())
      .addColumn('codes', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('event_facts_span').on('event_facts').columns(['span_class', 'span_from', 'event_id']).execute();
    await schema.createIndex('event_facts_day').on('event_facts').columns(['local_day', 'local_hour', 'severity', 'source']).execute();
    await schema.createIndex('event_facts_event').on('event_facts').columns(['event_lower', 'local_day']).execute();
    await schema.createIndex('events_changed').on('events').columns(['updated_at', 'event_id']).execute();
  },
};

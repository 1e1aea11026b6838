import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When each revision said "in force", one narrow row per part, so that a timeline reads no states. A new database begins complete; one that has
 * revisions already is filled by the server while it runs, and `meta` says how far (`features/alerts/record/store-parts-fill.ts`).
 */
export const knownParts: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('known_parts')
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('part_from', 'bigint', (column) => column.notNull())
      .addColumn('shown_until', 'bigint', (column) => column.notNull())
      .addColumn('span_class', 'integer', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('known_from', 'bigint', (column) => column.notNull())
      .addColumn('known_until', 'bigint', (column) => column.notNull())
      .addColumn('sent', 'bigint', (column) => column.notNull())
      .addColumn('severity', 'text', (column) => column.notNull())
      .addColumn('countable', 'integer', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_parts_key', ['seq', 'part_from'])
      .execute();
    await schema.createIndex('known_parts_span').on('known_parts').columns(['span_class', 'part_from']).execute();
    const tables = db as Kysely<{ revisions: { seq: number }; log: { seq: number }; meta: { key: string; value: string } }>;
    const first = await tables.selectFrom('revisions').select('seq').limit(1).executeTakeFirst();
    if (first) return;
    const head = await tables
      .selectFrom('log')
      .select(sql<number | null>`max(seq)`.as('seq'))
      .executeTakeFirst();
    await tables
      .insertInto('meta')
      .values([
        { key: 'parts_head', value: String(head?.seq ?? 0) },
        { key: 'parts_filled', value: 'all' },
      ])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Imports that were finished, and what they were declared to be complete for. */
export const imports: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('imports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('finished_at', 'bigint', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('import_coverage')
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('office', 'text', (column) => column.notNull())
      .addColumn('from_at', 'bigint', (column) => column.notNull())
      .addColumn('to_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('import_coverage_key', ['code', 'office', 'from_at', 'to_at'])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How closely imported events are placed: questions about places need to know. */
export const importAreas: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('import_coverage')
      .addColumn('areas', 'text', (column) => column.notNull().defaultTo('none'))
      .execute();
  },
};

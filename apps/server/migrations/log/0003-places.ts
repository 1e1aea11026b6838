import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Versions of zone shapes by effective date; retired codes stay. The geometry is last, so that lists need not read it. */
export const places: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('zones')
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('family', 'text', (column) => column.notNull())
      .addColumn('effective_from', 'bigint', (column) => column.notNull())
      .addColumn('effective_to', 'bigint')
      .addColumn('fetched_at', 'bigint', (column) => column.notNull())
      .addColumn('props', 'text', (column) => column.notNull())
      .addColumn('geometry', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('zones_key', ['code', 'family', 'effective_from'])
      .execute();
  },
};

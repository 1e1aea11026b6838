import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes of what most requests do not have (a key, an account, an error) hold those that have it: three writes less for each of the others. */
export const requestIndexes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['user_id', 'key_id', 'error']) {
      await db.schema.dropIndex(`requests_${column}`).execute();
      await db.schema
        .createIndex(`requests_${column}`)
        .on('requests')
        .columns([column, 'at'])
        .where(sql.ref(column), 'is not', null)
        .execute();
    }
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The record by its ends, newest first, with all that counting it asks: pages of a long record and their total are read without a single
 * state. Takes the place of the index on the end alone.
 */
export const eventsEnded: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('events_ended')
      .on('events')
      .columns(['over_at desc', 'event_id', 'countable', 'event_code', 'office'])
      .execute();
    await schema.dropIndex('events_over_at').execute();
  },
};

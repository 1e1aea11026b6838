import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Events of one type by time, for history questions that name types: whether they touch a place is asked of these few alone. */
export const eventsByKind: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('events_kind').on('events').columns(['event_code', 'in_force_from', 'over_at', 'event_id']).execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests are counted by the `usage` part alone; its `account_totals` begins with what it recorded. */
export const oneRecordOfRequests: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('request_totals').execute();
    await db.schema.alterTable('users').dropColumn('total_requests').execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const DAY_MS = 86_400_000;
const GAP_MS = 1_800_000;

/** Rows of days and ten days in which a visit may go on over midnight, some in a hundred: questions look for them beside adding up all. */
export const visitsOverMidnight: Migration = {
  async up(db: Kysely<unknown>) {
    const isNear = sql<boolean>`(first_at % ${sql.lit(DAY_MS)} < ${sql.lit(GAP_MS)} or last_at % ${sql.lit(DAY_MS)} >= ${sql.lit(DAY_MS - GAP_MS)})`;
    for (const table of ['visitor_days', 'visitor_tens'])
      await db.schema
        .createIndex(`${table}_midnight`)
        .on(table)
        .columns(['start', 'scope', 'visitor', 'visitor_next', 'first_at', 'last_at'])
        .where(isNear)
        .execute();
  },
};

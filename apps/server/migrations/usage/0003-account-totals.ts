import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Tables = {
  account_totals: { user_id: string; principal: string; requests: number; last_at: number };
  visitors: { visitor: string; scope: string; rolled: number; user_id: string | null; requests: number; last_at: number };
};

/**
 * Requests of accounts of all time, by key and by session: what is recorded one by one is kept for months only. Written with each batch; it
 * begins with everything that is recorded so far.
 */
export const accountTotals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('account_totals')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('account_totals_pk', ['user_id', 'principal'])
      .execute();
    await db.schema.createIndex('account_totals_last').on('account_totals').column('last_at').execute();
    const tables = db.withTables<Tables>();
    await tables
      .insertInto('account_totals')
      .columns(['user_id', 'principal', 'requests', 'last_at'])
      .expression(
        tables
          .selectFrom('visitors')
          .select((of) => ['visitor', 'scope', sql<number>`sum(requests)`.as('requests'), of.fn.max('last_at').as('last_at')])
          .where('scope', 'in', ['key', 'session'])
          .where('rolled', '=', 0)
          .where('user_id', 'is not', null)
          .groupBy(['visitor', 'scope']),
      )
      .execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const COUNTS = [
  'requests',
  'errors',
  'timed',
  'desktop',
  'mobile',
  'bot',
  'client',
  'unknown',
  'by_key',
  'by_api',
  'sessions',
  'active_ms',
];
const COLUMNS = ['start', 'scope', 'visitor', 'visitor_next', 'user_id', ...COUNTS, 'ms', 'first_at', 'last_at'];
type Figures = Record<string, string | number | null>;
type Tables = { visitors: Figures; visitor_days: Figures; visitor_tens: Figures };
/** The new tables, and the size whose rows each begins with; these are of no part, so no two have one key. */
const TABLES = [
  ['visitor_days', 2],
  ['visitor_tens', 3],
] as const;

/**
 * Figures of visitors by day and by ten days, without what they used: `visitors` keeps that, and everything younger than a day. Its index of what
 * is in no bigger stretch holds nothing else, so that its size tells how little that is.
 */
export const visitorFigures: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, size] of TABLES) {
      let create = db.schema
        .createTable(table)
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('visitor', 'text', (column) => column.notNull())
        .addColumn('visitor_next', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text');
      for (const name of COUNTS) create = create.addColumn(name, 'bigint', (column) => column.notNull());
      await create
        .addColumn('ms', 'double precision', (column) => column.notNull())
        .addColumn('first_at', 'bigint', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint(`${table}_pk`, ['start', 'scope', 'visitor'])
        .execute();
      const tables = db.withTables<Tables>();
      const starts = await tables.selectFrom('visitors').select('start').distinct().where('size', '=', size).orderBy('start').execute();
      // A stretch at a time: months of them in one statement could take longer than a server lets any.
      for (const { start } of starts)
        await tables
          .insertInto(table)
          .columns(COLUMNS)
          .expression(tables.selectFrom('visitors').select(COLUMNS).where('size', '=', size).where('start', '=', start))
          .execute();
    }
    await db.schema.dropIndex('visitors_open').execute();
    await db.schema
      .createIndex('visitors_open')
      .on('visitors')
      .columns(['size', 'start'])
      .where(sql.ref('rolled'), '=', sql.lit(0))
      .where(sql.ref('size'), '<', sql.lit(3))
      .execute();
  },
};

import { sql } from 'kysely';
import { type BulkRow, insertRows, replaceOnConflict } from '../../platform/db/bulk.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import { DAY, TEN_DAYS, type VisitorRow } from './types.ts';
import { FIGURE_COLUMNS } from './visitor-columns.ts';

/**
 * What figures over days read of a visitor: rows of `visitors` without what the visitor used, a table for days and one for ten days. A question over 90 days
 * reads one row per visitor and ten days, and these lie beside each other.
 */
export const FIGURE_TABLES: ReadonlyMap<number, string> = new Map([
  [DAY, 'visitor_days'],
  [TEN_DAYS, 'visitor_tens'],
]);

const FIGURE_KEY = ['start', 'scope', 'visitor'];

/** Writes the figures of days and ten days over whatever is there; rows of other sizes have none. */
export async function putFigures(
  database: Database,
  transaction: Part,
  rows: readonly VisitorRow[],
  pause: () => Promise<void>,
): Promise<void> {
  for (const [size, name] of FIGURE_TABLES) {
    const table = {
      name: database.table('usage', name),
      columns: FIGURE_COLUMNS,
      suffix: replaceOnConflict(FIGURE_KEY, FIGURE_COLUMNS),
    };
    const values = rows.filter((row) => row.size === size).map((row): BulkRow => FIGURE_COLUMNS.map((column) => row[column]));
    await insertRows(transaction, database.engine.kind, table, values, pause);
  }
}

/** The figures of an account under a name that leads nowhere. Before its rows in `visitors` are renamed: their index says which these are. */
export async function renameFigures(database: Database, transaction: Part, userId: string, gone: string): Promise<void> {
  const visitors = sql.raw(database.table('usage', 'visitors'));
  for (const [size, name] of FIGURE_TABLES)
    await sql`update ${sql.raw(database.table('usage', name))} set user_id = null, visitor = ${gone}, visitor_next = ${gone} where visitor = ${userId}
      and (start, scope, visitor) in (select start, scope, visitor from ${visitors} where visitor = ${userId} and size = ${sql.lit(size)})`.execute(
      transaction,
    );
}

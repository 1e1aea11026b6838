import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Runs one statement somewhere: on this thread or in a worker. Parameters that are rows run it once for each row; a list in a row stands for its values. */
export type RunSql = (sql: string, parameters: readonly unknown[]) => SqlAnswer | Promise<SqlAnswer>;

export interface SqlAnswer {
  rows: unknown[];
  changes: number | null;
}

/** Prepared statements kept per connection; the hot ones are a few dozen. */
const STATEMENTS_KEPT = 256;

/** Statements of one connection, prepared once. */
export function statementRunner(db: DatabaseSync): (sql: string, parameters: readonly unknown[]) => SqlAnswer {
  const cache = new Map<string, { statement: StatementSync; returnsRows: boolean }>();
  return (sql, parameters) => {
    let entry = cache.get(sql);
    if (!entry) {
      const statement = db.prepare(sql);
      entry = { statement, returnsRows: statement.columns().length > 0 };
      if (cache.size >= STATEMENTS_KEPT) cache.delete(cache.keys().next().value ?? '');
      cache.set(sql, entry);
    }
    if (Array.isArray(parameters[0])) return runForEach(entry.statement, parameters as BulkInput[]);
    const values = parameters as SQLInputValue[];
    if (entry.returnsRows) return { rows: entry.statement.all(...values), changes: null };
    return { rows: [], changes: Number(entry.statement.run(...values).changes) };
  };
}

type BulkInput = (SQLInputValue | SQLInputValue[])[];

function runForEach(statement: StatementSync, rows: readonly BulkInput[]): SqlAnswer {
  let changes = 0;
  for (const row of rows) {
    const values = Array.isArray(row[0]) ? row.flat() : row;
    changes += Number(statement.run(...(values as SQLInputValue[])).changes);
  }
  return { rows: [], changes };
}

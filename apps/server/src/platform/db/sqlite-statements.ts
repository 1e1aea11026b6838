import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Runs one statement somewhere: on this thread or in a worker. Parameters that are rows run it once for each row; a list in a row stands for its values. */
export type RunSql = (sql: string, parameters: readonly unknown[]) => SqlAnswer | Promise<SqlAnswer>;

export interface SqlAnswer {
  rows: unknown[];
  changes: number | null;
}

/** Prepared statements kept per connection; the hot ones are a few dozen. */
const STATEMENTS_KEPT = 256;

/** `early`, where it is given, gets the rows a piece at a time; the answer holds the last ones. */
export type RunInPieces = (sql: string, parameters: readonly unknown[], early?: (rows: unknown[]) => void) => SqlAnswer;

/** Statements of one connection, prepared once. */
export function statementRunner(db: DatabaseSync): RunInPieces {
  const cache = new Map<string, { statement: StatementSync; returnsRows: boolean }>();
  return (sql, parameters, early) => {
    let entry = cache.get(sql);
    if (!entry) {
      const statement = db.prepare(sql);
      entry = { statement, returnsRows: statement.columns().length > 0 };
      if (cache.size >= STATEMENTS_KEPT) cache.delete(cache.keys().next().value ?? '');
      cache.set(sql, entry);
    }
    if (Array.isArray(parameters[0])) return runForEach(entry.statement, parameters as BulkInput[]);
    const values = parameters as SQLInputValue[];
    if (entry.returnsRows)
      return { rows: early ? lastPiece(entry.statement, values, early) : entry.statement.all(...values), changes: null };
    return { rows: [], changes: Number(entry.statement.run(...values).changes) };
  };
}

/** Letters of one piece: more than most answers have, and little beside the memory of a thread. */
const PIECE_LETTERS = 1_000_000;
/** What a row weighs beside its texts, in letters. */
const ROW_LETTERS = 100;

/** Whoever asks for thousands of states: they are never all in one place here. */
function lastPiece(statement: StatementSync, values: readonly SQLInputValue[], early: (rows: unknown[]) => void): unknown[] {
  let rows: unknown[] = [];
  let letters = 0;
  for (const row of statement.iterate(...values)) {
    rows.push(row);
    letters += ROW_LETTERS;
    for (const name in row) letters += typeof row[name] === 'string' ? row[name].length : 0;
    if (letters < PIECE_LETTERS) continue;
    early(rows);
    rows = [];
    letters = 0;
  }
  return rows;
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

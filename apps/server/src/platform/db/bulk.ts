import { CompiledQuery } from 'kysely';
import type { DatabaseConfig, Part } from './types.ts';

/** Rows per statement on PostgreSQL: few distinct statement texts, and short pauses of the event loop. */
const CHUNKS = [32, 8, 2, 1];

/** A table as hand-written SQL names it, with its columns in order. */
export interface BulkTable {
  /** Quoted, with its schema. */
  name: string;
  columns: readonly string[];
  /** What follows the values, e.g. `on conflict ...`; empty for plain inserts. */
  suffix?: string;
}

export type SqlValue = string | number | Uint8Array | null;
/** Values of one row. A list in it stands for its values: one that rows share travels to the SQLite thread once. */
export type BulkRow = readonly (SqlValue | readonly SqlValue[])[];

/** Rows that travel to the SQLite thread at once: a poll's table in one message, and no copy that holds the event loop up for long. */
const ROWS_PER_MESSAGE = 64;

/** Inserts many rows inside a transaction, in chunks; `pause` is awaited between chunks so that the event loop breathes. */
export async function insertRows(
  transaction: Part,
  engine: DatabaseConfig['kind'],
  table: BulkTable,
  rows: readonly BulkRow[],
  pause: () => Promise<void>,
): Promise<void> {
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  if (engine === 'sqlite') {
    const one = placeholders(engine, 1, table.columns.length);
    await runForEachRow(transaction, `insert into ${table.name} (${columns}) values ${one} ${table.suffix ?? ''}`, rows, pause);
    return;
  }
  for (const chunk of chunked(rows)) {
    const values = placeholders(engine, chunk.length, table.columns.length);
    const text = `insert into ${table.name} (${columns}) values ${values} ${table.suffix ?? ''}`;
    await transaction.executeQuery(CompiledQuery.raw(text, chunk.flat(2)));
    await pause();
  }
}

/**
 * SQLite only: one statement, run once per row where the connection lives. Under one thread a round trip per few rows costs more than the
 * rows do, and a short prepared statement beats one with hundreds of parameters.
 */
export async function runForEachRow(transaction: Part, text: string, rows: readonly BulkRow[], pause: () => Promise<void>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_MESSAGE) {
    await transaction.executeQuery(CompiledQuery.raw(text, rows.slice(start, start + ROWS_PER_MESSAGE)));
    await pause();
  }
}

/** `(?, ?), (?, ?)` or `($1, $2), ($3, $4)`; `types` casts each value, which PostgreSQL needs where no column tells the type. */
export function placeholders(engine: DatabaseConfig['kind'], rows: number, columns: number, types?: readonly string[]): string {
  let n = 0;
  const value = (column: number) => {
    n += 1;
    const mark = engine === 'sqlite' ? '?' : `$${n}`;
    return types ? `cast(${mark} as ${types[column]})` : mark;
  };
  const row = () => `(${Array.from({ length: columns }, (_, column) => value(column)).join(', ')})`;
  return Array.from({ length: rows }, row).join(', ');
}

/** Cuts rows into pieces of the fixed sizes. */
export function* chunked<T>(rows: readonly T[]): Generator<T[]> {
  let start = 0;
  for (const size of CHUNKS) {
    while (rows.length - start >= size) {
      yield rows.slice(start, start + size);
      start += size;
    }
  }
}

/** Upsert clause: everything but the key takes the new value. */
export function replaceOnConflict(key: readonly string[], columns: readonly string[]): string {
  const quoted = (names: readonly string[], form: (name: string) => string) => names.map(form).join(', ');
  const rest = columns.filter((column) => !key.includes(column));
  return `on conflict (${quoted(key, (name) => `"${name}"`)}) do update set ${quoted(rest, (name) => `"${name}" = excluded."${name}"`)}`;
}

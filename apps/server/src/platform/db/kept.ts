import { createHash } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Part } from './types.ts';

/** Begins the text of a statement that PostgreSQL keeps prepared per connection. */
const MARK = '/* kept */ ';

/**
 * Runs a statement that PostgreSQL parses and plans once per connection: for short questions by a key, where planning is half of the time. Its text must
 * be one of few, and one plan must be good for all values. SQLite keeps all its statements anyway.
 */
export async function executeKept<Row>(part: Part, statement: Compilable<Row>): Promise<Row[]> {
  const compiled = statement.compile();
  return (await part.executeQuery<Row>({ ...compiled, sql: MARK + compiled.sql })).rows;
}

/** The name a marked statement is kept under; null for all others. */
export function keptName(text: unknown): string | null {
  return typeof text === 'string' && text.startsWith(MARK) ? createHash('sha256').update(text).digest('hex').slice(0, 32) : null;
}

import { createHash } from 'node:crypto';
import { AppError } from '../app-error.ts';

/** Position in a list ordered by an instant, ties by id. */
export interface KeysetPosition {
  at: number;
  id: string;
}

const INVALID = 'cursor was not issued by this server. Start again without it.';

/** Ties a cursor to the filters it was given under: `question` is the query without what only moves through the result. */
export function encodeKeyset({ at, id }: KeysetPosition, question: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify([hashOf(question), at, id])).toString('base64url');
}

/** @throws AppError query.cursor_invalid, query.cursor_mismatch */
export function decodeKeyset(text: string, question: Readonly<Record<string, unknown>>): KeysetPosition {
  const parts = read(text);
  if (!parts) throw new AppError('query.cursor_invalid', { public: INVALID });
  const [owner, at, id] = parts;
  if (owner !== hashOf(question))
    throw new AppError('query.cursor_mismatch', { public: 'cursor belongs to other filters. Start again without it.' });
  return { at, id };
}

const MOVING = new Set(['cursor', 'limit']);

function hashOf(question: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(question)
    .filter(([name, value]) => value !== undefined && !MOVING.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64url').slice(0, 12);
}

function read(text: string): [string, number, string] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3) return null;
    const [owner, at, id] = parts as unknown[];
    // A NUL in the id would be a database error instead of an answer.
    const sound = typeof owner === 'string' && Number.isSafeInteger(at) && typeof id === 'string' && /^[\w.:~-]{1,128}$/.test(id);
    return sound ? [owner, at as number, id as string] : null;
  } catch {
    return null;
  }
}

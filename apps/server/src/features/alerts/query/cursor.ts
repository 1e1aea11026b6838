import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/app-error.ts';
import type { Order, SortKey } from './order.ts';

/** Names of the query that move through one result and do not change what it is. */
const PAGING = new Set(['cursor', 'offset', 'limit', 'detail', 'format']);

/** Same for the same question in any spelling order; binds a cursor to its filters and order. */
export function questionHash(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !PAGING.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64url').slice(0, 12);
}

export function encodeCursor(key: SortKey, question: string): string {
  return Buffer.from(JSON.stringify([question, ...key])).toString('base64url');
}

/** @throws AppError query.cursor_invalid, query.cursor_mismatch */
export function decodeCursor(text: string, question: string, { parts: expected }: Pick<Order, 'parts'>): SortKey {
  const parts = parse(text);
  if (!parts) throw new AppError('query.cursor_invalid', { public: 'cursor was not issued by this server. Start again without it.' });
  const [owner, ...key] = parts;
  if (owner !== question) {
    throw new AppError('query.cursor_mismatch', { public: 'cursor belongs to other filters or another order. Start again without it.' });
  }
  const fits = key.length === expected.length && key.every((part, index) => typeof part === expected[index]);
  if (!fits) throw new AppError('query.cursor_invalid', { public: 'cursor was not issued by this server. Start again without it.' });
  return key;
}

function parse(text: string): (string | number)[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts)) return null;
    return parts.every((part) => typeof part === 'string' || typeof part === 'number') ? (parts as (string | number)[]) : null;
  } catch {
    return null;
  }
}

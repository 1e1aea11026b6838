import type { Row } from '../board/row.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fieldFault } from './fault.ts';
import type { Order, SortKey } from './order.ts';

/** Largest and default number of rows of one answer (R-28: 0 and absent mean this). */
export const MAX_LIMIT = 1000;

export interface PageQuery {
  limit?: number | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
}

export interface Page<R = Row> {
  rows: R[];
  limit: number;
  offset: number;
  hasMore: boolean;
  nextCursor: string | null;
}

/** An order of what may be less than a row. */
export interface Keyed<R> extends Pick<Order, 'parts' | 'compareKeys'> {
  key(row: R): SortKey;
}

/** Cuts one page out of sorted rows. With a cursor: everything after its key, so an unchanged row is neither repeated nor skipped. */
export function pageOf<R>(sorted: readonly R[], query: PageQuery, order: Keyed<R>, question: string): Page<R> {
  refuseBoth(query);
  const limit = query.limit || MAX_LIMIT;
  const offset = query.offset ?? 0;
  const start = query.cursor === undefined ? offset : firstAfter(sorted, decodeCursor(query.cursor, question, order), order);
  const rows = sorted.slice(start, start + limit);
  const hasMore = start + rows.length < sorted.length;
  const last = rows.at(-1);
  return { rows, limit, offset, hasMore, nextCursor: hasMore && last ? encodeCursor(order.key(last), question) : null };
}

/** @throws AppError request.invalid */
export function refuseBoth({ cursor, offset }: PageQuery): void {
  if (cursor !== undefined && offset !== undefined) throw fieldFault('offset', 'conflict', 'Give cursor or offset, not both.');
}

function firstAfter<R>(sorted: readonly R[], key: SortKey, order: Keyed<R>): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = sorted[middle];
    if (row && order.compareKeys(order.key(row), key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

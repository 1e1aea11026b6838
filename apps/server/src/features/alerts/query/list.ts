import type { alerts, QueryOf } from '@nwms/contract';
import type { Row } from '../board/row.ts';
import { questionHash } from './cursor.ts';
import { compileFilter } from './filter.ts';
import { factsOf, isWhole, rowsOf } from './kept-rows.ts';
import { orderOf, sortRows } from './order.ts';
import { type Page, pageOf } from './page.ts';
import { type QueryDeps, type Question, selectRows } from './select.ts';
import { compileTime } from './time.ts';
import { isWalkable, walkRecord } from './walk.ts';
import { type Warning, warningsOf } from './warnings.ts';

export type ListQuery = QueryOf<typeof alerts.listAlerts>;

export interface ListResult {
  question: Question;
  /** Every matching row in order, a piece at a time. */
  allRows(): AsyncIterable<readonly Row[]>;
  page: Page;
  /** Rows that match, the ones of other pages among them. */
  total: number;
  /** False: `total` is a floor. */
  totalExact: boolean;
  warnings: Warning[];
}

/**
 * Checks, selects, sorts and cuts one list answer. A record too long to be read is walked by its index; not where `whole` asks for every
 * row in one answer, nor in an order that no index has: there what is left out is told.
 */
export async function listRows(deps: QueryDeps, query: ListQuery, { whole = false } = {}): Promise<ListResult> {
  const question = questionOf(deps, query);
  const by = query.order_by ?? 'rank';
  const order = orderOf(by, question.view);
  const hash = questionHash(query);
  const selection = await selectRows(deps, question, order.key);
  const keyed = { ...order, key: factsOf(order.key) };
  const sorted = selection.ranked && by === 'rank' ? selection.rows : sortRows(selection.rows, keyed);
  const allRows = () => rowsOf(deps, question, selection.readAt, sorted);
  if (selection.beyond && !whole && question.view === 'events' && isWalkable(by)) {
    const { page, total, exact } = await walkRecord(deps, question, selection.rows.filter(isWhole), { query, by, order, hash });
    const warnings = warningsOf(deps, query, { ...selection, complete: true });
    return { question, allRows, page, total, totalExact: exact, warnings: exact ? warnings : [...warnings, FLOOR] };
  }
  const page = pageOf(sorted, query, keyed, hash);
  return {
    question,
    allRows,
    page: { ...page, rows: (await Array.fromAsync(rowsOf(deps, question, selection.readAt, page.rows))).flat() },
    total: sorted.length,
    totalExact: selection.complete,
    warnings: warningsOf(deps, query, selection),
  };
}

const FLOOR: Warning = {
  code: 'total_is_floor',
  message: 'The record is long: total counts what was looked through for this page. next_cursor goes on to the end of it.',
};

/** Filters and times of list and stats. */
export function questionOf(deps: QueryDeps, query: ListQuery): Question {
  return {
    filter: query,
    compiled: compileFilter(query, deps.places),
    time: compileTime(query, deps.clock.now()),
    view: query.view ?? 'events',
  };
}

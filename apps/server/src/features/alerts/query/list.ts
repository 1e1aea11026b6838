import type { alerts, QueryOf } from '@nwms/contract';
import type { Row } from '../board/row.ts';
import { questionHash } from './cursor.ts';
import { compileFilter } from './filter.ts';
import { orderOf, sortRows } from './order.ts';
import { type Page, pageOf } from './page.ts';
import { type QueryDeps, type Question, type Selection, selectRows } from './select.ts';
import { compileTime } from './time.ts';
import { type Warning, warningsOf } from './warnings.ts';

export type ListQuery = QueryOf<typeof alerts.listAlerts>;

export interface ListResult {
  question: Question;
  selection: Selection;
  sorted: readonly Row[];
  page: Page;
  warnings: Warning[];
}

/** Checks, selects, sorts and cuts one list answer. */
export async function listRows(deps: QueryDeps, query: ListQuery): Promise<ListResult> {
  const question = questionOf(deps, query);
  const order = orderOf(query.order_by ?? 'rank', question.view);
  const selection = await selectRows(deps, question);
  const inOrder = selection.ranked && (query.order_by ?? 'rank') === 'rank';
  const sorted = inOrder ? selection.rows : sortRows(selection.rows, order);
  return {
    question,
    selection,
    sorted,
    page: pageOf(sorted, query, order, questionHash(query)),
    warnings: warningsOf(deps, query, selection),
  };
}

/** Filters and times of list and stats. */
export function questionOf(deps: QueryDeps, query: ListQuery): Question {
  return {
    filter: query,
    compiled: compileFilter(query, deps.places),
    time: compileTime(query, deps.clock.now()),
    view: query.view ?? 'events',
  };
}

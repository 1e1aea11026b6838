import type { alerts, QueryOf } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain';
import type { Row } from '../board/row.ts';
import { foldText } from './fold.ts';

export type OrderBy = NonNullable<QueryOf<typeof alerts.listAlerts>['order_by']>;
export type SortKey = readonly (number | string)[];

export interface Order {
  /** Position of a row in this order; unique, because its last part is the row's own id. */
  key(row: Row): SortKey;
  compare(a: Row, b: Row): number;
  compareKeys(a: SortKey, b: SortKey): number;
  /** Types of the parts of a key, to tell a cursor of ours from made-up text. */
  parts: readonly ('number' | 'string')[];
}

type View = 'events' | 'messages';

/** Sort texts are cut here: an area list may be many kilobytes and a cursor carries the key. */
const TEXT_KEY_LENGTH = 40;

const FIELDS: Record<string, (row: Row) => number | string> = {
  sent: (row) => row.order.sent,
  effective: (row) => row.order.effective,
  onset: (row) => row.order.onset,
  expires: (row) => row.order.expires,
  in_force_until: (row) => row.order.until,
  updated_at: (row) => row.order.updatedAt,
  event: (row) => foldText(row.alert.event).slice(0, TEXT_KEY_LENGTH),
  area: (row) => foldText(row.alert.area_desc.slice(0, 200)).slice(0, TEXT_KEY_LENGTH),
  // SEVERITIES runs from Extreme down to Unknown; ascending means Unknown first.
  severity: (row) => SEVERITIES.length - SEVERITIES.indexOf(row.alert.severity),
  hazard_rank: (row) => row.alert.hazard_rank,
};

/** Danger first: in force, then upcoming, each by rank and end; then what is over, newest end first. */
function rankKey(row: Row): [number, number, number] {
  const { class: rank, until, endedAt } = row.order;
  return rank === 2 ? [2, -endedAt, 0] : [rank, -row.alert.hazard_rank, until];
}

/** A total order: equal keys are told apart by event id, or by message id where rows are messages. */
export function orderOf(by: OrderBy, view: View): Order {
  const tie = view === 'events' ? (row: Row) => row.alert.event_id : (row: Row) => row.alert.id;
  const descending = by.startsWith('-');
  const name = descending ? by.slice(1) : by;
  const field = FIELDS[name];
  const key: (row: Row) => SortKey =
    by === 'rank' ? (row) => [...rankKey(row), tie(row)] : field ? (row) => [field(row), tie(row)] : (row) => [row.alert.id, tie(row)];
  const sign = descending ? -1 : 1;
  const compareKeys = (a: SortKey, b: SortKey): number => {
    for (let index = 0; index < a.length; index += 1) {
      const [x, y] = [a[index], b[index]];
      if (x === undefined || y === undefined || x === y) continue;
      // The tie-break always ascends, so that pages of a reversed order stay stable too.
      const turn = index === a.length - 1 ? 1 : sign;
      return x < y ? -turn : turn;
    }
    return 0;
  };
  const parts = partsOf(by, name);
  return { key, parts, compareKeys, compare: (a, b) => compareKeys(key(a), key(b)) };
}

function partsOf(by: OrderBy, name: string): Order['parts'] {
  if (by === 'rank') return ['number', 'number', 'number', 'string'];
  return [name === 'event' || name === 'area' || name === 'id' ? 'string' : 'number', 'string'];
}

/** Sorts with each key made once. */
export function sortRows<R>(rows: readonly R[], order: { key(row: R): SortKey; compareKeys(a: SortKey, b: SortKey): number }): R[] {
  return rows
    .map((row) => ({ row, key: order.key(row) }))
    .sort((a, b) => order.compareKeys(a.key, b.key))
    .map(({ row }) => row);
}

import { overAt } from '@nwms/domain';
import type { Row } from '../board/row.ts';
import type { RecordBounds, RecordKey, RecordWalk } from '../types.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { AlertFilter } from './filter.ts';
import type { Order, OrderBy, SortKey } from './order.ts';
import { MAX_LIMIT, type Page, type PageQuery, refuseBoth } from './page.ts';
import { OFFICE_LETTERS, placed, type QueryDeps, type Question, recordBoundsOf } from './select.ts';
import { rowsOfEvents } from './event-rows.ts';

/** Events one answer may look through for rows that only the predicate can tell. */
const SCANNED = 2_000;
/** Of those, read at a time. */
const PIECE = 250;

/** Orders in which the record can be read from its indexes. */
const WALKS: Partial<Record<OrderBy, Pick<RecordWalk, 'order' | 'descending'>>> = {
  rank: { order: 'ended', descending: true },
  sent: { order: 'sent', descending: false },
  '-sent': { order: 'sent', descending: true },
  updated_at: { order: 'updated', descending: false },
  '-updated_at': { order: 'updated', descending: true },
};

export const isWalkable = (by: OrderBy): boolean => WALKS[by] !== undefined;

export interface Walked {
  page: Page;
  total: number;
  /** False where only the predicate can count, and has not seen everything. */
  exact: boolean;
}

interface Asked {
  query: PageQuery;
  by: OrderBy;
  order: Order;
  /** Binds cursors to their question. */
  hash: string;
}

/** A row that is here, or the key of an event of the record whose row is made when it is on the page. */
interface Item {
  key: SortKey;
  row: Row | null;
  eventId: string;
}

/**
 * One page over the board and a record too long to be read: keys come from an index in the order of the answer, and only the page's own
 * events are read. Filters that SQL does not know are put to the events in pieces; when the page is not full after `SCANNED` of them,
 * it ends there, and its cursor goes on.
 */
export async function walkRecord(deps: QueryDeps, question: Question, board: readonly Row[], asked: Asked): Promise<Walked> {
  const { query, order, by, hash } = asked;
  refuseBoth(query);
  const walk = WALKS[by];
  if (!walk) throw new Error(`the record has no index for ${by}`);
  const limit = query.limit || MAX_LIMIT;
  const offset = query.offset ?? 0;
  const from = query.cursor === undefined ? null : decodeCursor(query.cursor, hash, order);
  const plain = isPlain(question.filter);
  const bounds = recordBoundsOf(deps, question);
  const here = board
    .map((row): Item => ({ key: order.key(row), row, eventId: row.alert.event_id }))
    .filter(({ key }) => from === null || order.compareKeys(key, from) > 0);
  const need = offset + limit + 1;
  const source = { ...bounds, ...walk, after: afterOf(by, from) };
  const record = plain
    ? { items: keyItems(deps, by, await deps.archive.recordKeys({ ...source, limit: need })), scannedTo: null, ended: false }
    : await scan(deps, question, source, by, Math.max(1, need - here.length));
  const { scannedTo } = record;
  const items = [...here, ...record.items]
    // What was not looked through yet may still come before these.
    .filter(({ key }) => scannedTo === null || order.compareKeys(key, scannedTo) <= 0)
    .sort((a, b) => order.compareKeys(a.key, b.key));
  const cut = items.slice(offset, offset + limit);
  const last = cut.at(-1)?.key ?? from;
  const isMore = items.length > offset + limit;
  const next = isMore ? last : scannedTo;
  const rows = await rowsOf(deps, cut);
  const onPage = { rows, limit, offset, hasMore: next !== null, nextCursor: next === null ? null : encodeCursor(next, hash) };
  if (!plain)
    return { page: onPage, total: board.length + record.items.length, exact: scannedTo === null && record.ended && from === null };
  return { page: onPage, total: board.length + (await countBeyond(deps, bounds)), exact: true };
}

/** Events of the record that are still on the board, because they ended otherwise than planned, are counted there. */
async function countBeyond({ archive, board }: QueryDeps, bounds: RecordBounds): Promise<number> {
  const twice = board.rows().filter(({ event }) => event.countable && (overAt(event) ?? Infinity) < bounds.endedBefore).length;
  return (await archive.countRecord(bounds, null)) - twice;
}

async function scan(deps: QueryDeps, question: Question, source: Omit<RecordWalk, 'limit'>, by: OrderBy, wanted: number) {
  const items: Item[] = [];
  let { after } = source;
  for (let scanned = 0; scanned < SCANNED; scanned += PIECE) {
    const keys = await deps.archive.recordKeys({ ...source, after, limit: PIECE });
    const rows = placed((await loadRows(deps, keys)).values(), question).rows;
    const found = new Map(rows.map((row) => [row.alert.event_id, row]));
    for (const item of keyItems(deps, by, keys)) {
      const row = found.get(item.eventId);
      if (row) items.push({ ...item, row });
    }
    const last = keys.at(-1);
    if (!last || keys.length < PIECE) return { items, scannedTo: null, ended: true };
    after = last;
    if (items.length >= wanted) break;
  }
  return { items, scannedTo: after && keyOf(by, after), ended: false };
}

async function rowsOf(deps: QueryDeps, items: readonly Item[]): Promise<Row[]> {
  const loaded = await loadRows(
    deps,
    items.filter(({ row }) => row === null),
  );
  return items.flatMap(({ row, eventId }) => row ?? loaded.get(eventId) ?? []);
}

async function loadRows(deps: QueryDeps, keys: readonly { eventId: string }[]): Promise<Map<string, Row>> {
  const { events, messages } = await deps.archive.events(keys.map(({ eventId }) => eventId));
  const rows = await rowsOfEvents(deps, events, messages, deps.clock.now());
  return new Map(rows.map((row) => [row.alert.event_id, row]));
}

const keyItems = ({ board }: QueryDeps, by: OrderBy, keys: readonly RecordKey[]): Item[] =>
  keys.filter(({ eventId }) => board.row(eventId) === undefined).map((key) => ({ key: keyOf(by, key), row: null, eventId: key.eventId }));

/** Keys as the order makes them of rows. */
const keyOf = (by: OrderBy, { value, eventId }: RecordKey): SortKey => (by === 'rank' ? [2, -value, 0, eventId] : [value, eventId]);

/** Where the record goes on behind a cursor; null = from its beginning, the cursor stands on the board. */
function afterOf(by: OrderBy, from: SortKey | null): RecordKey | null {
  if (from === null) return null;
  if (by !== 'rank') return { value: Number(from[0]), eventId: String(from[1]) };
  return from[0] === 2 ? { value: -Number(from[1]), eventId: String(from[3]) } : null;
}

/** Filters that the columns answer as the predicate does. */
const SAID_BY_COLUMNS = new Set(['event_code', 'office']);
/** Members of a list question that filter nothing out of it. */
const NOT_FILTERS = new Set(['limit', 'offset', 'cursor', 'detail', 'format', 'view', 'order_by', 'active_only', 'time_field']);

function isPlain(filter: AlertFilter): boolean {
  const offices = filter.office ?? [];
  return (
    offices.every((office) => office.length === OFFICE_LETTERS) &&
    Object.entries(filter).every(([name, value]) => value === undefined || SAID_BY_COLUMNS.has(name) || NOT_FILTERS.has(name))
  );
}

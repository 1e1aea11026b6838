import { kindConditions, areaConditions } from './archive-conditions.ts';
import type { AlertDb } from './tables.ts';
import type { RecordBounds, RecordKey, RecordWalk } from '../types.ts';

const COLUMNS = { ended: 'e.over_at', sent: 'e.sent', updated: 'e.updated_at' } as const;

/** How many events of the record were over before an instant; at most `cap` are counted where one is given. */
export async function countRecord(db: AlertDb, bounds: RecordBounds, cap: number | null): Promise<number> {
  const matching = inRecord(db, bounds).select('e.event_id');
  const counted = cap === null ? matching : matching.limit(cap);
  const row = await db
    .selectFrom(counted.as('matching'))
    .select((e) => e.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The next keys of the record in an order: no state is read for them. */
export async function recordKeys(db: AlertDb, { order, descending, after, limit, ...bounds }: RecordWalk): Promise<RecordKey[]> {
  const column = COLUMNS[order];
  const beyond = descending ? '<' : '>';
  const rows = await inRecord(db, bounds)
    .select(['e.event_id', `${column} as value`])
    .$if(after !== null, (query) =>
      query.where((e) =>
        e.and([
          // Alone it is what the index begins at; the rest sets those of the same value apart.
          e(column, descending ? '<=' : '>=', after?.value ?? 0),
          e.or([e(column, beyond, after?.value ?? 0), e('e.event_id', '>', after?.eventId ?? '')]),
        ]),
      ),
    )
    .orderBy(column, descending ? 'desc' : 'asc')
    .orderBy('e.event_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ value: Number(row.value ?? 0), eventId: row.event_id }));
}

/** Newest states of these events, in no order. */
export async function statesNamed(db: AlertDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('events')
    .select('state')
    .where('event_id', 'in', [...ids])
    .execute();
  return rows.map((row) => row.state);
}

const inRecord = (db: AlertDb, bounds: RecordBounds) =>
  db
    .selectFrom('events as e')
    .where('e.over_at', '<', bounds.endedBefore)
    .where('e.countable', 'in', bounds.countableOnly ? [1] : [0, 1])
    .where((e) => e.and([...kindConditions(e, bounds), ...areaConditions(e, bounds)]));

import {
  type AlertMessage,
  type EventFact,
  type EventState,
  type Instant,
  overAt,
  parseVtecEventId,
  type ReplayedLife,
} from '@nwms/domain';
import { type Kysely, sql } from 'kysely';
import { insertRows, replaceOnConflict, type SqlValue } from '../../../platform/db/bulk.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Database, Part } from '../../../platform/db/types.ts';
import { SAME_KNOWLEDGE } from '../storage/batch.ts';
import { inLists } from '../storage/messages-store.ts';
import { partRows } from '../storage/part-rows.ts';
import { areaRows, COLUMNS, eventRow, keyRows, type Known, messageRow, revisionRow, textOnce } from '../storage/rows.ts';
import { overlaps } from '../storage/spans.ts';
import { META } from '../storage/store.ts';
import { type AlertTables, alertTables, FOREVER } from '../storage/tables.ts';
import type { Incoming } from '../types.ts';
import { insertFacts } from './store-facts.ts';

/** An event of the record that carries a VTEC key asked for. */
export interface RecordedEvent {
  eventId: string;
  key: string;
  year: number;
  /** First message sent, and end as far as known. */
  from: Instant;
  until: Instant;
  /** Heard by this installation itself, wholly or in part. */
  isOwn: boolean;
  /** What its messages were made of; only of imported events. */
  raws: string[];
}

/** Where and when an own event was. */
export interface OwnEvent {
  office: string | null;
  from: Instant;
  until: Instant;
  zones: string[];
}

/** An event to be added, or to take the place of the imported event of the same id. */
export interface HistoricEvent {
  life: ReplayedLife;
  messages: Incoming[];
  fact: EventFact | null;
}

/** The record changed between reading and writing: read again. */
export class StaleHistory extends Error {
  override readonly name = 'StaleHistory';
}

/** Adds imported events to the record, beside the numbered log (decision 22). */
export interface HistoryStore {
  recorded(vtecKeys: readonly string[]): Promise<RecordedEvent[]>;
  /** Those of the message ids that are stored. */
  storedMessages(ids: readonly string[]): Promise<Set<string>>;
  /** Events of one type that this installation heard itself and that were in force in [from, to). */
  ownEvents(ask: { code: string; from: Instant; to: Instant }): Promise<OwnEvent[]>;
  /** One durable transaction. `seen` are the ids that `recorded` answered for `vtecKeys`. Rejects with StaleHistory. */
  write(batch: { events: readonly HistoricEvent[]; vtecKeys: readonly string[]; seen: ReadonlySet<string> }): Promise<void>;
}

/** Lowest number given to an imported revision, text in `meta`: they count down from -1, apart from the numbers of the log. */
const LOWEST_KEY = 'import_lowest';

export function createHistoryStore(database: Database, pause: () => Promise<void>): HistoryStore {
  const db = alertTables(database.log);
  const told =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await ask(...args);
      } catch (error) {
        throw error instanceof StaleHistory ? error : databaseFault(error);
      }
    };
  return {
    recorded: told((keys) => recorded(db, keys)),
    storedMessages: told(async (ids) => {
      const rows = await inLists(ids, (part) => db.selectFrom('messages').select('id').where('id', 'in', part).execute());
      return new Set(rows.map((row) => row.id));
    }),
    ownEvents: told((ask) => ownEvents(db, ask)),
    write: told((batch) => write(database, batch, pause)),
  };
}

async function recorded(db: Kysely<AlertTables>, keys: readonly string[]): Promise<RecordedEvent[]> {
  const rows = await inLists(keys, (part) =>
    db
      .selectFrom('event_keys as k')
      .innerJoin('events as e', 'e.event_id', 'k.event_id')
      .select(['k.vtec_key', 'e.event_id', 'e.state'])
      .where('k.vtec_key', 'in', part)
      .execute(),
  );
  const events = rows.map((row) => ({ key: row.vtec_key, event: JSON.parse(row.state) as EventState }));
  const ids = events.map(({ event }) => event.eventId);
  const messages = await inLists(ids, (part) =>
    db.selectFrom('messages').select(['event_id', 'source', 'raw']).where('event_id', 'in', part).orderBy('sent').execute(),
  );
  const byEvent = Map.groupBy(messages, (row) => row.event_id);
  return events.map(({ key, event }) => {
    const own = byEvent.get(event.eventId) ?? [];
    const isOwn = own.length === 0 || own.some((row) => row.source !== 'import');
    return {
      eventId: event.eventId,
      key,
      year: parseVtecEventId(event.eventId)?.year ?? 0,
      from: Math.min(...event.versions.map((version) => version.sent)),
      until: overAt(event) ?? FOREVER,
      isOwn,
      raws: isOwn ? [] : own.map((row) => row.raw),
    };
  });
}

async function ownEvents(db: Kysely<AlertTables>, { code, from, to }: { code: string; from: Instant; to: Instant }): Promise<OwnEvent[]> {
  const rows = await db
    .selectFrom('events as e')
    .select(['e.office', 'e.state', 'e.in_force_from', 'e.over_at'])
    .where((e) => overlaps(e, { spanClass: 'e.span_class', from: 'e.in_force_from', until: 'e.over_at' }, from, to))
    .where('e.event_code', '=', code)
    // Numbers of the log: of its own messages an event always has one.
    .where('e.rev_seq', '>', 0)
    .execute();
  return rows.map((row) => {
    const zones = (JSON.parse(row.state) as EventState).zones.map((zone) => zone.code);
    return { office: row.office, from: row.in_force_from, until: row.over_at, zones };
  });
}

async function write(
  database: Database,
  { events, vtecKeys, seen }: Parameters<HistoryStore['write']>[0],
  pause: () => Promise<void>,
): Promise<void> {
  await database.log.transaction().execute(async (tx) => {
    await database.engine.allowLongWrites(tx);
    const lowest = await takeTurn(database, tx);
    const db = alertTables(tx);
    const keys = await inLists(vtecKeys, (part) => db.selectFrom('event_keys').select('event_id').where('vtec_key', 'in', part).execute());
    if (keys.length !== seen.size || keys.some((row) => !seen.has(row.event_id))) throw new StaleHistory('an event came meanwhile');
    await removeOld(
      db,
      events.map(({ life }) => life.event.eventId).filter((id) => seen.has(id)),
    );
    const rows = rowsOf(events, lowest);
    const insert = (table: keyof typeof COLUMNS, values: readonly SqlValue[][], suffix = '') =>
      insertRows(tx, database.engine.kind, { name: database.table('log', table), columns: COLUMNS[table], suffix }, values, pause);
    await insert('messages', rows.messages);
    await insert('events', rows.events, replaceOnConflict(['event_id'], COLUMNS.events));
    await insert('event_keys', rows.keys, 'on conflict do nothing');
    await insert('event_areas', rows.areas);
    await insert('revisions', rows.revisions);
    await insert('known_parts', rows.parts);
    await insertFacts(
      database,
      tx,
      events.flatMap(({ fact }) => fact ?? []),
      pause,
    );
    await db
      .updateTable('meta')
      .set({ value: String(lowest - rows.revisions.length) })
      .where('key', '=', LOWEST_KEY)
      .execute();
  });
}

/** One writer at a time: other imports wait for the counter, the collector for the row that it locks too. */
async function takeTurn(database: Database, tx: Part): Promise<number> {
  await alertTables(tx)
    .insertInto('meta')
    .values([
      { key: LOWEST_KEY, value: '0' },
      { key: META.writerToken, value: '0' },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const meta = sql.raw(database.table('log', 'meta'));
  const lock = sql.raw(database.engine.lockRow);
  const { rows } = await sql<{ key: string; value: string }>`
    select key, value from ${meta} where key in (${LOWEST_KEY}, ${META.writerToken}) order by key${lock}`.execute(tx);
  return Number(rows.find((row) => row.key === LOWEST_KEY)?.value ?? 0);
}

async function removeOld(db: Kysely<AlertTables>, ids: readonly string[]): Promise<void> {
  await inLists(ids, async (part) => {
    await db.deleteFrom('messages').where('event_id', 'in', part).execute();
    await db.deleteFrom('event_areas').where('event_id', 'in', part).execute();
    await db
      .deleteFrom('known_parts')
      .where('seq', 'in', (e) => e.selectFrom('revisions').select('revisions.seq').where('revisions.event_id', 'in', part))
      .execute();
    await db.deleteFrom('revisions').where('event_id', 'in', part).execute();
    return [];
  });
}

interface HistoryRows {
  messages: SqlValue[][];
  events: SqlValue[][];
  keys: SqlValue[][];
  areas: SqlValue[][];
  revisions: SqlValue[][];
  parts: SqlValue[][];
}

function rowsOf(events: readonly HistoricEvent[], lowest: number): HistoryRows {
  const rows: HistoryRows = { messages: [], events: [], keys: [], areas: [], revisions: [], parts: [] };
  const text = textOnce();
  let seq = lowest - events.reduce((count, { life }) => count + life.entries.length, 0);
  for (const { life, messages } of events) {
    const { event } = life;
    const byId = new Map<string, AlertMessage>(messages.map(({ message }) => [message.id, message]));
    const lasting = knownOf(life);
    let revision: { seq: number; from: Instant; overAt: Instant } | null = null;
    for (const [index, entry] of life.entries.entries()) {
      const own = lasting[index] ?? null;
      const known = own && own.until > own.from ? own : null;
      const current = known && byId.get(known.state.currentId);
      rows.revisions.push(revisionRow({ ...entry, seq }, known, text));
      if (known && current) rows.parts.push(...partRows({ ...entry, seq }, known, current));
      if (own) revision = { seq, from: own.from, overAt: own.overAt };
      seq += 1;
    }
    const held = { event, overAt: overAt(event) ?? FOREVER, dueAt: FOREVER, revision, shape: null };
    rows.messages.push(...messages.map((each) => messageRow(each, event.eventId)));
    rows.events.push(eventRow(held, byId.get(event.currentId), text));
    rows.keys.push(...keyRows(event));
    rows.areas.push(...areaRows(event));
  }
  return rows;
}

/** What was known from when until when, per entry; null for entries that only tell what the clock did. */
export function knownOf({ entries }: Pick<ReplayedLife, 'entries'>): (Known | null)[] {
  let last: Known | null = null;
  return entries.map((entry) => {
    if (SAME_KNOWLEDGE.has(entry.kind)) return null;
    if (last) last.until = entry.at;
    last = { from: entry.at, until: FOREVER, overAt: overAt(entry.event) ?? FOREVER, state: entry.event };
    return last;
  });
}

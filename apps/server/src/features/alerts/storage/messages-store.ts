import type { AlertMessage, EventState, Instant } from '@nwms/domain';
import type { AlertDb } from './tables.ts';
import type { Held } from './working-set.ts';

/** Values per `in (...)` list; far below both engines' limits. */
const IDS_PER_QUERY = 400;

export type StoredEvent = Pick<Held, 'event' | 'revision' | 'shape'>;

export interface Identity {
  id: string;
  upstreamId: string;
  contentHash: string;
}

const EVENT_COLUMNS = ['state', 'rev_seq', 'rev_from', 'rev_over_at', 'shape'] as const;

/** Messages and events by their names, for the working set, the board's start and the archive. Throws the database's own errors. */
export interface MessagesStore {
  /** Everything stored under these upstream ids. */
  identities(upstreamIds: readonly string[]): Promise<Identity[]>;
  messages(ids: readonly string[]): Promise<AlertMessage[]>;
  events(eventIds: readonly string[]): Promise<StoredEvent[]>;
  /** Ids of events that carry these VTEC keys, or that hold these messages (our ids or upstream ids). */
  eventIdsOf(names: { vtecKeys: readonly string[]; messageIds: readonly string[] }): Promise<string[]>;
  /** Events that end after `after`, with the identities of all their messages. */
  recent(after: Instant): Promise<{ events: StoredEvent[]; identities: Identity[] }>;
}

export function createMessagesStore(db: AlertDb): MessagesStore {
  return {
    async identities(upstreamIds) {
      const rows = await inLists(upstreamIds, (ids) =>
        db.selectFrom('messages').select(['id', 'upstream_id', 'content_hash']).where('upstream_id', 'in', ids).execute(),
      );
      return rows.map(identityOf);
    },
    async messages(ids) {
      const rows = await inLists(ids, (part) => db.selectFrom('messages').select('parsed').where('id', 'in', part).execute());
      return rows.map((row) => JSON.parse(row.parsed) as AlertMessage);
    },
    async events(eventIds) {
      const rows = await inLists(eventIds, (ids) => db.selectFrom('events').select(EVENT_COLUMNS).where('event_id', 'in', ids).execute());
      return rows.map(storedEventOf);
    },
    eventIdsOf: (names) => eventIdsOf(db, names),
    async recent(after) {
      const rows = await db.selectFrom('events').select(EVENT_COLUMNS).where('over_at', '>', after).execute();
      const identities = await db
        .selectFrom('messages as m')
        .innerJoin('events as e', 'e.event_id', 'm.event_id')
        .select(['m.id', 'm.upstream_id', 'm.content_hash'])
        .where('e.over_at', '>', after)
        .execute();
      return { events: rows.map(storedEventOf), identities: identities.map(identityOf) };
    },
  };
}

async function eventIdsOf(db: AlertDb, names: { vtecKeys: readonly string[]; messageIds: readonly string[] }): Promise<string[]> {
  const byKey = await inLists(names.vtecKeys, (keys) =>
    db.selectFrom('event_keys').select('event_id').where('vtec_key', 'in', keys).execute(),
  );
  const byMessage = await inLists(names.messageIds, (ids) =>
    db
      .selectFrom('messages')
      .select('event_id')
      .where('event_id', 'is not', null)
      .where((e) => e.or([e('id', 'in', ids), e('upstream_id', 'in', ids)]))
      .execute(),
  );
  return [...new Set([...byKey, ...byMessage].map((row) => row.event_id ?? ''))];
}

/** Asks in pieces, so that no list of parameters grows without bound. */
export async function inLists<T>(values: readonly string[], ask: (part: string[]) => Promise<T[]>): Promise<T[]> {
  const unique = [...new Set(values)];
  const found: T[] = [];
  for (let start = 0; start < unique.length; start += IDS_PER_QUERY) {
    found.push(...(await ask(unique.slice(start, start + IDS_PER_QUERY))));
  }
  return found;
}

interface EventRow {
  state: string;
  rev_seq: number | null;
  rev_from: number | null;
  rev_over_at: number | null;
  shape: string | null;
}

function storedEventOf(row: EventRow): StoredEvent {
  const { rev_seq: seq, rev_from: from, rev_over_at: overAt } = row;
  return {
    event: JSON.parse(row.state) as EventState,
    revision: seq === null || from === null || overAt === null ? null : { seq, from, overAt },
    shape: row.shape === null ? null : (JSON.parse(row.shape) as StoredEvent['shape']),
  };
}

function identityOf(row: { id: string; upstream_id: string; content_hash: string }): Identity {
  return { id: row.id, upstreamId: row.upstream_id, contentHash: row.content_hash };
}

import type { AlertMessage, EventState, Instant } from '@nwms/domain';
import { sql } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import { executeKept } from '../../../platform/db/kept.ts';
import type { Part } from '../../../platform/db/types.ts';
import { countAt, findValues, statesNamedAt, valuesAt } from './archive-queries.ts';
import { countRecord, recordKeys, statesNamed } from './archive-walk.ts';
import { messageIdsOf } from './batch.ts';
import { inLists } from './messages-store.ts';
import { storedRevisionOf } from './rows.ts';
import { alertTables, type AlertDb } from './tables.ts';
import type { AlertArchive, ArchiveBounds } from '../types.ts';

export interface ArchiveDeps {
  /** The `log` part for long reads. */
  reads: Part;
  /** Awaited between rows that are parsed, so that large answers do not hold up the event loop. */
  pause: () => Promise<void>;
}

interface Shown {
  events: EventState[];
  messages: AlertMessage[];
}

/** The archive over SQL. Rejects with query.window_too_large past `limit`, and server.database_unavailable when the database is away. */
export function createAlertArchive({ reads, pause }: ArchiveDeps): AlertArchive {
  const db = alertTables(reads);
  const show = async (states: string[]): Promise<Shown> => {
    const events = await parseAll<EventState>(states, pause);
    return { events, messages: await messagesNamed(db, events.flatMap(messageIdsOf), pause) };
  };
  const translated =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await ask(...args);
      } catch (error) {
        throw databaseFault(error);
      }
    };
  const event = async (eventId: string, at?: Instant) => {
    const states = at === undefined ? await newestState(db, eventId) : await statesNamedAt(db, [eventId], at);
    const shown = await show(states);
    const found = shown.events[0];
    return found ? { event: found, messages: shown.messages } : null;
  };
  return {
    asOf: translated(async (at, bounds) => show(bounded(await valuesAt(db, at, bounds, 'state'), bounds))),
    idsAt: translated(async (at, bounds) => bounded(await valuesAt(db, at, bounds, 'event_id'), bounds)),
    countAt: translated((at, bounds) => countAt(db, at, bounds)),
    find: translated(async (bounds) => show(bounded(await findValues(db, bounds, 'state'), bounds))),
    ids: translated(async (bounds) => bounded(await findValues(db, bounds, 'event_id'), bounds)),
    recordKeys: translated((walk) => recordKeys(db, walk)),
    countRecord: translated((bounds, cap) => countRecord(db, bounds, cap)),
    events: translated(async (ids, at) =>
      show(await inLists(ids, (part) => (at === undefined ? statesNamed(db, part) : statesNamedAt(db, part, at)))),
    ),
    event: translated(event),
    eventOfMessage: translated(async (id, at) => {
      const own = await messageNamed(db, id);
      if (!own || (at !== undefined && own.message.receivedAt > at)) return null;
      const found = own.eventId === null ? null : await event(own.eventId, at);
      return found && { ...found, message: own.message };
    }),
    messages: translated((ids) => messagesNamed(db, ids, pause)),
    revisions: translated((eventId) => revisions(db, eventId)),
    raw: translated(async (messageId) => {
      const row = await db.selectFrom('messages').select('raw').where('id', '=', messageId).executeTakeFirst();
      return row?.raw ?? null;
    }),
    bulletin: translated(async (hash) => {
      const rows = await db.selectFrom('messages').select('id').where('bulletin', '=', hash).execute();
      return rows.map((row) => row.id).sort();
    }),
  };
}

function bounded(values: string[], { limit }: ArchiveBounds): string[] {
  if (values.length <= limit) return values;
  throw new AppError('query.window_too_large', { public: `More than ${limit} alerts match; ask for a shorter time or a smaller area.` });
}

async function newestState(db: AlertDb, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('events').select('state').where('event_id', '=', eventId).execute();
  return rows.map((row) => row.state);
}

async function messageNamed(db: AlertDb, id: string): Promise<{ message: AlertMessage; eventId: string | null } | null> {
  const named = (column: 'id' | 'upstream_id') =>
    db.selectFrom('messages').select(['parsed', 'event_id']).where(column, '=', id).orderBy('received_at').limit(1).executeTakeFirst();
  const row = (await named('id')) ?? (await named('upstream_id'));
  return row ? { message: JSON.parse(row.parsed) as AlertMessage, eventId: row.event_id } : null;
}

/** One question for both: the newest state in a row of its own, so that it does not travel with every entry. */
async function revisions(db: AlertDb, eventId: string): ReturnType<AlertArchive['revisions']> {
  const none = sql<null>`null`;
  const both = db
    .selectFrom('revisions')
    .select(['seq', 'at', 'kind', 'version', 'message_id', 'summary', 'diff', none.as('state')])
    .where('event_id', '=', eventId)
    .unionAll(
      db
        .selectFrom('events')
        .select([none.as('seq'), none.as('at'), none.as('kind'), none.as('version'), none.as('message_id'), none.as('summary')])
        .select([none.as('diff'), 'state'])
        .where('event_id', '=', eventId) as never,
    );
  const rows = await executeKept(db as never, both);
  const state = rows.find((row) => row.state !== null)?.state;
  if (state === undefined) return [];
  const event = JSON.parse(state as unknown as string) as EventState;
  return rows
    .filter((row) => row.state === null)
    .sort((a, b) => a.seq - b.seq)
    .map((row) => storedRevisionOf(row, event));
}

/** Parsed as they come, so that the texts of all of them are never there at once. */
function messagesNamed(db: AlertDb, ids: readonly string[], pause: () => Promise<void>): Promise<AlertMessage[]> {
  return inLists(ids, async (part) => {
    const rows = await db.selectFrom('messages').select('parsed').where('id', 'in', part).execute();
    return parseAll<AlertMessage>(
      rows.map((row) => row.parsed),
      pause,
    );
  });
}

/** Takes the texts out of the list: ten thousand of them and what they say need not lie there together. */
async function parseAll<T>(texts: string[], pause: () => Promise<void>): Promise<T[]> {
  const parsed: T[] = [];
  for (const [index, text] of texts.entries()) {
    texts[index] = '';
    parsed.push(JSON.parse(text) as T);
    await pause();
  }
  return parsed;
}

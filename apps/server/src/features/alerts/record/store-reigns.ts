import type { AlertMessage, EventState } from '@nwms/domain';
import type { Kysely } from 'kysely';
import { AppError } from '../../../platform/app-error.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Part } from '../../../platform/db/types.ts';
import { inLists } from '../storage/messages-store.ts';
import { overlaps } from '../storage/spans.ts';
import { messageIdsOf } from '../storage/batch.ts';
import { type AlertTables, alertTables, FOREVER } from '../storage/tables.ts';
import type { EventReigns, Reign, Reigns, ReignSpan } from './types.ts';

/** Past states by time over SQL, read off the request thread. */
export function createEventReigns({ reads, pause }: { reads: Part; pause: () => Promise<void> }): EventReigns {
  const db = alertTables(reads);
  return {
    async between(from, to, limit, known) {
      try {
        const rows = known === 'then' ? await knownThen(db, from, to, limit) : await knownNow(db, from, to, limit);
        return await reignsOf(db, rows, limit, pause);
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async spans(from, to, limit) {
      try {
        const rows = await spansBetween(db, from, to, limit);
        if (rows.length > limit) throw tooManyVersions(limit);
        return rows.map((row) => ({
          eventId: row.event_id,
          seq: row.seq,
          knownFrom: row.known_from ?? 0,
          knownUntil: row.known_until === FOREVER ? null : row.known_until,
        }));
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async of(spans) {
      try {
        const rows: Row[] = [];
        for (let start = 0; start < spans.length; start += SPANS_PER_QUERY) {
          rows.push(...(await rowsOf(db, spans.slice(start, start + SPANS_PER_QUERY))));
        }
        return await reignsOf(db, rows, spans.length, pause);
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

/** Two parameters each; far below both engines' limits. */
const SPANS_PER_QUERY = 300;

export const tooManyVersions = (limit: number) =>
  new AppError('query.window_too_large', { public: `More than ${limit} versions match; ask for a shorter time.` });

function spansBetween(db: Kysely<AlertTables>, from: number, to: number, limit: number) {
  return db
    .selectFrom('revisions as r')
    .select(['r.event_id', 'r.seq', 'r.known_from', 'r.known_until'])
    .where('r.state', 'is not', null)
    .where((e) => overlaps(e, { spanClass: 'r.span_class', from: 'r.known_from', until: 'r.shown_until' }, from, to))
    .limit(limit + 1)
    .execute();
}

function rowsOf(db: Kysely<AlertTables>, spans: readonly ReignSpan[]): Promise<Row[]> {
  const ids = [...new Set(spans.map((span) => span.eventId))];
  const seqs = spans.map((span) => span.seq);
  return db
    .selectFrom('revisions as r')
    .select(['r.seq', 'r.version', 'r.message_id', 'r.known_from', 'r.known_until', 'r.state'])
    .where('r.event_id', 'in', ids)
    .where('r.seq', 'in', seqs)
    .where('r.state', 'is not', null)
    .execute();
}

interface Row {
  seq: number;
  version: number;
  message_id: string;
  known_from: number | null;
  known_until: number | null;
  state: string | null;
}

function knownThen(db: Kysely<AlertTables>, from: number, to: number, limit: number): Promise<Row[]> {
  return db
    .selectFrom('revisions as r')
    .select(['r.seq', 'r.version', 'r.message_id', 'r.known_from', 'r.known_until', 'r.state'])
    .where('r.state', 'is not', null)
    .where((e) => overlaps(e, { spanClass: 'r.span_class', from: 'r.known_from', until: 'r.shown_until' }, from, to))
    .limit(limit + 1)
    .execute();
}

async function knownNow(db: Kysely<AlertTables>, from: number, to: number, limit: number): Promise<Row[]> {
  const rows = await db
    .selectFrom('events as e')
    .select(['e.state', 'e.rev_seq', 'e.rev_from'])
    .where((e) => overlaps(e, { spanClass: 'e.span_class', from: 'e.in_force_from', until: 'e.over_at' }, from, to))
    .limit(limit + 1)
    .execute();
  return rows.map(({ state, rev_seq: seq, rev_from: knownFrom }) => {
    const event = JSON.parse(state) as EventState;
    return { seq: seq ?? 0, version: event.versions.length, message_id: event.currentId, known_from: knownFrom, known_until: null, state };
  });
}

async function reignsOf(db: Kysely<AlertTables>, rows: readonly Row[], limit: number, pause: () => Promise<void>): Promise<Reigns> {
  if (rows.length > limit) {
    throw tooManyVersions(limit);
  }
  const reigns: Reign[] = [];
  for (const row of rows) {
    const { known_from: knownFrom, known_until: knownUntil } = row;
    reigns.push({
      event: JSON.parse(row.state ?? 'null') as EventState,
      seq: row.seq,
      version: row.version,
      messageId: row.message_id,
      knownFrom: knownFrom ?? 0,
      knownUntil: knownUntil === null || knownUntil === FOREVER ? null : knownUntil,
    });
    await pause();
  }
  const ids = reigns.flatMap(({ event }) => messageIdsOf(event));
  const messages: AlertMessage[] = [];
  for (const { parsed } of await inLists(ids, (part) => db.selectFrom('messages').select('parsed').where('id', 'in', part).execute())) {
    messages.push(JSON.parse(parsed) as AlertMessage);
    await pause();
  }
  return { reigns, messages };
}

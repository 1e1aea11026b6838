import type { AlertMessage, EventState } from '@nwms/domain';
import { sql } from 'kysely';
import { insertRows, type SqlValue } from '../../../platform/db/bulk.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Database, Part } from '../../../platform/db/types.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inLists } from '../storage/messages-store.ts';
import { partRows } from '../storage/part-rows.ts';
import { COLUMNS } from '../storage/rows.ts';
import { META } from '../storage/store.ts';
import { type AlertDb, alertTables } from '../storage/tables.ts';

/** Revisions per piece: a megabyte or two of states, and a short turn at the writer's lock. */
const BATCH = 200;
const ALL = 'all';

/** Last revision whose parts are made, in the order of the primary key; null = none yet. */
type Cursor = { eventId: string; seq: number } | null;
/** `anew`: nothing was begun, or the log grew without parts since, because an older version of the program wrote. */
type Progress = { kind: 'complete' } | { kind: 'anew' } | { kind: 'after'; cursor: Cursor };

export interface PartsFill {
  /** Makes the parts of revisions that were written without; true when there are none left. Goes on where it was stopped. `budgetMs` bounds one call, which does a piece at least. */
  run(budgetMs: number, signal: AbortSignal): Promise<boolean>;
}

/** Every piece is one transaction under the row that the writer's commits lock too, so that no end of a revision is missed between reading and writing. */
export function createPartsFill(database: Database, clock: Pick<Clock, 'monotonicMs'>, pause: () => Promise<void>): PartsFill {
  const reads = alertTables(database.reads.log);
  return {
    async run(budgetMs, signal) {
      const deadline = clock.monotonicMs() + budgetMs;
      try {
        if ((await progressOf(alertTables(database.log))).kind === 'complete') return true;
        let cursor = await begin(database);
        while (cursor !== 'complete') {
          cursor = await onePiece(database, cursor, await pieceAfter(reads, cursor, pause), pause);
          if (cursor !== 'complete' && (signal.aborted || clock.monotonicMs() > deadline)) return false;
        }
        return true;
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

async function progressOf(db: AlertDb): Promise<Progress> {
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', [META.partsFilled, META.partsHead]).execute();
  const value = (key: string) => rows.find((row) => row.key === key)?.value;
  const filled = value(META.partsFilled);
  if (filled === undefined || value(META.partsHead) !== (await headOf(db))) return { kind: 'anew' };
  return filled === ALL ? { kind: 'complete' } : { kind: 'after', cursor: JSON.parse(filled) as Cursor };
}

async function headOf(db: AlertDb): Promise<string> {
  const row = await db
    .selectFrom('log')
    .select((e) => e.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return String(row?.seq ?? 0);
}

/** Where to go on. */
function begin(database: Database): Promise<Cursor | 'complete'> {
  return database.log.transaction().execute(async (tx) => {
    await lockWriter(database, tx);
    const progress = await progressOf(alertTables(tx));
    if (progress.kind === 'complete') return 'complete';
    return progress.kind === 'after' ? progress.cursor : anew(tx);
  });
}

async function anew(tx: Part): Promise<null> {
  await setMeta(tx, META.partsHead, await headOf(alertTables(tx)));
  await setMeta(tx, META.partsFilled, 'null');
  return null;
}

/** Writes what was read after the cursor and tells where to go on: elsewhere when another process or an older version was at it meanwhile. */
function onePiece(database: Database, cursor: Cursor, piece: Piece, pause: () => Promise<void>): Promise<Cursor | 'complete'> {
  return database.log.transaction().execute(async (tx) => {
    await database.engine.allowLongWrites(tx);
    await lockWriter(database, tx);
    const progress = await progressOf(alertTables(tx));
    if (progress.kind === 'complete') return 'complete';
    if (progress.kind === 'anew') return anew(tx);
    if (JSON.stringify(progress.cursor) !== JSON.stringify(cursor)) return progress.cursor;
    await write(database, tx, piece, pause);
    const last = piece.revisions.at(-1);
    const next = last ? { eventId: last.event_id, seq: last.seq } : null;
    await setMeta(tx, META.partsFilled, next ? JSON.stringify(next) : ALL);
    return next ?? 'complete';
  });
}

async function lockWriter(database: Database, tx: Part): Promise<void> {
  await alertTables(tx)
    .insertInto('meta')
    .values({ key: META.writerToken, value: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const [meta, lock] = [sql.raw(database.table('log', 'meta')), sql.raw(database.engine.lockRow)];
  await sql`select value from ${meta} where key = ${META.writerToken}${lock}`.execute(tx);
}

async function setMeta(tx: Part, key: string, value: string): Promise<void> {
  await alertTables(tx)
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

interface Piece {
  revisions: { event_id: string; seq: number; version: number; known_from: number | null; event: EventState | null }[];
  messages: Map<string, AlertMessage>;
}

async function pieceAfter(db: AlertDb, cursor: Cursor, pause: () => Promise<void>): Promise<Piece> {
  const rows = await db
    .selectFrom('revisions')
    .select(['event_id', 'seq', 'version', 'known_from', 'state'])
    .$if(cursor !== null, (query) =>
      query.where((e) =>
        e.and([
          // Alone it is what the index begins at; the rest sets those of one event apart.
          e('event_id', '>=', cursor?.eventId ?? ''),
          e.or([e('event_id', '>', cursor?.eventId ?? ''), e('seq', '>', cursor?.seq ?? 0)]),
        ]),
      ),
    )
    .orderBy('event_id')
    .orderBy('seq')
    .limit(BATCH)
    .execute();
  const revisions: Piece['revisions'] = [];
  for (const { state, ...row } of rows) {
    revisions.push({ ...row, event: state === null ? null : (JSON.parse(state) as EventState) });
    await pause();
  }
  const ids = revisions.flatMap(({ event }) => event?.currentId ?? []);
  const messages = new Map<string, AlertMessage>();
  for (const { parsed } of await inLists(ids, (part) => db.selectFrom('messages').select('parsed').where('id', 'in', part).execute())) {
    const message = JSON.parse(parsed) as AlertMessage;
    messages.set(message.id, message);
    await pause();
  }
  return { revisions, messages };
}

/** Takes the place of whatever parts these revisions had. Ends are read again: the writer may have set them since. */
async function write(database: Database, tx: Part, { revisions, messages }: Piece, pause: () => Promise<void>): Promise<void> {
  if (revisions.length === 0) return;
  const db = alertTables(tx);
  const seqs = revisions.map((each) => each.seq);
  const now = await db
    .selectFrom('revisions')
    .select(['seq', 'known_until', 'shown_until'])
    .where('event_id', 'in', [...new Set(revisions.map((each) => each.event_id))])
    .where('seq', 'in', seqs)
    .execute();
  const until = new Map(now.map((row) => [row.seq, row]));
  const rows: SqlValue[][] = [];
  for (const { event_id: eventId, seq, version, known_from: from, event } of revisions) {
    const own = event && messages.get(event.currentId);
    const ends = until.get(seq);
    if (!own || from === null || !ends || ends.known_until === null) continue;
    rows.push(...partRows({ eventId, seq, version }, { from, until: ends.known_until, overAt: ends.shown_until ?? 0, state: event }, own));
    await pause();
  }
  await db.deleteFrom('known_parts').where('seq', 'in', seqs).execute();
  const table = { name: database.table('log', 'known_parts'), columns: COLUMNS.known_parts };
  await insertRows(tx, database.engine.kind, table, rows, pause);
}

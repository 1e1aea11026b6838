import type { Instant } from '@nwms/domain';
import { CompiledQuery, sql } from 'kysely';
import { chunked, insertRows, placeholders, replaceOnConflict, runForEachRow, type SqlValue } from '../../../platform/db/bulk.ts';
import type { Database, Part } from '../../../platform/db/types.ts';
import type { BatchRows, ClosedRevision } from './batch.ts';
import { COLUMNS } from './rows.ts';
import { spanClassOf, spanClassSql } from './spans.ts';
import { alertTables } from './tables.ts';
import type { PollRecord } from '../types.ts';

/** Names in the `meta` table of the `log` part. */
export const META = {
  /** Changes only when the log was rebuilt. */
  epoch: 'epoch',
  /** Fencing: raised by whoever becomes the writer; an older holder can no longer commit. */
  writerToken: 'writer_token',
  /** Name of the last committed batch: tells whether a COMMIT of unknown outcome happened. */
  lastBatch: 'last_batch',
  /** Entries up to this number have been pruned. */
  oldestSeq: 'oldest_seq',
  /** The last accepted poll whose list was used for presence: its start and the writer's clock then, JSON. */
  presence: 'presence',
  /** Last number whose revision was written together with its parts; behind the log's head when an older version of the program wrote since. */
  partsHead: 'parts_head',
  /** How far parts of older revisions are made: `all`, or the last revision done, JSON. */
  partsFilled: 'parts_filled',
} as const;

/** Another process became the writer: nothing of this transaction may be kept. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** When a full list last spoke for the presence of events. */
export interface PresenceMark {
  startedAt: Instant;
  now: Instant;
}

export interface WriteOptions {
  token: string;
  /** Largest number before this batch; anything else in the table means that somebody else wrote. */
  headSeq: number;
  batchId: string;
  presence: PresenceMark | null;
  /** Awaited between chunks so that the event loop breathes. */
  pause: () => Promise<void>;
}

/** Write side in SQL: one durable transaction per batch. */
export interface AlertStore {
  /** Rejects with FencedError when the right to write is gone. `onCommit` is called just before COMMIT is sent: an error after it leaves the outcome unknown. */
  write(rows: BatchRows, options: WriteOptions, onCommit: () => void): Promise<void>;
  meta(key: string): Promise<string | null>;
  setMeta(key: string, value: string): Promise<void>;
  /** Stores the value unless there is one already, and tells which holds. */
  metaOnce(key: string, value: string): Promise<string>;
  /** Raises the writer token; waits for an open transaction of an older writer. */
  claimToken(): Promise<string>;
  headSeq(): Promise<number>;
}

export function createAlertStore(database: Database): AlertStore {
  const db = alertTables(database.log);
  const readMeta = async (key: string) => {
    const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value ?? null;
  };
  return {
    write: (rows, options, onCommit) => write(database, rows, options, onCommit),
    meta: readMeta,
    async setMeta(key, value) {
      const row = { key, value };
      await db
        .insertInto('meta')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
    async metaOnce(key, value) {
      await db
        .insertInto('meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await readMeta(key)) ?? value;
    },
    claimToken: () =>
      db.transaction().execute(async (tx) => {
        await tx
          .insertInto('meta')
          .values({ key: META.writerToken, value: '0' })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const row = await tx
          .updateTable('meta')
          .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
          .where('key', '=', META.writerToken)
          .returning('value')
          .executeTakeFirstOrThrow();
        return row.value;
      }),
    async headSeq() {
      const row = await db
        .selectFrom('log')
        .select((e) => e.fn.max('seq').as('seq'))
        .executeTakeFirst();
      return Number(row?.seq ?? (await readMeta(META.oldestSeq)) ?? 0);
    },
  };
}

async function write(database: Database, rows: BatchRows, options: WriteOptions, onCommit: () => void): Promise<void> {
  await database.log.transaction().execute(async (tx) => {
    await database.engine.allowLongWrites(tx);
    await assertRight(database, tx, options);
    const insert = (table: keyof typeof COLUMNS, values: readonly SqlValue[][], suffix = '') =>
      insertRows(tx, database.engine.kind, { name: database.table('log', table), columns: COLUMNS[table], suffix }, values, options.pause);
    await insert('messages', rows.messages);
    await insert('events', rows.events, replaceOnConflict(['event_id'], COLUMNS.events));
    await insert('event_keys', rows.keys, 'on conflict do nothing');
    await insert('event_areas', rows.areas, replaceOnConflict(['area', 'event_id'], COLUMNS.event_areas));
    await closeRevisions(database, tx, rows.closed, options.pause);
    await closeParts(database, tx, rows.closed, options.pause);
    await insert('revisions', rows.revisions);
    // What may be made again must never be what a poll fails on.
    await insert('known_parts', rows.parts, replaceOnConflict(['seq', 'part_from'], COLUMNS.known_parts));
    await insert('log', rows.log);
    if (rows.poll) await insertPoll(tx, rows.poll);
    await writeMeta(tx, options, options.headSeq + rows.log.length);
    await options.pause();
    onCommit();
  });
}

/** Under the row lock of the token no other writer can commit before this transaction ends, and none can have written unseen. */
async function assertRight(database: Database, tx: Part, { token, headSeq }: WriteOptions): Promise<void> {
  const meta = database.table('log', 'meta');
  const right = await tx.executeQuery<{ value: string }>(
    CompiledQuery.raw(`select value from ${meta} where key = '${META.writerToken}'${database.engine.lockRow}`),
  );
  if (right.rows[0]?.value !== token) throw new FencedError('another process is the writer of the log now');
  const head = await tx.executeQuery<{ seq: number | null }>(
    CompiledQuery.raw(`select max(seq) as seq from ${database.table('log', 'log')}`),
  );
  const seq = head.rows[0]?.seq ?? null;
  if (seq !== null && Number(seq) !== headSeq) throw new FencedError(`the log ends at ${seq}, not at ${headSeq}`);
}

/** Ends the revisions that newer ones replace. */
async function closeRevisions(database: Database, tx: Part, closed: readonly ClosedRevision[], pause: () => Promise<void>): Promise<void> {
  const name = database.table('log', 'revisions');
  const rows = closed.map((each): SqlValue[] => {
    const shownUntil = Math.min(each.until, each.overAt);
    return [each.eventId, each.seq, each.until, shownUntil, spanClassOf(each.from, shownUntil)];
  });
  if (database.engine.kind === 'sqlite') {
    const text = `update ${name} set known_until = ?3, shown_until = ?4, span_class = ?5 where event_id = ?1 and seq = ?2`;
    await runForEachRow(tx, text, rows, pause);
    return;
  }
  for (const chunk of chunked(rows)) {
    const values = placeholders(database.engine.kind, chunk.length, 5, ['text', 'bigint', 'bigint', 'bigint', 'bigint']);
    await tx.executeQuery(
      CompiledQuery.raw(
        `with v(event_id, seq, known_until, shown_until, span_class) as (values ${values})
         update ${name} set known_until = v.known_until, shown_until = v.shown_until, span_class = v.span_class
         from v where ${name}.event_id = v.event_id and ${name}.seq = v.seq`,
        chunk.flat(),
      ),
    );
    await pause();
  }
}

/** Ends their parts as well. */
async function closeParts(database: Database, tx: Part, closed: readonly ClosedRevision[], pause: () => Promise<void>): Promise<void> {
  const name = database.table('log', 'known_parts');
  const rows = closed.map(({ seq, until }): SqlValue[] => [seq, until]);
  const set = (least: string, until: string) => {
    const shown = `${least}(${name}.shown_until, ${until})`;
    return `known_until = ${until}, shown_until = ${shown}, span_class = ${spanClassSql(`${name}.part_from`, shown)}`;
  };
  if (database.engine.kind === 'sqlite') {
    await runForEachRow(tx, `update ${name} set ${set('min', '?2')} where seq = ?1`, rows, pause);
    return;
  }
  for (const chunk of chunked(rows)) {
    const values = placeholders(database.engine.kind, chunk.length, 2, ['bigint', 'bigint']);
    const text = `with v(seq, until) as (values ${values}) update ${name} set ${set('least', 'v.until')} from v where ${name}.seq = v.seq`;
    await tx.executeQuery(CompiledQuery.raw(text, chunk.flat()));
    await pause();
  }
}

async function insertPoll(tx: Part, poll: PollRecord): Promise<void> {
  await alertTables(tx)
    .insertInto('polls')
    .values({
      started_at: poll.startedAt,
      outcome: poll.outcome,
      reason: null,
      etag: poll.etag,
      last_modified: poll.lastModified,
      upstream_updated_at: poll.upstreamUpdatedAt,
      listed_count: poll.listedCount,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeMeta(tx: Part, { batchId, presence, headSeq }: WriteOptions, lastSeq: number): Promise<void> {
  const values = [
    { key: META.lastBatch as string, value: batchId },
    { key: META.partsHead, value: String(lastSeq) },
  ];
  if (presence) values.push({ key: META.presence, value: JSON.stringify(presence) });
  await alertTables(tx)
    .insertInto('meta')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((e) => ({ value: e.ref('excluded.value') }))
        // Once out of step with the log it stays so until the parts are made anew.
        .where((e) => e.or([e('meta.key', '!=', META.partsHead), e('meta.value', '=', String(headSeq))])),
    )
    .execute();
}

import type { Kysely } from 'kysely';
import type { Part } from '../../platform/db/types.ts';
import type { Gap, IngestStore, QuarantinedFeature } from './types.ts';

/** Tables of ingest in the `log` part. `polls` is also written by the alert writer, in the transaction of what a good poll brought. */
type IngestTables = {
  polls: {
    started_at: number;
    outcome: string;
    reason: string | null;
    etag: string | null;
    last_modified: string | null;
    upstream_updated_at: number | null;
    listed_count: number | null;
  };
  gaps: { id: number; from_at: number; to_at: number | null; cause: string; backfilled: number };
  quarantine: {
    content_hash: string;
    upstream_id: string;
    first_at: number;
    last_at: number;
    seen: number;
    reason: string;
    detail: string;
    raw: string;
  };
};

type Db = Kysely<IngestTables>;

/** What ingest keeps over restarts. `log` is the `log` part of the database. Throws the database's own errors. */
export function createIngestStore(log: Part): IngestStore {
  const db = log.withTables<IngestTables>();
  return {
    async recordFailedPoll({ startedAt, reason }) {
      const row = { started_at: startedAt, outcome: 'failed', reason };
      await db
        .insertInto('polls')
        .values({ ...row, etag: null, last_modified: null, upstream_updated_at: null, listed_count: null })
        .onConflict((conflict) => conflict.columns(['outcome', 'started_at']).doUpdateSet({ reason }))
        .execute();
    },
    lastGoodPoll: () => lastGoodPoll(db),
    async lastChangeAt() {
      const row = await db
        .selectFrom('polls')
        .select('started_at')
        .where('outcome', '=', 'ok')
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.started_at ?? null;
    },
    async firstGoodPollAt() {
      const row = await db
        .selectFrom('polls')
        .select('started_at')
        .where('outcome', '=', 'ok')
        .orderBy('started_at')
        .limit(1)
        .executeTakeFirst();
      return row?.started_at ?? null;
    },
    async pollCounts(since) {
      const rows = await db
        .selectFrom('polls')
        .select(['outcome', (e) => e.fn.countAll<number>().as('n')])
        .where('started_at', '>=', since)
        .groupBy('outcome')
        .execute();
      const count = (outcome: string) => Number(rows.find((row) => row.outcome === outcome)?.n ?? 0);
      return { ok: count('ok'), unchanged: count('unchanged'), failed: count('failed') };
    },
    openGap: (gap) => openGap(db, gap),
    async closeGap(id, { to, backfilled }) {
      await db
        .updateTable('gaps')
        .set({ to_at: to, backfilled: Number(backfilled) })
        .where('id', '=', id)
        .execute();
    },
    gaps: (since) => gapsSince(db, since),
    quarantine: (feature) => quarantine(db, feature),
    async quarantinedSince(since) {
      const row = await db
        .selectFrom('quarantine')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('last_at', '>=', since)
        .executeTakeFirst();
      return Number(row?.n ?? 0);
    },
  };
}

async function lastGoodPoll(db: Db): ReturnType<IngestStore['lastGoodPoll']> {
  const newest = async (outcome: 'ok' | 'unchanged') => {
    const row = await db
      .selectFrom('polls')
      .select(['started_at', 'upstream_updated_at', 'listed_count'])
      .where('outcome', '=', outcome)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && { startedAt: row.started_at, outcome, upstreamUpdatedAt: row.upstream_updated_at, listedCount: row.listed_count ?? 0 };
  };
  const ok = await newest('ok');
  const unchanged = await newest('unchanged');
  if (ok && unchanged) return unchanged.startedAt > ok.startedAt ? unchanged : ok;
  return ok ?? unchanged ?? null;
}

// One process ingests at a time, so max + 1 is free of races and the same on both engines.
async function openGap(db: Db, gap: { from: number; cause: string }): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('gaps')
      .select((e) => e.fn.max('id').as('id'))
      .executeTakeFirst();
    const id = Number(row?.id ?? 0) + 1;
    await tx.insertInto('gaps').values({ id, from_at: gap.from, to_at: null, cause: gap.cause, backfilled: 0 }).execute();
    return id;
  });
}

async function gapsSince(db: Db, since: number): Promise<Gap[]> {
  const rows = await db
    .selectFrom('gaps')
    .selectAll()
    .where((e) => e.or([e('to_at', 'is', null), e('backfilled', '=', 0), e('to_at', '>=', since)]))
    .orderBy('from_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, from: row.from_at, to: row.to_at, cause: row.cause, backfilled: row.backfilled === 1 }));
}

async function quarantine(db: Db, feature: QuarantinedFeature): Promise<void> {
  const { at, reason, detail, contentHash } = feature;
  await db
    .insertInto('quarantine')
    .values({
      content_hash: contentHash,
      upstream_id: storable(feature.upstreamId ?? ''),
      first_at: at,
      last_at: at,
      seen: 1,
      reason,
      detail: storable(detail),
      raw: storable(feature.raw),
    })
    .onConflict((conflict) =>
      conflict.columns(['content_hash', 'upstream_id']).doUpdateSet((e) => ({
        last_at: e.ref('excluded.last_at'),
        reason: e.ref('excluded.reason'),
        detail: e.ref('excluded.detail'),
        seen: e('quarantine.seen', '+', 1),
      })),
    )
    .execute();
}

/** Quarantined text is broken by definition; PostgreSQL refuses NUL and both engines need whole characters. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

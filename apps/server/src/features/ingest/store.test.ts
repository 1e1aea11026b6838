import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import { createIngestStore } from './store.ts';
import type { IngestStore } from './types.ts';

describe.each((await testEngines()).filter((engine) => engine.skip === null))('ingest store on $name', (engine) => {
  let db: Database;
  let store: IngestStore;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
    store = createIngestStore(db.log);
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });

  it('counts polls by outcome and knows the last good one', async () => {
    expect(await store.lastGoodPoll()).toBeNull();
    expect(await store.lastChangeAt()).toBeNull();
    const poll = { reason: null, etag: null, last_modified: null, upstream_updated_at: 5, listed_count: 7 };
    const rows = [
      { started_at: 1_000, outcome: 'ok', ...poll },
      { started_at: 2_000, outcome: 'unchanged', ...poll },
    ];
    await db.log.withTables<{ polls: (typeof rows)[number] }>().insertInto('polls').values(rows).execute();
    await store.recordFailedPoll({ startedAt: 3_000, reason: 'http_503' });
    await store.recordFailedPoll({ startedAt: 3_000, reason: 'timeout' });
    expect(await store.lastGoodPoll()).toEqual({ startedAt: 2_000, outcome: 'unchanged', upstreamUpdatedAt: 5, listedCount: 7 });
    expect(await store.lastChangeAt()).toBe(1_000);
    expect(await store.pollCounts(1_500)).toEqual({ ok: 0, unchanged: 1, failed: 1 });
  });

  it('keeps a gap listed until it is closed, backfilled and old', async () => {
    const id = await store.openGap({ from: 100, cause: 'poll_failing' });
    const other = await store.openGap({ from: 50, cause: 'process_down' });
    expect(other).not.toBe(id);
    await store.closeGap(id, { to: 200, backfilled: false });
    expect((await store.gaps(10_000)).map((gap) => [gap.from, gap.to, gap.backfilled])).toEqual([
      [50, null, false],
      [100, 200, false],
    ]);
    await store.closeGap(id, { to: 200, backfilled: true });
    expect((await store.gaps(10_000)).map((gap) => gap.id)).toEqual([other]);
    expect((await store.gaps(200)).map((gap) => gap.id)).toEqual([other, id]);
  });

  it('counts a quarantined feature once however often it comes, and survives any text (A6)', async () => {
    const feature = {
      upstreamId: 'urn:a\u0000\ud800',
      contentHash: 'h1',
      reason: 'sent_missing',
      detail: '\u0000',
      raw: '{"a":"\u0000\udfff"}',
    };
    await store.quarantine({ at: 10, ...feature });
    await store.quarantine({ at: 20, ...feature });
    await store.quarantine({ at: 5, ...feature, contentHash: 'h2', upstreamId: null });
    expect(await store.quarantinedSince(15)).toBe(1);
    expect(await store.quarantinedSince(0)).toBe(2);
  });
});

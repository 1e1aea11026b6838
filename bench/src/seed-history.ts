import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson, featureContent, parseFeature } from '@nwms/domain';
import { createStormFeed } from '@nwms/nws-sim';
import { fakeClock } from '@nwms/testkit';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { createAlertEncoder, createAlertStorage } from '../../apps/server/src/features/alerts/index.ts';
import type { Incoming } from '../../apps/server/src/features/alerts/types.ts';
import { claimFeed } from '../../apps/server/src/platform/db/feed-claim.ts';
import { openDatabase } from '../../apps/server/src/platform/db/open.ts';
import { silentLog } from '../../apps/server/src/platform/log.ts';
import { noPlaces } from '../../apps/server/src/features/alerts/storage/storage-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The base day lies this far back: past the board's 7 days, so that all of it is history. */
const BASE_AGE_MS = 30 * DAY_MS;
/** The folder the simulator's data has with its default seed and speed. */
const FEED_FOLDER = 'simulator-1-1x';

/**
 * Fills an embedded database with `messages` messages of history: half a simulated day through the real writer, then copies of it shifted
 * into the past, day by day, with keys of their own. All of it is over, as years of history are.
 */
export async function seedHistory(dataDir: string, messages: number): Promise<void> {
  const dir = join(dataDir, FEED_FOLDER);
  const base = await writeBase(dir);
  const db = new DatabaseSync(join(dir, 'log.db'));
  db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-200000');
  const copies = Math.max(0, Math.ceil(messages / base) - 1);
  for (const [table, shape] of Object.entries(COPIED)) copyRows(db, table, shape, copies);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Columns that carry an identity or an instant; everything else is copied as it is. The log itself is not: retention keeps 30 days of it. */
const COPIED: Record<string, { ids: string[]; times: string[]; seq?: string }> = {
  messages: { ids: ['id', 'upstream_id', 'content_hash', 'event_id'], times: ['sent', 'received_at'] },
  events: {
    ids: ['event_id'],
    times: ['in_force_from', 'over_at', 'sent', 'effective', 'onset', 'expires', 'updated_at', 'rev_from', 'rev_over_at'],
  },
  event_keys: { ids: ['vtec_key', 'event_id'], times: [] },
  event_areas: { ids: ['event_id'], times: ['in_force_from'] },
  revisions: { ids: ['event_id', 'message_id'], times: ['at', 'known_from', 'known_until', 'shown_until'], seq: 'seq' },
};

function copyRows(db: DatabaseSync, table: string, shape: { ids: string[]; times: string[]; seq?: string }, copies: number): void {
  const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map((column) => column.name);
  const { top } = db.prepare('SELECT MAX(seq) AS top FROM log').get() as { top: number };
  const value = (column: string) => {
    if (shape.ids.includes(column)) return `b.${column} || '-' || n.i`;
    if (shape.times.includes(column)) return `b.${column} - n.i * ${DAY_MS}`;
    // Copies of the log go above it: numbers stay unique and without holes.
    if (column === shape.seq) return `b.${column} + n.i * ${top}`;
    return `b.${column}`;
  };
  db.exec(`CREATE TEMP TABLE base AS SELECT * FROM ${table}`);
  db.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
     INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(value).join(', ')} FROM n CROSS JOIN base b WHERE n.i <= ${copies}`,
  );
  db.exec('DROP TABLE base');
}

async function writeBase(dir: string): Promise<number> {
  const startedAt = Date.now() - BASE_AGE_MS;
  const clock = fakeClock(startedAt);
  const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  await claimFeed(database.app, FEED_FOLDER);
  const storage = await createAlertStorage({
    database,
    clock,
    log: silentLog,
    places: noPlaces,
    encodeAlert: createAlertEncoder(noPlaces),
    role: 'writer',
  });
  const feed = createStormFeed({ seed: 5, startedAt, targetActive: 600 });
  const known = new Set<string>();
  let stored = 0;
  for (let step = 0; step < 72; step += 1) {
    await clock.advance(10 * 60_000);
    const { features, updated } = feed.activeAt(clock.now());
    const incoming: Incoming[] = [];
    for (const feature of features) {
      const contentHash = createHash('sha256')
        .update(canonicalJson(featureContent(feature)))
        .digest('hex');
      if (known.has(contentHash)) continue;
      known.add(contentHash);
      const parsed = parseFeature(feature, { source: 'simulator', receivedAt: clock.now(), contentHash });
      if (parsed.ok) incoming.push({ message: parsed.message, raw: JSON.stringify(feature) });
    }
    const poll = {
      startedAt: clock.now(),
      outcome: 'ok' as const,
      etag: null,
      lastModified: null,
      upstreamUpdatedAt: updated,
      listedCount: features.length,
    };
    stored += (await storage.writer.applySnapshot({ source: 'simulator', poll, incoming, listed: null })).stored;
  }
  // Everything that has an end reaches it; what is open for good would not be history.
  for (let day = 0; day < 12; day += 1) {
    await clock.advance(DAY_MS);
    await storage.writer.tick();
  }
  await storage.close();
  await database.close();
  const db = new DatabaseSync(join(dir, 'log.db'));
  const limit = Date.now() - 8 * DAY_MS;
  for (const table of ['revisions', 'event_keys', 'event_areas', 'messages']) {
    db.exec(`DELETE FROM ${table} WHERE event_id IN (SELECT event_id FROM events WHERE over_at > ${limit})`);
  }
  db.exec(`DELETE FROM events WHERE over_at > ${limit}`);
  const { n } = db.prepare('SELECT COUNT(*) AS n FROM messages').get() as { n: number };
  db.close();
  return Math.max(1, Math.min(stored, n));
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createStormFeed } from '@nwms/nws-sim';
import type pg from 'pg';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { createSimulatedClock } from '../../apps/server/src/app/simulated-clock.ts';
import { createAlertEncoder, createAlertStorage } from '../../apps/server/src/features/alerts/index.ts';
import { noPlaces } from '../../apps/server/src/features/alerts/storage/storage-fixture.ts';
import { collectPast, createIngestStore } from '../../apps/server/src/features/ingest/index.ts';
import { claimFeed } from '../../apps/server/src/platform/db/feed-claim.ts';
import { openDatabase } from '../../apps/server/src/platform/db/open.ts';
import { silentLog } from '../../apps/server/src/platform/log.ts';
import { copyIn, lineOf } from './copy-in.ts';
import { type BaseRows, type Copies, createCopies, type TableName, type Value } from './history-copies.ts';

const DAY_MS = 86_400_000;
/** The newest day lies this far back: past the board's 7 days, so that all of it is history. */
const BASE_AGE_MS = 30 * DAY_MS;
/** The folder the simulator's data has with its default seed and speed. */
const FEED_FOLDER = 'simulator-1-1x';
const TABLES: readonly TableName[] = ['messages', 'events', 'event_keys', 'event_areas', 'revisions', 'known_parts'];

/**
 * Fills an embedded database with `messages` messages of history: one simulated day through the real writer, then copies of it a day, two
 * days ... earlier, with names and times of their own. All of it is over, as years of history are.
 */
export async function seedHistory(dataDir: string, messages: number): Promise<void> {
  const dir = join(dataDir, FEED_FOLDER);
  const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  await claimFeed(database.app, FEED_FOLDER);
  await database.close();
  fillSqlite(dir, await simulatedDay(), messages);
}

/** Instants of the newest and the oldest message, roughly. */
export function spanOf(copies: Copies, messages: number): { from: number; to: number } {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS - BASE_AGE_MS + DAY_MS;
  return { from: to - Math.ceil(messages / copies.messages) * DAY_MS, to };
}

export function fillSqlite(dir: string, copies: Copies, messages: number): void {
  const db = new DatabaseSync(join(dir, 'log.db'));
  // Without a journal every page is written once; a fill that is cut short is thrown away and begun anew.
  db.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000; BEGIN');
  // One sort at the end instead of millions of rows put into the midst of a tree.
  const indexes = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all() as {
    name: string;
    sql: string;
  }[];
  const ours = indexes.filter(({ sql }) => TABLES.some((table) => sql.includes(` on "${table}" `)));
  for (const { name } of ours) db.exec(`DROP INDEX "${name}"`);
  for (const table of TABLES) {
    const columns = copies.columns(table);
    const insert = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    for (let n = days(copies, messages) - 1; n >= 0; n -= 1) for (const row of copies.rows(table, n)) insert.run(...row);
  }
  for (const { sql } of ours) db.exec(sql);
  db.exec('COMMIT; ANALYZE; PRAGMA journal_mode=WAL');
  db.close();
}

/** Into the schema `log` of a PostgreSQL database with our tables; `ANALYZE`d. */
export async function fillPostgres(client: pg.Client, copies: Copies, messages: number): Promise<void> {
  await client.query("set maintenance_work_mem = '512MB'");
  for (const table of TABLES) {
    const columns = copies.columns(table);
    // Made for a measurement and thrown away: nothing has to last.
    await client.query(`alter table log.${table} set unlogged`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
       where i.indrelid = 'log.${table}'::regclass and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    function* lines(): Generator<string> {
      for (let n = days(copies, messages) - 1; n >= 0; n -= 1) yield copies.rows(table, n).map(lineOf).join('');
    }
    await copyIn(client, `copy log.${table} (${columns.join(', ')}) from stdin`, lines());
    for (const { definition } of indexes) await client.query(definition);
    await client.query(`analyze log.${table}`);
  }
}

const days = (copies: Copies, messages: number): number => Math.max(1, Math.round(messages / copies.messages));

/** One day of weather, collected as the product collects it, with what became of it later: about a thousand messages, a million in three years. */
export async function simulatedDay(targetActive = 80): Promise<Copies> {
  const dir = mkdtempSync(join(tmpdir(), 'nwms-day-'));
  const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - BASE_AGE_MS;
  const clock = createSimulatedClock(from);
  const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  try {
    const encodeAlert = createAlertEncoder(noPlaces);
    const storage = await createAlertStorage({ database, clock, log: silentLog, places: noPlaces, encodeAlert, role: 'writer' });
    const feed = createStormFeed({ seed: 5, startedAt: from, targetActive, seasons: 'calendar' });
    await collectPast(
      {
        source: 'simulator',
        // Only what began on this day, and nothing of it again: what was there before belongs to the day before.
        world: { issuedBetween: feed.issuedBetween, listedAt: null },
        writer: storage.writer,
        store: createIngestStore(database.log),
        log: silentLog,
        places: noPlaces,
        shapesReady: async () => {},
        advanceTo: clock.advanceTo,
      },
      { from, to: from + DAY_MS, signal: new AbortController().signal, onStep: () => {} },
    );
    // Everything that has an end reaches it; what is open for good would not be history.
    for (let day = 1; day < 13; day += 1) {
      await clock.advanceTo(from + (day + 1) * DAY_MS);
      await storage.writer.tick();
    }
    await storage.close();
  } finally {
    await database.close();
  }
  const base = readBase(join(dir, 'log.db'), clock.now());
  rmSync(dir, { recursive: true, force: true });
  return createCopies(base);
}

function readBase(path: string, now: number): BaseRows {
  const db = new DatabaseSync(path);
  for (const table of ['revisions', 'known_parts', 'event_keys', 'event_areas', 'messages']) {
    db.exec(`DELETE FROM ${table} WHERE event_id IS NULL OR event_id IN (SELECT event_id FROM events WHERE over_at > ${now})`);
  }
  db.exec(`DELETE FROM events WHERE over_at > ${now}`);
  const tables = TABLES.map((table) => {
    const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map((column) => column.name);
    return [table, { columns, rows: db.prepare(`SELECT * FROM ${table}`).all() as Record<string, Value>[] }];
  });
  db.close();
  return Object.fromEntries(tables) as BaseRows;
}

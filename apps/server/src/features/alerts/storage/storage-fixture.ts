import type { EventState, Instant } from '@nwms/domain';
import { fakeClock, type FakeClock } from '@nwms/testkit/fake-clock';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import type { AroundStatement, Database, DatabaseConfig } from '../../../platform/db/types.ts';
import { silentLog, type Log } from '../../../platform/log.ts';
import type { Places } from '../../places/types.ts';
import { createAlertStorage, type AlertStorage, type AlertStorageDeps } from './storage.ts';
import type { SnapshotInput } from '../types.ts';

/** Support for the storage tests: a place to keep a world in, and a picture of everything that was kept. */

export const T0 = Date.UTC(2026, 4, 20, 18);
export const STEP_MS = 5 * 60_000;

export const noPlaces: Places = {
  resolve: () => ({
    source: 'none',
    quality: 'none',
    missing: [],
    json: 'null',
    shape: null,
    labelPoint: null,
    bbox: null,
    areaKm2: null,
    timeZones: [],
  }),
  resolveFull: async () => null,
  zoneInfo: () => null,
  zonesAt: () => [],
  coverage: () => 'outside',
  ensure: () => {},
  onLoaded: () => () => {},
};

export interface Opened {
  storage: AlertStorage;
  database: Database;
  clock: FakeClock;
  close(): Promise<void>;
}

export async function openStorage(
  place: DatabaseConfig | Database,
  options: {
    at?: Instant;
    around?: AroundStatement;
    log?: Log;
    clock?: FakeClock;
  } & Partial<Pick<AlertStorageDeps, 'role' | 'ringLimits' | 'places' | 'encodeAlert'>> = {},
): Promise<Opened> {
  const { at = T0, around, log = silentLog, ...rest } = options;
  const clock = options.clock ?? fakeClock(at);
  const isOpen = 'engine' in place;
  const database = isOpen ? place : await openDatabase(place, { migrations: MIGRATIONS, ...(around ? { around } : {}) });
  const encodeAlert: AlertStorageDeps['encodeAlert'] = (event, message, when) =>
    JSON.stringify({ id: event.currentId, event_id: event.eventId, headline: message(event.currentId)?.headline, at: when });
  try {
    const storage = await createAlertStorage({ database, log, encodeAlert, places: noPlaces, role: 'writer', ...rest, clock });
    const close = async () => {
      await storage.close();
      if (!isOpen) await database.close();
    };
    return { storage, database, clock, close };
  } catch (error) {
    if (!isOpen) await database.close();
    throw error;
  }
}

/** The accepted list at a step, as ingest would hand it over: everything listed, stored or not. */
export interface World {
  snapshot(step: number): SnapshotInput;
}

/** One step of the world: the list at its instant, then the clock. Calls are repeated until they succeed, as ingest does. */
export async function runStep(opened: Opened, world: World, step: number, attempts = 1): Promise<void> {
  const behind = T0 + step * STEP_MS - opened.clock.now();
  if (behind > 0) opened.clock.jump(behind);
  await retried(attempts, () => opened.storage.writer.applySnapshot(world.snapshot(step)));
  await retried(attempts, () => opened.storage.writer.tick());
}

async function retried(attempts: number, run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return;
    } catch (error) {
      if (attempt >= attempts) throw error;
    }
  }
}

const TABLES: Record<string, string> = {
  messages: 'id',
  events: 'event_id',
  event_keys: 'vtec_key, event_id',
  event_areas: 'area, event_id',
  log: 'seq',
  revisions: 'event_id, seq',
  known_parts: 'seq, part_from',
  polls: 'started_at, outcome',
};

/** Everything kept, in one order, to compare two runs or two engines row by row. */
export async function dump(database: Database): Promise<Record<string, unknown[]>> {
  const picture: Record<string, unknown[]> = {};
  for (const [table, key] of Object.entries(TABLES)) {
    const { rows } = await sql<object>`select * from ${sql.raw(database.table('log', table))}`.execute(database.log);
    const keys = key.split(', ');
    const text = (row: object) => JSON.stringify(keys.map((name) => (row as Record<string, unknown>)[name]));
    picture[table] = rows.map(comparable).sort((a, b) => (text(a) < text(b) ? -1 : 1));
  }
  return picture;
}

/**
 * When an event that is over was last listed is not kept exactly over a restart (a listing alone is never written with the event), and
 * nothing reads it then.
 */
function comparable(row: object): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...row };
  if (!('rev_seq' in copy)) return copy;
  const state = JSON.parse(String(copy['state'])) as EventState;
  if (state.told.ended && state.presence.lastListedAt !== null) state.presence.lastListedAt = 0;
  return { ...copy, state };
}

/** Faults of the record as such, whatever was fed in. Empty = sound. */
export async function faultsOf(database: Database): Promise<string[]> {
  const faults: string[] = [];
  const picture = await dump(database);
  const rows = (table: string) => (picture[table] ?? []) as Record<string, unknown>[];
  const seqs = rows('log')
    .map((row) => Number(row['seq']))
    .sort((a, b) => a - b);
  for (const [i, seq] of seqs.entries()) if (seq !== i + 1) faults.push(`the log has ${seq} at place ${i + 1}`);
  if (rows('revisions').length !== seqs.length) faults.push(`${seqs.length} entries, ${rows('revisions').length} revisions`);
  const events = new Set(rows('events').map((row) => row['event_id']));
  for (const row of rows('messages')) if (!events.has(row['event_id'])) faults.push(`message ${String(row['id'])} without event`);
  for (const row of rows('log')) if (!events.has(row['event_id'])) faults.push(`entry ${String(row['seq'])} without event`);
  const open = new Map<unknown, number>();
  for (const row of rows('revisions')) {
    if (row['known_until'] === 8_640_000_000_000_000) open.set(row['event_id'], (open.get(row['event_id']) ?? 0) + 1);
  }
  for (const id of events) if (open.get(id) !== 1) faults.push(`${String(id)} has ${open.get(id) ?? 0} valid revisions`);
  const { rows: marks } = await sql<{ value: string }>`
    select value from ${sql.raw(database.table('log', 'meta'))} where key = 'parts_head'`.execute(database.log);
  if (marks[0]?.value !== String(seqs.length)) faults.push(`parts reach to ${marks[0]?.value} of ${seqs.length}`);
  return faults;
}

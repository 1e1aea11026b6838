import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@nwms/server/platform/db/open';
import type { Database } from '@nwms/server/platform/db/types';
import pg from 'pg';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import type { BenchContext } from './harness.ts';
import type { Copies } from './history-copies.ts';
import { IDEAL_INDEXES } from './history-questions.ts';
import { fillPostgres, fillSqlite, spanOf } from './seed-history.ts';

/** Both engines with the same history, and the plain connection the yardstick asks by. */
export interface HistoryDatabases {
  onServer: Database;
  embedded: Database;
  client: pg.Client;
  /** Instants of the oldest and the newest message, roughly. */
  span: { from: number; to: number };
  close(): Promise<void>;
}

export interface HistoryOptions {
  /** Messages in each. */
  count: number;
  /** Folder in which both are kept for further runs, from NWMS_BENCH_KEEP_DIR; null = thrown away at the end. */
  keep: string | null;
  /** Made only when something has to be filled. */
  copies: () => Promise<Copies>;
}

/** What a kept pair was filled by: another schema, or other indexes for the yardstick, and it is filled anew. */
const FILLED_BY = createHash('sha256')
  .update(JSON.stringify([Object.keys(MIGRATIONS.log), IDEAL_INDEXES]))
  .digest('hex');

/** Opens the two, filled. A million messages take a quarter of an hour and 20 GB: with `keep` once. */
export async function openHistory(context: BenchContext, { count, keep, copies }: HistoryOptions): Promise<HistoryDatabases> {
  const base = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const name = `nwms_bench_history_${keep === null ? process.pid : `keep_${count}`}`;
  const dir = keep === null ? mkdtempSync(join(tmpdir(), 'nwms-bench-history-')) : join(keep, String(count));
  const url = new URL(base);
  url.pathname = `/${name}`;
  const found = readMark(dir) && (await holdsHistory(url.href)) ? readMark(dir) : null;
  const drop = () => asAdmin(base, `drop database if exists ${name} with (force)`);
  if (!found) {
    await drop();
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    await asAdmin(base, `create database ${name}`);
  }
  const onServer = await openDatabase({ kind: 'postgres', url: url.href }, { migrations: MIGRATIONS });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  let embedded = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  const close = async () => {
    await client.end();
    await onServer.close();
    await embedded.close();
    if (keep !== null) return;
    await drop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    if (found) return { onServer, embedded, client, span: found.span, close };
    // Filled by a connection of its own, without a journal: nobody else may have the file.
    await embedded.close();
    const span = await fill(context, { count, dir, client, copies: await copies() });
    embedded = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
    return { onServer, embedded, client, span, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Filling {
  count: number;
  dir: string;
  client: pg.Client;
  copies: Copies;
}

async function fill(context: BenchContext, { count, dir, client, copies }: Filling): Promise<HistoryDatabases['span']> {
  const startedAt = performance.now();
  const since = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  await fillPostgres(client, copies, count);
  context.log(`${count} messages are in PostgreSQL after ${since()}`);
  fillSqlite(dir, copies, count);
  context.log(`and in SQLite after ${since()}`);
  for (const statement of IDEAL_INDEXES) await client.query(statement);
  context.log(`and ideally indexed after ${since()}`);
  const span = spanOf(copies, count);
  writeFileSync(markOf(dir), JSON.stringify({ filledBy: FILLED_BY, span }));
  return span;
}

const markOf = (dir: string) => join(dir, 'filled.json');

function readMark(dir: string): { span: HistoryDatabases['span'] } | null {
  if (!existsSync(markOf(dir))) return null;
  const mark = JSON.parse(readFileSync(markOf(dir), 'utf8')) as { filledBy: string; span: HistoryDatabases['span'] };
  return mark.filledBy === FILLED_BY ? mark : null;
}

/** Tables that are not logged are empty after a server that did not end cleanly. */
async function holdsHistory(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query('select 1 from log.messages limit 1')).rows.length > 0;
  } catch {
    // No such database: it was dropped.
    return false;
  } finally {
    await client.end();
  }
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

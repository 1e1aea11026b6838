import { DAY_MS, HOUR_MS, MINUTE_MS, startOfDay } from '@nwms/domain';
import { openDatabase } from '@nwms/server/platform/db/open';
import type { Database } from '@nwms/server/platform/db/types';
import pg from 'pg';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { fillUsage } from './usage-seed.ts';
import { createTraffic } from './usage-traffic.ts';

export const USAGE_DAYS = 90;
/** Its mark: when the record was filled up to. A record without it is not whole. */
const MARK = 'bench_filled';

/** A record of so many requests of the last 90 days. */
export interface FilledUsage {
  database: Database;
  client: pg.Client;
  /** The moment it was filled for: questions are asked as of then. */
  now: number;
  close(): Promise<void>;
}

/** `keep`: beginning of the names of databases that stay and are used again (NWMS_BENCH_KEEP); else they go when closed. */
export async function openFilledUsage(requests: number, keep: string | undefined, log: (line: string) => void): Promise<FilledUsage> {
  const base = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres';
  const admin = new pg.Client({ connectionString: base, connectionTimeoutMillis: 1_000 });
  await admin.connect();
  const name = keep ? `${keep}_${requests}` : `nwms_bench_usage_${process.pid}_${requests}`;
  const url = new URL(base);
  url.pathname = `/${name}`;
  const drop = () => admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
  const open = async () => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return { client, database: await openDatabase({ kind: 'postgres', url: url.href }, { migrations: MIGRATIONS }) };
  };
  const close = async ({ client, database }: Awaited<ReturnType<typeof open>>) => {
    await client.end();
    await database.close();
  };
  const filled = (now: number, opened: Awaited<ReturnType<typeof open>>): FilledUsage => ({
    ...opened,
    now,
    async close() {
      await close(opened);
      if (!keep) await drop();
      await admin.end();
    },
  });
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount) {
    const opened = await open();
    const { rows } = await opened.client.query<{ value: string }>('select value from usage.usage_marks where name = $1', [MARK]);
    if (rows[0]) return filled(Number(rows[0].value), opened);
    await close(opened);
    log(`${name} is not whole and is filled anew`);
    await drop();
  }
  await admin.query(`create database ${pg.escapeIdentifier(name)}`);
  const opened = await open();
  // Noon: as many hours of the running day are open as on average.
  const now = startOfDay(Date.now()) - DAY_MS + 12 * HOUR_MS + 34 * MINUTE_MS;
  const startedMs = performance.now();
  await fillUsage({
    ...opened,
    traffic: createTraffic(requests),
    requests,
    days: USAGE_DAYS,
    now,
    log: (line) => log(`${name}: ${line} in ${Math.round((performance.now() - startedMs) / 1_000)} s`),
  });
  await opened.client.query('insert into usage.usage_marks (name, value) values ($1, $2)', [MARK, now]);
  return filled(now, opened);
}

import { createUsage, nowhere } from '@nwms/server/features/usage/index';
import { systemClock } from '@nwms/server/platform/clock';
import { openDatabase } from '@nwms/server/platform/db/open';
import type { Database } from '@nwms/server/platform/db/types';
import type { Serve } from '@nwms/server/platform/http/serve';
import { silentLog } from '@nwms/server/platform/log';
import pg from 'pg';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { type BenchContext, type Benchmark, type Figure, figure, percentile } from './harness.ts';
import { fillRequests, rollUpRequests } from './usage-seed.ts';

const DAY_MS = 86_400_000;
const day = `at / ${DAY_MS}`;
/** The same questions over the raw rows; `$1`: start of the window. */
const QUESTIONS: Record<string, readonly string[]> = {
  usageOverview: [
    `select count(*), count(distinct address), avg(ms), avg((status >= 400)::int) from usage.requests where at >= $1`,
    `select ${day}, count(*), count(distinct address), avg(ms) from usage.requests where at >= $1 group by 1`,
    `select endpoint, method, count(*) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 10`,
  ],
  usageEndpoints: [
    `select endpoint, method, count(*), avg(ms), percentile_disc(0.95) within group (order by ms), count(distinct address), sum(bytes), max(at) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 20`,
  ],
  usagePerformance: [
    `select avg(ms), percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ms), max(ms) from usage.requests where at >= $1`,
    `select endpoint, method, avg(ms), percentile_disc(0.95) within group (order by ms) from usage.requests where at >= $1 group by 1, 2`,
    `select (at / 3600000) % 24, avg(ms), count(*) from usage.requests where at >= $1 group by 1`,
  ],
  usageErrors: [
    `select ${day}, count(*) filter (where status >= 400), count(*) from usage.requests where at >= $1 group by 1`,
    `select status, error, count(*) from usage.requests where at >= $1 and status >= 400 group by 1, 2`,
    `select endpoint, method, count(*), avg(ms) from usage.requests where at >= $1 and status >= 400 group by 1, 2`,
  ],
  usageBusinessMetrics: [`select ${day}, sum(alerts), sum(geographic), sum(time_filtered) from usage.requests where at >= $1 group by 1`],
  usageGeographic: [
    `select country, count(*), count(distinct address) from usage.requests where at >= $1 group by 1`,
    `select city, country, count(*) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 50`,
  ],
  usageUserAgents: [
    `select device, count(*) from usage.requests where at >= $1 group by 1`,
    `select browser, os, agent, count(*) from usage.requests where at >= $1 group by 1, 2, 3`,
  ],
  usageUsersOverview: [
    `select count(distinct visitor), sum((gap is null or gap >= 1800000)::int), sum(gap) filter (where gap < 1800000)
      from (select visitor, at - lag(at) over (partition by visitor order by at) as gap from usage.requests where at >= $1) g`,
    `select device, count(*) from (select visitor, mode() within group (order by device) as device from usage.requests where at >= $1 group by 1) v group by 1`,
  ],
  usageUsersDetailed: [
    `select visitor, count(*), mode() within group (order by browser), mode() within group (order by endpoint), avg(ms), min(at), max(at)
      from usage.requests where at >= $1 group by 1 order by 2 desc limit 10`,
  ],
  usageInsights: [
    `select at / 3600000, count(*) from usage.requests where at >= $1 group by 1`,
    `select endpoint, method, count(*), avg(ms), avg((status >= 400)::int) from usage.requests where at >= $1 group by 1, 2`,
    `select count(distinct visitor) from usage.requests where at >= $1`,
  ],
};

interface Times {
  ours: number;
  sql: number;
}

/** Times of every question over so many requests, 95th percentile of the runs, milliseconds. */
async function measure(context: BenchContext, count: number): Promise<Map<string, Times>> {
  const base = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres';
  const admin = new pg.Client({ connectionString: base, connectionTimeoutMillis: 1_000 });
  await admin.connect();
  const name = `nwms_bench_usage_${process.pid}`;
  await admin.query(`create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  let database: Database | null = null;
  try {
    await client.connect();
    database = await openDatabase({ kind: 'postgres', url: url.href }, { migrations: MIGRATIONS });
    const now = Date.now();
    const startedMs = performance.now();
    const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
    await fillRequests(client, count, now);
    context.log(`${count} requests in ${seconds()} s`);
    await rollUpRequests(database, client, now);
    context.log(`with roll-ups ${seconds()} s`);
    const ask = askOf(database);
    const from = Math.floor(now / DAY_MS) * DAY_MS - 89 * DAY_MS;
    const times = new Map<string, Times>();
    for (const [operation, statements] of Object.entries(QUESTIONS)) {
      const timed = async (runs: number, run: () => Promise<unknown>) => {
        const spent: number[] = [];
        for (let n = 0; n < runs; n += 1) {
          const startedAt = performance.now();
          await run();
          spent.push(performance.now() - startedAt);
        }
        return percentile(spent, 0.95);
      };
      // Both warm.
      await ask(operation);
      times.set(operation, {
        ours: await timed(context.quick ? 5 : 20, () => ask(operation)),
        sql: await timed(context.quick ? 1 : 3, async () => {
          for (const statement of statements) await client.query(statement, [from]);
        }),
      });
    }
    return times;
  } finally {
    await client.end();
    await database?.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/** Answers over 90 days, as the routes give them. */
function askOf(database: Database): (operation: string) => Promise<unknown> {
  const handlers = new Map<string, (input: unknown) => unknown>();
  const usage = createUsage({
    database,
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    addressHash: { hash: (text) => text, pair: (text) => ({ now: text, next: text }), renew: async () => {} },
    locator: nowhere,
    audit: { record: async () => {} },
    limits: () => ({ highErrorRate: 10, unusualActivity: 1_000 }),
    usernamesOf: async () => new Map(),
    freshness: () => 'live',
    databaseAway: () => false,
    inFlight: () => 0,
    liveConnections: () => ({ websocket: 0, sse: 0 }),
    templates: 50,
    counted: new Set(),
  });
  const serve: Serve = (spec, handler) => void handlers.set(spec.operation, handler as (input: unknown) => unknown);
  usage.registerRoutes(serve);
  return async (operation) => handlers.get(operation)?.({ query: { days_back: 90 }, reply: { headers: () => {} } });
}

async function run(context: BenchContext): Promise<Figure[]> {
  // NWMS_BENCH_REQUESTS: where there is no time or room for ten million.
  const most = Number(process.env['NWMS_BENCH_REQUESTS'] ?? (context.quick ? 200_000 : 10_000_000));
  const few = await measure(context, most / 10);
  const many = await measure(context, most);
  return [...many].flatMap(([operation, { ours, sql }]) => [
    figure({
      name: `P9 ${operation}, 90 days of ${most / 1e6} M`,
      unit: 'ms',
      ours,
      yardstick: sql,
      ratio: sql / ours,
      target: { sign: '>=', ratio: 20 },
      note: 'ratio: times faster than SQL over raw rows',
    }),
    figure({
      name: `P9 ${operation}, against a tenth of the requests`,
      unit: 'ms',
      ours,
      yardstick: few.get(operation)?.ours ?? Number.NaN,
      target: { sign: '<=', ratio: 1.5 },
    }),
  ]);
}

export const usageFigures: Benchmark = {
  name: 'P9',
  what: 'usage figures over 90 days against the same questions as SQL over raw rows (PostgreSQL)',
  run,
};

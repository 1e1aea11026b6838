import { DAY_MS, startOfDay, startOfHour, startOfTenDays } from '@nwms/domain';
import { type Bundle, bundlesOf } from '@nwms/server/features/usage/bundles';
import { markBegin } from '@nwms/server/features/usage/store-read';
import { MinuteBook } from '@nwms/server/features/usage/minute-book';
import { addToAccounts } from '@nwms/server/features/usage/store-accounts';
import { inHoursBefore, SETTLED_AFTER_MS } from '@nwms/server/features/usage/store-compact';
import { FIGURE_TABLES } from '@nwms/server/features/usage/store-figures';
import { OWN_COLUMNS, putRollups, TRAIT_COLUMNS } from '@nwms/server/features/usage/store-write';
import { DAY, HOUR, type RollupRow, TEN_DAYS, type Traits, type UsageRow, type VisitorRow } from '@nwms/server/features/usage/types';
import { FIGURE_COLUMNS, VISITOR_COLUMNS } from '@nwms/server/features/usage/visitor-columns';
import type { Database } from '@nwms/server/platform/db/types';
import type pg from 'pg';
import { copyIn, lineOf } from './copy-in.ts';
import { Stretch } from './usage-stretch.ts';
import type { Traffic } from './usage-traffic.ts';

const noPause = async () => {};
const TABLES = ['requests', 'visitors', 'rollups', ...FIGURE_TABLES.values()];
const ROWS_PER_CHUNK = 500;

export interface Fill {
  database: Database;
  /** The same database, for COPY. */
  client: pg.Client;
  traffic: Traffic;
  requests: number;
  /** Days up to now, the running one included. */
  days: number;
  now: number;
  log?(line: string): void;
}

/**
 * Fills an empty record with requests up to now as if they had been recorded: rows, and roll-ups put together a day at a time by the product's own tallies. Of what is
 * part of a bigger stretch already only that is written which figures over days read: days, and hours of everything together. Nothing here
 * needs to survive a crash.
 */
export async function fillUsage({ database, client, traffic, requests, days, now, log = () => {} }: Fill): Promise<void> {
  for (const table of TABLES) await client.query(`alter table usage.${table} set unlogged`);
  const { rows: indexes } = await client.query<{ indexdef: string; indexname: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = 'usage' and indexname like any (array['requests\\_%', 'visitors\\_%']) and indexname not like '%\\_pk%'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index usage."${indexname}"`);
  const from = startOfDay(now) - (days - 1) * DAY_MS;
  await markBegin(database, from);
  const share = (at: number) => Math.round((requests * (at - from)) / (now - from));
  let tens = new Stretch(TEN_DAYS, startOfTenDays(from));
  for (let day = from; day < now; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, now);
    const rows = traffic.requestsOf(day, end, share(end) - share(day));
    const copied = copyIn(
      client,
      `copy usage.requests (${REQUEST_COLUMNS.join(', ')}) from stdin`,
      chunked(rows, createRequestLines(share(day))),
    );
    const minutes = await bundlesOf(rows, noPause);
    const bundles = [...minutes.values()].flat();
    await database.usage.transaction().execute((transaction) => addToAccounts(transaction, minutes));
    const isWhole = end + SETTLED_AFTER_MS <= now;
    if (isWhole) {
      const whole = wholeDay(day, bundles);
      await storeRollups(database, whole.rollups);
      await copied;
      await storeVisitors(client, whole.visitors);
      if (tens.start !== startOfTenDays(day)) {
        await putTens(database, client, tens);
        tens = new Stretch(TEN_DAYS, startOfTenDays(day));
      }
      tens.take(
        whole.rollups.filter(({ size }) => size === DAY),
        whole.visitors,
      );
    } else {
      const open = await openDay(rows, bundles, now);
      await storeRollups(database, open.rollups);
      await copied;
      await storeVisitors(client, open.visitors);
    }
    log(`${share(end)} requests`);
  }
  await putTens(database, client, tens);
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { indexdef } of indexes) await client.query(indexdef);
  for (const table of TABLES) await client.query(`vacuum analyze usage.${table}`);
}

interface Rows {
  rollups: RollupRow[];
  visitors: VisitorRow[];
}

/** A day that is over and in its ten days. */
function wholeDay(start: number, bundles: readonly Bundle[]): Rows {
  const hours = new Map<number, Stretch>();
  const day = new Stretch(DAY, start);
  for (const bundle of bundles) {
    hourOf(hours, bundle).addToAll(bundle);
    day.add(bundle);
  }
  return { rollups: [...[...hours.values()].flatMap((hour) => hour.rollupRows(1)), ...day.rollupRows(1)], visitors: day.visitorRows(1) };
}

/** The running day: hours, and the minutes of which no hour is made yet. */
async function openDay(rows: readonly UsageRow[], bundles: readonly Bundle[], now: number): Promise<Rows> {
  const last = inHoursBefore(now);
  const hours = new Map<number, Stretch>();
  for (const bundle of bundles) if (bundle.firstAt < last) hourOf(hours, bundle).add(bundle);
  const young = rows.filter(({ at }) => at >= last);
  const batch = { id: 'bench', rows: young, bundles: await bundlesOf(young, noPause), counts: [] };
  const minutes = await new MinuteBook('bench').apply(batch, last, noPause);
  return {
    rollups: [...[...hours.values()].flatMap((hour) => hour.rollupRows(0)), ...minutes.rollups],
    visitors: [...[...hours.values()].flatMap((hour) => hour.visitorRows(0)), ...minutes.visitors],
  };
}

function hourOf(hours: Map<number, Stretch>, { firstAt }: Bundle): Stretch {
  const start = startOfHour(firstAt);
  let hour = hours.get(start);
  if (!hour) hours.set(start, (hour = new Stretch(HOUR, start)));
  return hour;
}

async function putTens(database: Database, client: pg.Client, tens: Stretch): Promise<void> {
  await storeRollups(database, tens.rollupRows(0));
  await storeVisitors(client, tens.visitorRows(0));
}

const storeRollups = (database: Database, rows: readonly RollupRow[]): Promise<void> =>
  database.usage.transaction().execute((transaction) => putRollups(database, transaction, rows, noPause));

async function storeVisitors(client: pg.Client, rows: readonly VisitorRow[]): Promise<void> {
  const into = (table: string, columns: readonly (keyof VisitorRow)[], of: readonly VisitorRow[]) =>
    copyIn(
      client,
      `copy usage.${table} (${columns.join(', ')}) from stdin`,
      chunked(of, (row) => lineOf(columns.map((name) => row[name]))),
    );
  await into('visitors', VISITOR_COLUMNS, rows);
  for (const [size, table] of FIGURE_TABLES) {
    const own = rows.filter((row) => row.size === size);
    if (own.length > 0) await into(table, FIGURE_COLUMNS, own);
  }
}

const REQUEST_COLUMNS = [...Object.keys(TRAIT_COLUMNS), ...OWN_COLUMNS];
const TRAIT_MEMBERS = Object.values(TRAIT_COLUMNS);

/** Lines of COPY; what requests have in common is written out once. `before`: requests that have a number already. */
function createRequestLines(before: number): (row: UsageRow) => string {
  const shared = new Map<Traits, string>();
  let n = before;
  return ({ traits, at, ms, bytes, alerts, geographic, timeFiltered, cost, requestId }) => {
    n += 1;
    let head = shared.get(traits);
    if (head === undefined) shared.set(traits, (head = lineOf(TRAIT_MEMBERS.map((member) => traits[member])).slice(0, -1)));
    return `${head}\tbench.${n}\t${at}\t${ms ?? String.raw`\N`}\t${bytes}\t${alerts}\t${Number(geographic)}\t${Number(timeFiltered)}\t${cost}\t${requestId}\n`;
  };
}

function* chunked<T>(rows: readonly T[], textOf: (row: T) => string): Generator<string> {
  for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK)
    yield rows
      .slice(start, start + ROWS_PER_CHUNK)
      .map(textOf)
      .join('');
}

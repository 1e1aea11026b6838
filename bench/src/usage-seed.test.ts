import { DAY_MS, HOUR_MS, startOfTenDays, TEN_DAYS_MS } from '@nwms/domain';
import { bundlesOf } from '@nwms/server/features/usage/bundles';
import { MinuteBook } from '@nwms/server/features/usage/minute-book';
import { createCompactor } from '@nwms/server/features/usage/store-compact';
import { markBegin } from '@nwms/server/features/usage/store-read';
import { createUsageWriter } from '@nwms/server/features/usage/store-write';
import type { UsageRow } from '@nwms/server/features/usage/types';
import type { Database } from '@nwms/server/platform/db/types';
import { fakeClock, testEngines } from '@nwms/testkit';
import { openDatabase } from '@nwms/server/platform/db/open';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { createUsageAsk } from './usage-ask.ts';
import { USAGE_QUESTIONS } from './usage-questions.ts';
import { fillUsage } from './usage-seed.ts';
import { createTraffic } from './usage-traffic.ts';

const DAYS = 3;
const REQUESTS = 300;
/** On the second of ten days, past noon: the first of the three days is in the ten days before. */
const NOW = startOfTenDays(Date.UTC(2026, 10, 21)) + DAY_MS + 12.5 * HOUR_MS;
const FROM = Math.floor(NOW / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
const BATCH = 40;

/** Records the requests as they come, and puts them together when all are there. */
async function record(database: Database, rows: readonly UsageRow[]): Promise<void> {
  const pause = async () => {};
  const clock = fakeClock(FROM);
  await markBegin(database, FROM);
  const writer = createUsageWriter(database, pause);
  const book = new MinuteBook('recorder');
  for (let start = 0; start < rows.length; start += BATCH) {
    const own = rows.slice(start, start + BATCH);
    const at = own.at(-1)?.at ?? FROM;
    const batch = { id: `batch-${start}`, rows: own, bundles: await bundlesOf(own, pause), counts: [] };
    await writer.write(batch, await book.apply(batch, at, pause), at);
    book.close(at);
  }
  clock.jump(NOW - FROM);
  await createCompactor({ database, clock }).run(new AbortController().signal);
}

/** Everything figures over days are read from, in a form in which order of writing and of adding up does not show. */
async function stored(database: Database): Promise<Record<string, object[]>> {
  const read = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(database.usage)).rows.map(settled);
  return {
    rollups: await read(
      `select * from usage.rollups where size >= 2 or (size = 1 and (rolled = 0 or kind = 'all')) or rolled = 0 order by size, start, kind, principal, name`,
    ),
    visitors: await read(`select * from usage.visitors where size >= 2 or rolled = 0 order by size, start, scope, visitor`),
    visitor_days: await read(`select * from usage.visitor_days order by start, scope, visitor`),
    visitor_tens: await read(`select * from usage.visitor_tens order by start, scope, visitor`),
    account_totals: await read(`select * from usage.account_totals order by user_id, principal`),
    requests: await read(`select * from usage.requests order by at, request_id`),
  };
}

function settled({ id: _id, part: _part, ...row }: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'ms' || name === 'error_ms') return [name, Number(value).toFixed(6)];
      if (name === 'detail') return [name, JSON.parse(String(value)) as object];
      if (name.startsWith('addresses') && value instanceof Uint8Array) return [name, elements(value)];
      return [name, value];
    }),
  );
}

/** Few addresses are stored as they came: eight bytes each, after one that says so. */
function elements(bytes: Uint8Array): number[] {
  expect([bytes[0], bytes.length % 8]).toEqual([0, 1]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: (bytes.length - 1) / 8 }, (_, n) => view.getFloat64(1 + 8 * n)).sort((a, b) => a - b);
}

const engines = (await testEngines()).filter((engine) => engine.name === 'postgres' && engine.skip === null);
describe.each(engines)('a record filled for measurements', (engine) => {
  it('P9: equals one into which the same requests were recorded, and answers the same', { timeout: 120_000 }, async () => {
    expect(startOfTenDays(FROM)).toBe(startOfTenDays(NOW) - TEN_DAYS_MS);
    const [place, other] = [await engine.place(), await engine.place()];
    const [filled, recorded] = [
      await openDatabase(place.config, { migrations: MIGRATIONS }),
      await openDatabase(other.config, { migrations: MIGRATIONS }),
    ];
    const client = new pg.Client({ connectionString: place.config.kind === 'postgres' ? place.config.url : '' });
    await client.connect();
    try {
      const traffic = createTraffic(7);
      const rows: UsageRow[] = [];
      const noted = {
        requestsOf(from: number, to: number, count: number) {
          const made = traffic.requestsOf(from, to, count);
          rows.push(...made);
          return made;
        },
      };
      await fillUsage({ database: filled, client, traffic: noted, requests: REQUESTS, days: DAYS, now: NOW });
      expect(rows.length).toBe(REQUESTS);
      await record(recorded, rows);
      const [ours, theirs] = [await stored(filled), await stored(recorded)];
      for (const table of Object.keys(theirs)) expect([table, ours[table]]).toEqual([table, theirs[table]]);
      expect(Object.values(theirs).every((of) => of.length > 0)).toBe(true);
      const [ask, askOther] = [createUsageAsk(filled, () => NOW), createUsageAsk(recorded, () => NOW)];
      for (const operation of Object.keys(USAGE_QUESTIONS))
        for (const days_back of [2, 90]) expect(await ask(operation, { days_back })).toEqual(await askOther(operation, { days_back }));
    } finally {
      await client.end();
      await filled.close();
      await recorded.close();
      await place.dispose();
      await other.dispose();
    }
  });
});

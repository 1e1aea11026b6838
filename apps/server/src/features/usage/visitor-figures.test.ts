import { testEngines, type TestPlace } from '@nwms/testkit';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/types.ts';
import { FIGURE_TABLES } from './store-figures.ts';
import { KEPT_DAYS } from './store-retention.ts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';
import { play, script } from './usage-model-fixture.ts';
import { FIGURE_COLUMNS } from './visitor-columns.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);
const columns = FIGURE_COLUMNS.join(', ');

async function rowsOf(db: Database, from: string): Promise<object[]> {
  return (await sql<object>`select ${sql.raw(columns)} from ${sql.raw(from)} order by start, scope, visitor`.execute(db.usage)).rows;
}
const figures = async (db: Database) => {
  const found = [];
  for (const name of FIGURE_TABLES.values()) found.push(await rowsOf(db, db.table('usage', name)));
  return found;
};
const visitors = async (db: Database) => {
  const found = [];
  for (const size of FIGURE_TABLES.keys()) found.push(await rowsOf(db, `${db.table('usage', 'visitors')} where size = ${size}`));
  return found;
};

describe.each((await testEngines()).filter((engine) => engine.skip === null))('figures of visitors on $name', (engine) => {
  let world: UsageWorld;
  let place: TestPlace;
  const begin = async (at: number) => {
    place = await engine.place();
    world = await usageWorld(place, at);
  };
  afterEach(() => world.close());

  it('P9: days and ten days say what the rows beside them say: after roll-ups, late rows and the end of an account', async () => {
    const from = NOON - 3 * DAY;
    await begin(from);
    await play(world, script(31, 400, from, NOON), 3);
    world.clock.jump(DAY);
    await world.usage.compactNow();
    const [days = [], tens = []] = await figures(world.db);
    expect([days.length > 50, tens.length > 30]).toEqual([true, true]);
    expect([days, tens]).toEqual(await visitors(world.db));
    const asked = await world.ask('usageUsersOverview', { days_back: 7 });
    // What another process had kept to itself for three days.
    world.seen({ at: from + HOUR, caller: { type: 'session', keyId: null, userId: 'usr_a', address: '::1' } });
    world.seen({ at: from + HOUR, address: '198.51.100.77' });
    await world.usage.flush();
    await world.usage.compactNow();
    expect(await figures(world.db)).toEqual(await visitors(world.db));
    expect((await world.ask('usageUsersOverview', { days_back: 7 })).total_users).toBe(asked.total_users + 1);
    await world.usage.forget('usr_a');
    expect(await figures(world.db)).toEqual(await visitors(world.db));
    expect(JSON.stringify(await figures(world.db))).not.toContain('usr_a');
  });

  it('databases of before have them as well', async () => {
    const from = NOON - 2 * DAY;
    await begin(from);
    await play(world, script(37, 200, from, NOON), 3);
    world.clock.jump(DAY);
    await world.usage.compactNow();
    const before = await figures(world.db);
    expect(before.flat().length).toBeGreaterThan(50);
    const table = (name: string) => sql.raw(world.db.table('usage', name));
    for (const name of [...FIGURE_TABLES.values(), 'gone_accounts']) await sql`drop table ${table(name)}`.execute(world.db.usage);
    await sql`delete from ${table('usage_marks')} where name = 'gone'`.execute(world.db.usage);
    await sql`delete from ${table('kysely_migration')} where name >= '0004-visitor-figures'`.execute(world.db.usage);
    await world.usage.stop();
    await world.db.close();
    world = await usageWorld(place, world.clock.now());
    expect(await figures(world.db)).toEqual(before);
  });

  it('are kept as long as visitors', async () => {
    await begin(NOON);
    world.seen();
    await world.usage.flush();
    world.clock.jump(2 * DAY);
    await world.usage.compactNow();
    world.clock.jump((KEPT_DAYS.visitors - 12) * DAY);
    await world.usage.expireNow();
    expect((await figures(world.db)).map((rows) => rows.length)).toEqual([1, 1]);
    world.clock.jump(13 * DAY);
    await world.usage.expireNow();
    expect((await figures(world.db)).map((rows) => rows.length)).toEqual([0, 0]);
  });
});

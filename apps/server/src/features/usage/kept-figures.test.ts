import { seededRandom } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';
import { QUESTIONS, script, type Scripted, visits } from './usage-model-fixture.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);
/** Few enough questions that most were asked before. */
const STEPS = 70;
const WINDOWS = [2, 30];
const CALLERS = ['all', 'key'];

/** Everything but what a process knows of its own last minutes. */
function figuresOf(operation: string, answer: Record<string, unknown>): unknown {
  if (operation !== 'usageInsights') return answer;
  const { recommendations: _recommendations, alerts: _alerts, ...figures } = answer;
  return figures;
}

type Process = Pick<UsageWorld, 'usage' | 'seen' | 'ask'>;

describe.each((await testEngines()).filter((engine) => engine.skip === null))('what is kept of figures on $name', (engine) => {
  let world: UsageWorld;
  afterEach(() => world.close());

  it(
    'P9: never tells: after writes, late rows, roll-ups, retention and ends of accounts in any process every answer is the one made anew',
    { timeout: 180_000 },
    async () => {
      const from = NOON - 4 * DAY;
      world = await usageWorld(await engine.place(), from);
      const random = seededRandom(41);
      const processes: Process[] = [world, await world.another()];
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const requests = script(43, 900, from, NOON);
      let next = 0;
      const record = ({ device: _device, browser: _browser, ...request }: Scripted, at: number) => pick(processes).seen({ ...request, at });
      /** What the script has up to now, and once in a while something of long ago. */
      const goOn = async (ms: number) => {
        world.clock.jump(ms);
        for (let one = requests[next]; one && one.at <= world.clock.now(); one = requests[next]) {
          record(one, one.at);
          next += 1;
        }
        for (const { usage } of processes) await usage.flush();
      };
      const late = async (sinceMs = world.clock.now() - from) => {
        for (let n = 0; n < 5; n += 1) record(pick(requests), world.clock.now() - Math.floor(random() * sinceMs));
        for (const { usage } of processes) await usage.flush();
      };
      const actions: [name: string, share: number, run: () => Promise<unknown>][] = [
        ['a minute', 0.2, () => goOn(MINUTE)],
        ['half an hour', 0.4, () => goOn(30 * MINUTE)],
        ['some hours', 0.5, () => goOn(5 * HOUR)],
        ['late rows', 0.6, () => late()],
        ['rows of minutes that are closed', 0.72, () => late(8 * MINUTE)],
        ['a roll-up', 0.9, () => pick(processes).usage.compactNow()],
        ['retention', 0.94, () => pick(processes).usage.expireNow()],
        ['an account ends', 1, () => pick(processes).usage.forget(pick(['usr_a', 'usr_b', 'usr_c', 'usr_d']))],
      ];
      await goOn(DAY + 5 * HOUR);
      for (let step = 0; step < STEPS; step += 1) {
        const dice = random();
        const [name, , run] = actions.find(([, share]) => dice < share) ?? pick(actions);
        await run();
        const anew = await world.another();
        for (let n = 0; n < 4; n += 1) {
          const operation = pick(QUESTIONS);
          const query = { days_back: pick(WINDOWS), principal: pick(CALLERS), limit: 100 };
          const wanted = figuresOf(operation, await anew.ask(operation, query));
          for (const { ask } of processes)
            expect([step, name, operation, query, figuresOf(operation, await ask(operation, query))]).toEqual([
              step,
              name,
              operation,
              query,
              wanted,
            ]);
        }
      }
      expect(next).toBeGreaterThan(400);
    },
  );

  it('P9: roll-ups of a process of a version before, which notes nothing, are seen', { timeout: 60_000 }, async () => {
    world = await usageWorld(await engine.place(), NOON);
    const marks = sql.raw(world.db.table('usage', 'usage_marks'));
    const asked = async () => [
      (await world.ask('usageOverview', { days_back: 30 })).total_requests,
      (await world.ask('usageUsersOverview', { days_back: 30 })).total_sessions,
    ];
    const before = async () => (await sql<{ name: string; value: number }>`select name, value from ${marks}`.execute(world.db.usage)).rows;
    for (let hour = 0; hour < 40; hour += 1) {
      world.seen();
      await world.usage.flush();
      expect(await asked()).toEqual([hour + 1, hour + 1]);
      const noted = await before();
      world.clock.jump(HOUR);
      await world.usage.compactNow();
      await sql`delete from ${marks} where name like 'generation%'`.execute(world.db.usage);
      for (const { name, value } of noted.filter((mark) => mark.name.startsWith('generation')))
        await sql`insert into ${marks} (name, value) values (${name}, ${value})`.execute(world.db.usage);
    }
  });

  it('P9: one request that another process adds to a minute that is closed is in the next answer', { timeout: 60_000 }, async () => {
    world = await usageWorld(await engine.place(), NOON);
    const other = await world.another();
    for (let n = 0; n < 5; n += 1) world.seen();
    other.seen();
    for (const { usage } of [world, other]) await usage.flush();
    world.clock.jump(4 * MINUTE);
    const asked = async () => [
      (await world.ask('usageOverview', { days_back: 2 })).total_requests,
      (await world.ask('usageUsersOverview', { days_back: 2 })).avg_requests_per_user,
    ];
    expect(await asked()).toEqual([6, 6]);
    for (const wanted of [7, 8]) {
      other.seen({ at: NOON });
      await other.usage.flush();
      expect(await asked()).toEqual([wanted, wanted]);
    }
  });

  it('P9: what retention removed is in no answer, though it was kept', { timeout: 60_000 }, async () => {
    world = await usageWorld(await engine.place(), NOON);
    world.seen();
    await world.usage.flush();
    world.clock.jump(2 * DAY);
    await world.usage.compactNow();
    const asked = async () => [
      (await world.ask('usageOverview', { days_back: 90 })).total_requests,
      (await world.ask('usageUsersOverview', { days_back: 90 })).total_users,
    ];
    expect(await asked()).toEqual([1, 1]);
    expect(await asked()).toEqual([1, 1]);
    // Ahead to when nothing of it is stored any more, and back: the same question as before.
    world.clock.jump(801 * DAY);
    await world.usage.expireNow();
    world.clock.jump(-801 * DAY);
    expect(await asked()).toEqual([0, 0]);
  });

  it('late rows between visits, on both sides of them and inside them leave visits exact before any roll-up', async () => {
    const day = Math.floor(NOON / DAY) * DAY - 3 * DAY;
    world = await usageWorld(await engine.place(), day);
    const at = (time: string) => day + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE;
    const caller = (userId: string) => ({ type: 'session' as const, keyId: null, userId, address: '::1' });
    const see = async (userId: string, times: readonly string[]) => {
      for (const time of times) world.seen({ at: at(time), caller: caller(userId) });
      await world.usage.flush();
    };
    const early = { usr_a: ['00:10', '10:00', '14:00'], usr_b: ['09:00', '10:00'], usr_c: ['12:00'] };
    const late = { usr_a: ['05:00', '10:20', '13:40'], usr_b: ['09:29', '09:45'], usr_c: ['11:00', '23:50'] };
    for (const [userId, times] of Object.entries(early)) await see(userId, times);
    world.clock.jump(2 * DAY);
    await world.usage.compactNow();
    await world.ask('usageUsersOverview');
    for (const [userId, times] of Object.entries(late)) await see(userId, times);
    const wanted = Object.entries(early).map(([userId, times]) => {
      const own = [...times, ...late[userId as keyof typeof late]].map(at).sort((a, b) => a - b);
      return visits(own);
    });
    const sessions = wanted.reduce((sum, { count }) => sum + count, 0);
    const seconds = wanted.reduce((sum, { ms }) => sum + ms, 0) / sessions / 1_000;
    const told = async () => {
      const { total_sessions, avg_session_seconds } = await world.ask('usageUsersOverview');
      return [total_sessions, avg_session_seconds];
    };
    expect(await told()).toEqual([sessions, Math.round(seconds * 10) / 10]);
    const rows = await world.ask('usageUsersDetailed', { limit: 10 });
    expect(new Map(rows.map((row: { id: string; total_sessions: number }) => [row.id, row.total_sessions]))).toEqual(
      new Map(Object.keys(early).map((userId, n) => [userId, wanted[n]?.count])),
    );
    await world.usage.compactNow();
    expect(await told()).toEqual([sessions, Math.round(seconds * 10) / 10]);
  });
});

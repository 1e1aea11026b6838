import { fakeClock, testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import type { Database } from '../../../platform/db/types.ts';
import { silentLog } from '../../../platform/log.ts';
import { createMinuteBuckets } from './minute-buckets.ts';
import { createQuotas } from './quotas.ts';
import { createQuotaStore, type QuotaStore } from './store-quota.ts';
import type { Allowance, Exceeded, Taken } from './types.ts';

const NOON = Date.UTC(2026, 10, 21, 12, 0, 10);
const allowance = (subject: string, minute: number | null, day: number | null = null, month: number | null = null): Allowance => ({
  subject,
  scope: subject.startsWith('account') ? 'account' : 'key',
  limits: { minute, day, month },
});

describe.each((await testEngines()).filter((engine) => engine.skip === null))('allowances on $name', (engine) => {
  let db: Database;
  let dispose: () => Promise<void>;
  let made = 0;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });
  const process = (clock = fakeClock(NOON), store: QuotaStore = createQuotaStore(db.app)) => ({
    clock,
    quotas: createQuotas({ clock, log: silentLog, random: () => 0.5, store, shared: engine.name === 'postgres' }),
  });
  const fresh = () => `key:${engine.name}-${(made += 1)}`;
  const many = async (take: () => Taken | Exceeded | Promise<Taken | Exceeded>, n: number) => {
    const taken = await Promise.all(Array.from({ length: n }, take));
    return { ok: taken.filter((one) => one.ok).length, refused: taken.find((one) => !one.ok) ?? null };
  };

  it.each([1, 60, 100, 10_000])('F7: of 5,000 calls at once, and again, exactly %d pass in a minute', async (limit) => {
    const { quotas, clock } = process();
    const asked = [allowance(fresh(), limit)];
    let passed = 0;
    while (passed < limit) passed += (await many(() => quotas.take(asked, 1), Math.min(5_000, limit + 50))).ok;
    expect(passed).toBe(limit);
    expect((await many(() => quotas.take(asked, 1), 5_000)).ok).toBe(0);
    // The next minute is another one, and only that.
    await clock.advance(50_000);
    expect((await many(() => quotas.take(asked, 1), Math.min(5_000, limit + 5))).ok).toBe(Math.min(5_000, limit));
  });

  it.each([
    ['minute', 49_999, 1],
    ['day', 12 * 3_600_000 - 10_001, 1],
    ['month', 9.5 * 86_400_000 - 10_001, 1],
  ] as const)('F7: a %s ends on its edge and not before', async (window, toLastMs, rest) => {
    const { quotas, clock } = process();
    const limits = { minute: null, day: null, month: null, [window]: 60 };
    const asked = [{ ...allowance(fresh(), null), limits }];
    expect((await many(() => quotas.take(asked, 1), 100)).ok).toBe(60);
    await clock.advance(toLastMs);
    expect((await many(() => quotas.take(asked, 1), 100)).ok).toBe(0);
    await clock.advance(rest);
    const { ok, refused } = await many(() => quotas.take(asked, 1), 100);
    expect([ok, refused?.ok === false && refused.exceeded.window]).toEqual([60, window]);
  });

  it('F7: several keys of one account share its allowance, and a refused call takes nothing anywhere', async () => {
    const { quotas } = process();
    const account = allowance(fresh().replace('key:', 'account:'), 100, 1_000);
    const keys = Array.from({ length: 4 }, () => allowance(fresh(), 60, 500));
    const passed = await Promise.all(keys.map((key) => many(() => quotas.take([key, account], 1), 80)));
    expect(passed.reduce((sum, { ok }) => sum + ok, 0)).toBe(100);
    for (const { ok } of passed) expect(ok).toBeLessThanOrEqual(60);
    await quotas.flush();
    const used = await quotas.usedBy([...keys.map((key) => key.subject), account.subject]);
    expect(used.get(account.subject)).toMatchObject({ minute: 100, day: 100, refusedToday: 220 });
    expect(keys.reduce((sum, key) => sum + (used.get(key.subject)?.day ?? 0), 0)).toBe(100);
  });

  it('dear calls are taken whole or not at all, and what they did not cost is given back', async () => {
    const { quotas } = process();
    const asked = [allowance(fresh(), 12, 100)];
    const [a, b] = [await quotas.take(asked, 5), await quotas.take(asked, 5)];
    const c = await quotas.take(asked, 5);
    expect([a.ok, b.ok, c.ok]).toEqual([true, true, false]);
    if (a.ok) a.giveBack(5);
    expect((await quotas.take(asked, 5)).ok).toBe(true);
    expect((await many(() => quotas.take(asked, 1), 5)).ok).toBe(2);
    expect(b.states().map(({ window, remaining }) => [window, remaining])).toEqual([
      ['minute', 0],
      ['day', 88],
    ]);
  });

  it('a changed limit counts from the next call on, in the running window', async () => {
    const { quotas } = process();
    const subject = fresh();
    expect((await many(() => quotas.take([allowance(subject, 40)], 1), 60)).ok).toBe(40);
    expect((await many(() => quotas.take([allowance(subject, 50)], 1), 60)).ok).toBe(10);
    expect((await many(() => quotas.take([allowance(subject, 20)], 1), 60)).ok).toBe(0);
    expect((await many(() => quotas.take([allowance(subject, 51)], 1), 60)).ok).toBe(1);
  });

  it('I7: a clock set back by an hour or a day opens no window again, and one set forward ends it once', async () => {
    for (const jump of [-3_600_000, -86_400_000, -1, -60_000]) {
      const { quotas, clock } = process();
      const asked = [allowance(fresh(), 60, 100)];
      expect((await many(() => quotas.take(asked, 1), 70)).ok).toBe(60);
      clock.jump(jump);
      expect((await many(() => quotas.take(asked, 1), 70)).ok).toBe(0);
      // Another process whose clock is right sees the same.
      const other = process(fakeClock(NOON));
      expect((await many(() => other.quotas.take(asked, 1), 70)).ok).toBe(0);
    }
    const { quotas, clock } = process();
    const asked = [allowance(fresh(), 60)];
    await many(() => quotas.take(asked, 1), 70);
    clock.jump(86_400_000);
    expect((await many(() => quotas.take(asked, 1), 70)).ok).toBe(60);
    clock.jump(-86_400_000);
    expect((await many(() => quotas.take(asked, 1), 70)).ok).toBe(0);
  });

  it.each([60, 1_000, 10_000])('B3: whatever dies grants nothing twice, and loses at most a percent of %d', async (limit) => {
    const subject = fresh();
    let passed = 0;
    let lost = 0;
    for (let life = 0; life < 30; life += 1) {
      // A process that ends without a word: what it held stays granted.
      const { quotas } = process();
      const before = passed;
      passed += (await many(() => quotas.take([allowance(subject, limit)], 1), Math.ceil(limit / 100))).ok;
      const [row] = await createQuotaStore(db.app).read([subject]);
      lost = (row?.granted ?? 0) - passed;
      expect(passed - before).toBe(Math.ceil(limit / 100));
      expect(lost).toBeLessThanOrEqual(0.01 * limit);
    }
    passed += (await many(() => process().quotas.take([allowance(subject, limit)], 1), 10)).ok;
    const { quotas } = process();
    passed += (await many(() => quotas.take([allowance(subject, limit)], 1), limit)).ok;
    expect(passed).toBeLessThanOrEqual(limit);
  });

  it.each([60, 1_000, 10_000])(
    'B3 API-09: after a kill what is told to be left of %d is what there is, and nothing used is forgotten alone',
    async (limit) => {
      const asked = [allowance(fresh(), limit)];
      const dead = process();
      const before = Math.ceil(limit / 3);
      let passed = 0;
      while (passed < before) passed += (await many(() => dead.quotas.take(asked, 1), Math.min(100, before - passed))).ok;
      const { quotas, clock } = process();
      const [state] = await quotas.statesOf(asked);
      expect(state!.remaining).toBeGreaterThanOrEqual(Math.floor(0.99 * limit) - before);
      let after = 0;
      for (let more = 1; more > 0; after += more) {
        more = (await many(() => quotas.take(asked, 1), 100)).ok;
        await clock.advance(0);
      }
      expect(after).toBe(state!.remaining);
      expect((await quotas.statesOf(asked))[0]!.remaining).toBe(0);
      const used = (await quotas.usedBy([asked[0]!.subject])).get(asked[0]!.subject)!.minute;
      // Several processes know of the last second of a dead one only that it was granted.
      expect(used).toBeGreaterThanOrEqual(engine.name === 'sqlite' ? passed + after : after);
      expect(used).toBeLessThanOrEqual(limit);
    },
  );

  it('API-09: what other processes hold ready is not told as used, and not promised either', async () => {
    const asked = [allowance(fresh(), 10_000)];
    const clock = fakeClock(NOON);
    const [one, two] = [process(clock), process(clock)];
    await many(() => one.quotas.take(asked, 1), 7);
    await one.quotas.flush();
    const [state] = await two.quotas.statesOf(asked);
    // Alone there is no other process: what is not held here counts as used.
    const [least, most] = engine.name === 'sqlite' ? [7, 60] : [7, 7];
    expect(state!.used).toBeGreaterThanOrEqual(least);
    expect(state!.used).toBeLessThanOrEqual(most);
    expect(state!.remaining).toBeLessThanOrEqual(10_000 - state!.used);
    expect(state!.remaining).toBeGreaterThanOrEqual(9_900);
  });

  it('F7: a key that sleeps for minutes loses nothing of its day: exactly 1000 pass, and the figure is theirs', async () => {
    const { quotas, clock } = process();
    const asked = [allowance(fresh(), null, 1_000)];
    quotas.start();
    let passed = 0;
    for (let nap = 0; nap < 8; nap += 1) {
      passed += (await many(() => quotas.take(asked, 1), 20)).ok;
      for (let second = 0; second < 200; second += 4) await clock.advance(4_000);
      await quotas.flush();
      expect((await quotas.usedBy([asked[0]!.subject])).get(asked[0]!.subject)!.day).toBe(passed);
    }
    for (let more = 1; more > 0; passed += more) more = (await many(() => quotas.take(asked, 1), 200)).ok;
    expect(passed).toBe(1_000);
    await quotas.stop();
  });

  it('F7: the first units of a caller are not lost when the upkeep comes by while they are asked for', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const real = createQuotaStore(db.app);
    const store: QuotaStore = {
      ...real,
      exchange: async (asks) => {
        const rows = await real.exchange(asks);
        await answered;
        return rows;
      },
    };
    const { quotas, clock } = process(fakeClock(NOON), store);
    await clock.advance(300_000);
    const asked = [allowance(fresh(), 60)];
    const taken = quotas.take(asked, 1);
    const upkeep = quotas.flush();
    answer();
    expect((await taken).ok).toBe(true);
    await upkeep;
    expect((await real.read([asked[0]!.subject])).map((row) => row.granted)).toEqual([1]);
  });

  it('an orderly stop loses nothing, and what was refused is on record', async () => {
    const asked = [allowance(fresh(), 10_000, 20_000)];
    const first = process();
    await many(() => first.quotas.take(asked, 1), 100);
    await first.quotas.stop();
    const used = await process().quotas.usedBy([asked[0]!.subject]);
    expect(used.get(asked[0]!.subject)).toMatchObject({ minute: 100, day: 100, refusedToday: 0 });
    const rows = await createQuotaStore(db.app).read([asked[0]!.subject]);
    expect(rows.map((row) => row.granted)).toEqual([100, 100]);
  });

  it('a database that cannot be written stops nobody: memory decides, and the debt is written down afterwards', async () => {
    let isFull = false;
    const real = createQuotaStore(db.app);
    const store: QuotaStore = {
      ...real,
      exchange: async (asks) => {
        if (isFull) throw new Error('disk full');
        return real.exchange(asks);
      },
    };
    const { quotas, clock } = process(fakeClock(NOON), store);
    const asked = [allowance(fresh(), 60)];
    expect((await many(() => quotas.take(asked, 1), 20)).ok).toBe(20);
    isFull = true;
    expect((await many(() => quotas.take(asked, 1), 25)).ok).toBe(25);
    expect((await many(() => quotas.take(asked, 1), 25)).ok).toBe(15);
    isFull = false;
    await clock.advance(1_500);
    await quotas.flush();
    expect((await quotas.usedBy([asked[0]!.subject])).get(asked[0]!.subject)?.minute).toBe(60);
    expect((await many(() => quotas.take(asked, 1), 25)).ok).toBe(0);
  });

  it.skipIf(engine.name === 'sqlite').each([60, 100, 1_000, 10_000])(
    'F7: three processes pass never over %d, and nearly all of it',
    async (limit) => {
      const asked = [allowance(fresh(), limit, 10 * limit)];
      const all = [process(), process(), process()];
      let passed = 0;
      for (let round = 0; round < 12; round += 1) {
        const done = await Promise.all(all.map(({ quotas }) => many(() => quotas.take(asked, 1), Math.ceil(limit / 20))));
        passed += done.reduce((sum, { ok }) => sum + ok, 0);
        for (const { clock } of all) await clock.advance(300);
      }
      expect(passed).toBeLessThanOrEqual(limit);
      expect(passed).toBeGreaterThanOrEqual(Math.floor(0.98 * limit));
    },
  );
});

describe('minute buckets', () => {
  it('count exactly, per caller, give back within the minute and never open one again', async () => {
    const clock = fakeClock(NOON);
    const buckets = createMinuteBuckets(clock);
    const take = () => buckets.take('192.0.2.1', 1, 60);
    expect(Array.from({ length: 100 }, take).filter(Boolean)).toHaveLength(60);
    expect(buckets.take('192.0.2.2', 1, 60)).toBe(true);
    buckets.giveBack('192.0.2.1', 1, buckets.startsAt());
    expect([take(), take()]).toEqual([true, false]);
    clock.jump(-3_600_000);
    expect(take()).toBe(false);
    clock.jump(3_600_000);
    const before = buckets.startsAt();
    await clock.advance(50_000);
    expect(take()).toBe(true);
    buckets.giveBack('192.0.2.1', 1, before);
    expect(buckets.used('192.0.2.1')).toBe(1);
  });
});

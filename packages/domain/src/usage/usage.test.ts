import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adviceFor,
  dailyGrowthRate,
  daysOfWindow,
  forecastRequests,
  growthPercent,
  growthTrend,
  insightFindings,
  Sketch,
  startOfDay,
  systemHealth,
  Uniques,
  userTypeOf,
  previousWindow,
  usageWindow,
  type AdviceFacts,
  type InsightFacts,
} from './index.ts';
import { seededRandom } from '../stats/bootstrap.ts';

const nearestRank = (values: readonly number[], q: number) => [...values].sort((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? 0;
const hashed = (n: number) => {
  // SplitMix-like spreading into 53 bits.
  let a = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  a = Math.imul(a ^ (a >>> 13), 0xc2b2ae35) >>> 0;
  let b = Math.imul((n + 0x9e3779b9) ^ (n >>> 15), 0x2c1b3c6d);
  b = Math.imul(b ^ (b >>> 12), 0x297a2d39);
  return (((b ^ (b >>> 15)) >>> 0) % 2 ** 21) * 2 ** 32 + ((a ^ (a >>> 16)) >>> 0);
};

describe('percentiles from sketches', () => {
  const shapes: Record<string, (random: () => number) => number> = {
    uniform: (random) => 1 + 999 * random(),
    lognormal: (random) => Math.exp(3 + Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())),
    'fast or stuck': (random) => (random() < 0.97 ? 2 + random() : 5_000 + 20_000 * random()),
    pareto: (random) => 5 / (random() || 1e-6) ** 0.7,
  };
  it.each(Object.keys(shapes))('lie within 1 % of the value of that rank: %s', (name) => {
    const random = seededRandom(7);
    const values = Array.from({ length: 20_000 }, () => shapes[name]?.(random) ?? 0);
    const whole = new Sketch();
    const parts = [new Sketch(), new Sketch(), new Sketch()];
    values.forEach((value, i) => {
      whole.add(value);
      parts[i % 3]?.add(value);
    });
    const merged = new Sketch();
    for (const part of parts) merged.mergeEncoded(part.encode());
    for (const q of [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1]) {
      const exact = nearestRank(values, q);
      expect(Math.abs((whole.quantile(q) ?? 0) / exact - 1)).toBeLessThanOrEqual(0.010001);
      expect(merged.quantile(q)).toBe(whole.quantile(q));
    }
  });
  it('any values, any split: merging and encoding lose nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 60 }), fc.nat(), (values, cut) => {
        const [a, b, whole] = [new Sketch(), new Sketch(), new Sketch()];
        values.forEach((value, i) => {
          whole.add(value);
          (i < cut % values.length ? a : b).add(value);
        });
        a.merge(b);
        const read = new Sketch();
        read.mergeEncoded(a.encode());
        expect(read.encode()).toEqual(whole.encode());
        expect(read.count).toBe(values.length);
        const exact = nearestRank(values, 0.95);
        const told = read.quantile(0.95) ?? -1;
        // Under a nanosecond nothing is told apart from zero.
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(0.010001 * exact + 1e-6);
      }),
    );
  });
  it('of nothing is null, and broken bytes are refused', () => {
    expect(new Sketch().quantile(0.5)).toBeNull();
    expect(() => new Sketch().mergeEncoded(Uint8Array.of(0, 200))).toThrow('ends in the middle');
  });
});

describe('counts of different ones', () => {
  it('are exact up to 1,000, over any union', () => {
    const [a, b] = [new Uniques(), new Uniques()];
    for (let n = 0; n < 700; n += 1) a.add(hashed(n));
    for (let n = 300; n < 1_000; n += 1) b.add(hashed(n));
    a.mergeEncoded(b.encode());
    expect([a.count(), a.estimate().method]).toEqual([1_000, 'exact']);
    a.add(hashed(5_000));
    expect(a.estimate()).toEqual({ method: 'hll', error95: 0.016 });
    expect(Math.abs(a.count() - 1_001)).toBeLessThan(25);
  });
  it('are within the stated error beyond, however they were put together', () => {
    for (const size of [1_500, 5_000, 20_000, 60_000, 300_000]) {
      const parts = [new Uniques(), new Uniques(), new Uniques()];
      for (let n = 0; n < size; n += 1) parts[n % 3]?.add(hashed(n * 7 + size));
      const union = new Uniques();
      for (const part of parts) union.mergeEncoded(part.encode());
      // Three standard errors: a fixed set of numbers, so this cannot flicker.
      expect(Math.abs(union.count() / size - 1)).toBeLessThan(0.025);
    }
  });
  it('are the same after they were written and read, and written short while they are few', () => {
    for (const [size, most] of [
      [1_001, 1_500],
      [3_000, 3_200],
      [20_000, 12_000],
    ] as const) {
      const whole = new Uniques();
      for (let n = 0; n < size; n += 1) whole.add(hashed(n * 3 + size));
      const bytes = whole.encode();
      const read = new Uniques();
      read.mergeEncoded(bytes);
      expect(bytes.length).toBeLessThanOrEqual(most);
      expect([read.count(), read.estimate().method]).toEqual([whole.count(), 'hll']);
      expect(read.encode()).toEqual(bytes);
      expect(() => new Uniques().mergeEncoded(bytes.subarray(0, -1))).toThrow('not a count');
    }
  });
  it('that were written before they were packed are read as they are', () => {
    // Registers 0, 200 and 201 hold 3, 40 and 1.
    const read = new Uniques();
    read.mergeEncoded(Uint8Array.of(2, 1, 3, 200, 1, 40, 1, 1));
    const again = new Uniques();
    again.mergeEncoded(read.encode());
    expect([read.count(), again.count()]).toEqual([3, 3]);
    expect([...read.encode()]).toEqual([3, 3, 0, 8 + 3, 0, 200, 1, 40, 8 + 1]);
  });
  it('refuse bytes that are none', () => {
    expect(() => new Uniques().mergeEncoded(Uint8Array.of(7, 1))).toThrow('not a count');
  });
});

describe('I8: windows are UTC, have exactly N days and never bend at a change of clocks', () => {
  const ends = ['2026-03-08T12:00:00Z', '2026-11-01T06:30:00Z', '2028-02-29T23:59:59.999Z', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'];
  it.each(ends)('ending %s', (text) => {
    const now = Date.parse(text);
    for (let days = 2; days <= 90; days += 1) {
      const window = usageWindow(days, now);
      const rows = daysOfWindow(window);
      expect(rows.length).toBe(days);
      expect(rows.at(-1)).toBe(startOfDay(now));
      expect(rows.every((at) => at % 86_400_000 === 0)).toBe(true);
    }
    const day = usageWindow(1, now);
    expect(daysOfWindow(day)).toEqual([startOfDay(now)]);
    expect((Math.floor(now / 3_600_000) * 3_600_000 - day.from) / 3_600_000).toBe(23);
    expect(previousWindow(usageWindow(7, now)).to).toBe(now - 7 * 86_400_000);
  });
});

describe('kinds of users, the first that holds', () => {
  const one = { requests: 10, botRequests: 0, apiRequests: 0, sessions: 1 };
  it.each([
    [{ ...one, requests: 100, botRequests: 51 }, 'bot'],
    [{ ...one, requests: 100, botRequests: 50 }, 'power_user'],
    [{ ...one, requests: 51 }, 'power_user'],
    [{ ...one, requests: 50, apiRequests: 40 }, 'api_client'],
    [{ ...one, requests: 50, apiRequests: 39, sessions: 2 }, 'regular'],
    [{ ...one, requests: 50 }, 'casual'],
  ] as const)('%o is %s', (figures, type) => {
    expect(userTypeOf(figures)).toBe(type);
  });
});

describe('the health score', () => {
  const good = {
    requests: 20,
    serverErrorPercent: 0,
    p95Ms: 200,
    freshness: 'live',
    databaseAway: false,
    deliveryBacklog: false,
    usageDropped: false,
  } as const;
  it('is 100 when all is well and follows its formula otherwise', () => {
    expect(systemHealth(good)).toMatchObject({ score: 100, components: { availability: 1, latency: 1, freshness: 1, dependencies: 1 } });
    expect(systemHealth({ ...good, serverErrorPercent: 2.5 }).score).toBe(Math.round(100 * (0.175 + 0.25 + 0.25 + 0.15)));
    expect(systemHealth({ ...good, p95Ms: Math.sqrt(200 * 2_000) }).components.latency).toBe(0.5);
    expect(systemHealth({ ...good, freshness: 'unknown', databaseAway: true, usageDropped: true }).score).toBe(64);
  });
  it('is unknown with fewer than 20 requests, not good', () => {
    expect(systemHealth({ ...good, requests: 19 })).toMatchObject({
      score: null,
      components: { availability: null, latency: null, freshness: 1 },
    });
  });
});

describe('growth and forecast', () => {
  const weekly = [0.5, 1.2, 1.3, 1.3, 1.2, 1, 0.5];
  const series = (days: number, growth: number, random: () => number = () => 0.5) =>
    Array.from({ length: days }, (_, i) => Math.round(1_000 * (1 + growth) ** i * (weekly[i % 7] ?? 1) * (0.95 + 0.1 * random())));
  it('finds the growth under the week', () => {
    expect(dailyGrowthRate({ counts: series(28, 0.02), firstWeekday: 0 })).toBeCloseTo(2, 0);
    expect(dailyGrowthRate({ counts: series(7, 0), firstWeekday: 0 })).toBeNull();
    expect(dailyGrowthRate({ counts: Array.from({ length: 20 }, () => 4), firstWeekday: 0 })).toBeNull();
    expect([5.01, 0.01, 0, -4.99, -5].map(growthTrend)).toEqual(['rapid', 'steady', 'stable', 'stable', 'declining']);
    expect([growthPercent(15, 10), growthPercent(1, 0)]).toEqual([50, null]);
  });
  it('repeats a steady week exactly and keeps the shape of the days', () => {
    const forecast = forecastRequests({ counts: series(35, 0), firstWeekday: 0 });
    const week = 1_000 * weekly.reduce((sum, share) => sum + share, 0);
    expect(Math.abs((forecast?.week ?? 0) / week - 1)).toBeLessThan(0.01);
    expect(forecast?.daily.length).toBe(30);
    expect((forecast?.daily[1]?.expected ?? 0) / (forecast?.daily[0]?.expected ?? 1)).toBeCloseTo(1.2 / 0.5, 1);
    expect(forecast?.confidence).toBeGreaterThan(0.98);
  });
  it('tells no number with under 14 days and no bar with under 27', () => {
    expect(forecastRequests({ counts: series(13, 0), firstWeekday: 0 })).toBeNull();
    const short = forecastRequests({ counts: series(26, 0), firstWeekday: 0 });
    expect([short?.weekInterval, short?.confidence, short?.daily[0]?.low]).toEqual([null, null, null]);
    expect(forecastRequests({ counts: series(27, 0), firstWeekday: 0 })?.weekInterval?.level).toBe(0.8);
  });
  it('its 80 % bar holds the week in about that share of noisy series', () => {
    let held = 0;
    const runs = 150;
    for (let run = 0; run < runs; run += 1) {
      const random = seededRandom(run + 1);
      const all = series(63, 0.004 * (random() - 0.5), random);
      const forecast = forecastRequests({ counts: all.slice(0, 56), firstWeekday: 0 });
      const actual = all.slice(56).reduce((sum, count) => sum + count, 0);
      const { low = 0, high = 0 } = forecast?.weekInterval ?? {};
      if (actual >= low && actual <= high) held += 1;
    }
    expect(held / runs).toBeGreaterThan(0.65);
    expect(held / runs).toBeLessThan(0.97);
  });
});

describe('alerts of insights', () => {
  const quiet: InsightFacts = {
    hour: { requests: 1_000, errors: 10, p95Ms: 80 },
    tenMinutes: { requests: 200, serverErrors: 0, failedSignIns: 0 },
    loudest: [{ caller: 'key key_1', requests: 99 }],
    freshness: 'live',
    lastHour: { requests: 900, before: [1_000, 900, 1_100] },
    droppedRows: 0,
    quotas: [{ subject: 'key key_1', usedPercent: 80 }],
    backlog: { waiting: 10, oldestSeconds: 1 },
  };
  const limits = { highErrorRate: 10, unusualActivity: 100 };
  const ids = (change: Partial<InsightFacts>) =>
    insightFindings({ ...quiet, ...change }, limits).map(({ id, severity }) => `${id} ${severity}`);
  it('is silent when nothing is wrong, and each rule speaks at its border', () => {
    expect(ids({})).toEqual([]);
    expect(ids({ hour: { requests: 100, errors: 11, p95Ms: 80 } })).toEqual(['error_rate_high critical']);
    expect(ids({ hour: { requests: 100, errors: 6, p95Ms: 1_001 } })).toEqual(['error_rate_high warning', 'slow_responses warning']);
    expect(ids({ hour: { requests: 49, errors: 49, p95Ms: 9_000 } })).toEqual([]);
    expect(ids({ hour: { requests: 50, errors: 0, p95Ms: 3_001 } })).toEqual(['slow_responses critical']);
    expect(ids({ tenMinutes: { requests: 500, serverErrors: 5, failedSignIns: 50 } })).toEqual([
      'server_errors critical',
      'sign_in_attack warning',
    ]);
    expect(ids({ tenMinutes: { requests: 501, serverErrors: 5, failedSignIns: 49 } })).toEqual([]);
    expect(
      ids({
        loudest: [
          { caller: 'a', requests: 500 },
          { caller: 'b', requests: 100 },
        ],
      }),
    ).toEqual(['unusual_activity critical', 'unusual_activity warning']);
    expect([...ids({ freshness: 'stale' }), ...ids({ freshness: 'unknown' }), ...ids({ freshness: 'simulated' })]).toEqual([
      'data_stale warning',
      'data_stale critical',
    ]);
    expect(ids({ lastHour: { requests: 199, before: [1_000, 900, 1_100] } })).toEqual(['traffic_drop warning']);
    expect(ids({ lastHour: { requests: 0, before: [1_000, 900] } })).toEqual([]);
    expect(ids({ droppedRows: 1, quotas: [{ subject: 'x', usedPercent: 81 }], backlog: { waiting: 0, oldestSeconds: 301 } })).toEqual([
      'quota_pressure info',
      'delivery_backlog warning',
      'recording_loss critical',
    ]);
  });
});

describe('recommendations', () => {
  const endpoint = {
    endpoint: '/api/v1/alerts',
    method: 'GET',
    requests: 1_000,
    averageMs: 20,
    errorPercent: 0,
    keyGets: 0,
    keyNotModified: 0,
  };
  const none: AdviceFacts = {
    totalRequests: 1_000,
    botRequests: 0,
    dailyGrowthRate: null,
    endpoints: [endpoint],
    pollers: null,
    refusals: null,
    idleKeys: null,
  };
  it('are none when no rule holds', () => {
    expect(adviceFor(none)).toEqual([]);
  });
  it('come by priority, then by the requests concerned, at most ten, each with its figures in the text', () => {
    const all = adviceFor({
      totalRequests: 1_000,
      botRequests: 501,
      dailyGrowthRate: 6,
      endpoints: [
        { ...endpoint, averageMs: 1_001, requests: 60 },
        { ...endpoint, method: 'POST', averageMs: 501, errorPercent: 11 },
        { ...endpoint, endpoint: '/api/v1/alerts/near', keyGets: 500, keyNotModified: 99 },
        { ...endpoint, endpoint: '/api/v1/rare', requests: 49, averageMs: 9_000, errorPercent: 90 },
      ],
      pollers: [{ caller: 'key key_1', endpoint: 'GET /api/v1/alerts', requests: 400 }],
      refusals: [{ account: 'ann', requests: 100, refused: 6 }],
      idleKeys: 2,
    });
    expect(all.map(({ id }) => id)).toEqual([
      'failing_endpoint:POST /api/v1/alerts',
      'slow_endpoint:GET /api/v1/alerts',
      'growing_traffic',
      'slow_endpoint:POST /api/v1/alerts',
      'use_etag:GET /api/v1/alerts/near',
      'refused_account:ann',
      'mostly_bots',
      'fast_poller:key key_1:GET /api/v1/alerts',
      'idle_keys',
    ]);
    expect(all[0]?.description).toContain('11 %');
    expect(all[4]?.description).toContain('19.8 %');
  });
});

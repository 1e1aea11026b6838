import { testEngines } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);

describe.each((await testEngines()).filter((engine) => engine.skip === null))('insights and the last minutes on $name', (engine) => {
  let world: UsageWorld;
  const begin = async (at: number) => (world = await usageWorld(await engine.place(), at));
  afterEach(() => world.close());

  it('API-21 API-22: insights are the rules over what was counted: growth, forecast, peaks, ranks, advice', async () => {
    await begin(Date.UTC(2026, 8, 20, 1));
    await world.usage.start();
    for (let day = 0; day < 40; day += 1) {
      for (let n = 0; n < 20; n += 1) {
        world.clock.jump(Date.UTC(2026, 8, 21) + day * DAY + (n < 15 ? 18 : 3 + n) * HOUR - world.clock.now());
        const refused = day > 35 && n % 2 === 0;
        world.seen({
          endpoint: n % 4 === 0 ? '/api/v1/alerts/near' : '/api/v1/alerts',
          ms: n % 4 === 0 ? 1_200 : 20,
          caller: { type: 'key', keyId: 'key_1', userId: 'usr_a', address: '::1' },
          ...(refused ? { status: 429, error: 'quota.minute_exceeded' } : {}),
        });
      }
      await world.usage.flush();
      if (day % 10 === 9) await world.usage.compactNow();
    }
    world.clock.jump(Date.UTC(2026, 9, 31, 1) - world.clock.now());
    const told = await world.ask('usageInsights', { days_back: 30 });
    expect(told.system_insights).toMatchObject({
      total_requests: 29 * 20,
      unique_users: 1,
      peak_hour: 18,
      busiest_endpoint: 'GET /api/v1/alerts',
      slowest_endpoint: 'GET /api/v1/alerts/near',
      daily_growth_rate: 0,
      power_users_count: 1,
    });
    expect(told.predictions).toMatchObject({ next_week_requests: 140, next_month_requests: 600, growth_trend: 'stable', basis_days: 40 });
    expect(told.predictions.daily.length).toBe(30);
    expect(told.predictions.daily[0]).toEqual({ date: '2026-11-01', expected: 20, low: 20, high: 20 });
    expect(told.confidence_score).toBe(1);
    expect(told.recommendations.map(({ id }: { id: string }) => id)).toEqual([
      'slow_endpoint:GET /api/v1/alerts/near',
      'failing_endpoint:GET /api/v1/alerts/near',
      'refused_account:name of usr_a',
    ]);
    expect(told.recommendations[0]).toMatchObject({
      id: 'slow_endpoint:GET /api/v1/alerts/near',
      priority: 'high',
      evidence: { avg_response_time_ms: 1_200 },
    });
    expect(told.recommendations[2]).toMatchObject({
      evidence: { refused: 40, requests: 580 },
    });
    expect(told.insufficient).toEqual([]);
  });

  it('API-21 API-22: with too few requests a rank is null and says of how many; only what can be "not modified" is advised to ask for that', async () => {
    await begin(NOON);
    await world.usage.start();
    const caller = { type: 'session', keyId: null, userId: 'usr_a', address: '::1' } as const;
    for (let n = 0; n < 9; n += 1) world.seen({ status: 500, error: 'server.internal', ms: n < 4 ? 20 : null });
    await world.usage.flush();
    const few = await world.ask('usageInsights');
    expect(few.system_insights).toMatchObject({ slowest_endpoint: null, error_prone_endpoint: null });
    expect(few.insufficient).toEqual(
      expect.arrayContaining([
        { field: 'system_insights.slowest_endpoint', reason: 'few_samples', have: 4, need: 10 },
        { field: 'system_insights.error_prone_endpoint', reason: 'few_samples', have: 9, need: 10 },
      ]),
    );
    const key = { type: 'key', keyId: 'key_1', userId: 'usr_a', address: '::1' } as const;
    // The live feed tells nothing of use, and a list of keys has no ETag.
    for (let minute = 0; minute < 60; minute += 1) {
      for (let n = 0; n < 3; n += 1) {
        world.seen({ caller, endpoint: '/api/v1/analytics/realtime' });
        world.seen({ caller, endpoint: '/api/v1/alerts/stats' });
      }
      for (let n = 0; n < 10; n += 1) {
        world.seen({ caller: key, endpoint: '/api/v1/places/search' });
        world.seen({ caller: key, endpoint: '/api/v1/alerts/near' });
        world.seen({ caller: key, endpoint: '/api/v1/alerts/within', status: 429, error: 'quota.minute_exceeded' });
      }
      world.clock.jump(60_000);
    }
    await world.usage.flush();
    const { recommendations } = await world.ask('usageInsights');
    expect(recommendations.map(({ id }: { id: string }) => id)).toEqual([
      'failing_endpoint:GET /api/v1/alerts/within',
      'refused_account:name of usr_a',
      'use_etag:GET /api/v1/alerts/near',
      'fast_poller:key key_1:GET /api/v1/alerts/near',
      'fast_poller:key key_1:GET /api/v1/alerts/within',
      'fast_poller:account name of usr_a:GET /api/v1/alerts/stats',
    ]);
  });

  it('API-18: who is active is told by kind of caller, and a restart forgets nobody', async () => {
    await begin(NOON);
    await world.usage.start();
    const key = { type: 'key', keyId: 'key_1', userId: 'usr_a', address: '203.0.113.9' } as const;
    world.seen({ caller: key });
    world.seen({ address: '203.0.113.9' });
    world.seen({ address: '203.0.113.1' });
    world.seen({ caller: { type: 'session', keyId: null, userId: 'usr_a', address: '203.0.113.9' } });
    await world.usage.flush();
    const now = async (asked: Pick<UsageWorld, 'ask'>, principal?: string) => {
      const told = await asked.ask('usageRealtime', { minutes_back: 5, ...(principal ? { principal } : {}) });
      return [told.current_requests, told.active_ips_last_5min, told.active_users];
    };
    const restarted = await world.another();
    await restarted.usage.start();
    await expect.poll(() => now(restarted)).toEqual([4, 2, 1]);
    for (const asked of [world, restarted]) {
      expect(await now(asked)).toEqual([4, 2, 1]);
      expect(await now(asked, 'anonymous')).toEqual([2, 2, 0]);
      expect(await now(asked, 'key')).toEqual([1, 1, 1]);
      expect(await now(asked, 'session')).toEqual([1, 1, 1]);
    }
    world.clock.jump(61_000);
    expect(await now(restarted)).toEqual([0, 2, 1]);
    world.clock.jump(4 * 60_000);
    expect(await now(restarted)).toEqual([0, 0, 0]);
    await restarted.usage.stop();
  });

  it('API-18: the last minutes come from memory', async () => {
    await begin(NOON);
    await world.usage.start();
    for (let n = 0; n < 6; n += 1) {
      world.seen({ address: `203.0.113.${n}`, status: n === 0 ? 500 : 200 });
      await world.clock.advance(20_000);
    }
    await world.usage.flush();
    const { requests_per_minute: minutes, ...told } = await world.ask('usageRealtime', { minutes_back: 5 });
    expect(minutes.map((row: { requests: number }) => row.requests)).toEqual([null, null, 1, 3, 2]);
    expect(minutes.map((row: { partial: boolean }) => row.partial)).toEqual([false, false, false, false, true]);
    expect(told).toMatchObject({
      active_ips_last_5min: 6,
      current_requests: 2,
      totals: { requests: 6, unique_ips: 6, error_rate_percent: 16.67 },
    });
    expect(told.top_endpoints).toEqual([{ endpoint: '/api/v1/alerts', requests: 6 }]);
    // Five minutes later nobody is active; the minutes stay.
    await world.clock.advance(300_000);
    expect(await world.ask('usageRealtime', { minutes_back: 15 })).toMatchObject({
      active_ips_last_5min: 0,
      current_requests: 0,
      totals: { requests: 6 },
    });
  });

  it.runIf(engine.name === 'postgres')(
    'two processes of one database count into the same figures, in the last minutes within seconds',
    async () => {
      const place = await engine.place();
      world = await usageWorld(place, NOON);
      const other = await usageWorld({ config: place.config, dispose: async () => {} }, NOON);
      try {
        await world.usage.start();
        for (const [n, one] of [world, other, other].entries()) one.seen({ address: `203.0.113.${n === 2 ? 0 : n}` });
        await Promise.all([world.usage.flush(), other.usage.flush()]);
        expect(await world.ask('usageOverview')).toMatchObject({ total_requests: 3, unique_ips: 2 });
        // The jobs begin some seconds after the start.
        for (let n = 0; n < 30; n += 1) await world.clock.advance(1_000);
        const told = async () => (await world.ask('usageRealtime', { minutes_back: 5 })).totals;
        await expect.poll(told, { timeout: 20_000 }).toMatchObject({ requests: 3, unique_ips: 2 });
        expect(await world.ask('usageRealtime', { minutes_back: 5 })).toMatchObject({ current_requests: 3, active_ips_last_5min: 2 });
        world.clock.jump(HOUR);
        other.clock.jump(HOUR);
        const rolled = await Promise.all([world.usage.compactNow(), other.usage.compactNow()]);
        expect(rolled.reduce((sum, n) => sum + n, 0)).toBe(1);
        expect(await other.ask('usageOverview')).toMatchObject({ total_requests: 3, unique_ips: 2 });
        expect(await other.ask('usageUsersOverview')).toMatchObject({ total_users: 2, total_sessions: 2 });
      } finally {
        await other.usage.stop();
        await other.db.close();
      }
    },
  );
});

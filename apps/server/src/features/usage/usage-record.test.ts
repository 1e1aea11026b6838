import { testEngines } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { allRequests } from './requests.ts';
import { createRequestReads } from './store-requests.ts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);

describe.each((await testEngines()).filter((engine) => engine.skip === null))('what the record holds on $name', (engine) => {
  let world: UsageWorld;
  const begin = async (at: number) => (world = await usageWorld(await engine.place(), at));
  afterEach(() => world.close());

  // What is made of rows is the same on both.
  it.runIf(engine.name === 'sqlite')(
    'R-23: days before recording began are not zero, they were not counted; quiet days after it are zero',
    async () => {
      await begin(NOON - 2 * DAY - HOUR);
      await world.usage.start();
      world.seen();
      await world.usage.flush();
      world.clock.jump(NOON - world.clock.now());
      const overview = await world.ask('usageOverview', { days_back: 7 });
      expect(overview.daily_trends.map((row: { requests: number | null }) => row.requests)).toEqual([null, null, null, null, 1, 0, 0]);
      expect(overview.daily_trends[0]).toEqual({
        date: '2026-11-15',
        requests: null,
        by_principal: null,
        avg_response_time_ms: null,
        error_rate_percent: null,
        unique_ips: null,
      });
      expect(overview.insufficient).toContainEqual({ field: 'daily_trends', reason: 'not_recorded', have: 3, need: 7 });
      expect(overview.total_requests).toBe(1);
      const errors = await world.ask('usageErrors', { days_back: 7 });
      expect(errors.error_trends.map((row: { error_count: number | null }) => row.error_count)).toEqual([null, null, null, null, 0, 0, 0]);
      const business = await world.ask('usageBusinessMetrics', { days_back: 7 });
      expect(business.daily.map((row: { alerts_served: number | null }) => row.alerts_served)).toEqual([null, null, null, null, 0, 0, 0]);
      const performance = await world.ask('usagePerformance', { days_back: 7 });
      const rows = performance.timeline.map((row: { request_count: number | null }) => row.request_count);
      expect([rows.indexOf(1), rows.filter((count: number | null) => count === null).length]).toEqual([107, 107]);
      expect(performance.hourly_performance.every((row: { request_count: number | null }) => row.request_count !== null)).toBe(true);
      // Everything of the last two days was recorded.
      expect((await world.ask('usageOverview', { days_back: 2 })).insufficient).not.toContainEqual(
        expect.objectContaining({ reason: 'not_recorded' }),
      );
      const minutes = await world.ask('usageRealtime', { minutes_back: 60 });
      expect(minutes.requests_per_minute.every((row: { requests: number | null }) => row.requests === 0)).toBe(true);
    },
  );

  it.runIf(engine.name === 'sqlite')('R-23: minutes and hours of day before recording began are null as well', async () => {
    await begin(NOON);
    await world.usage.start();
    world.clock.jump(10 * 60_000);
    world.seen();
    await world.usage.flush();
    const { requests_per_minute: rows, insufficient } = await world.ask('usageRealtime', { minutes_back: 60 });
    expect(rows.map((row: { requests: number | null }) => row.requests)).toEqual([...Array(49).fill(null), ...Array(10).fill(0), 1]);
    expect(insufficient).toContainEqual({ field: 'requests_per_minute', reason: 'not_recorded', have: 11, need: 60 });
    const { hourly_performance: hours } = await world.ask('usagePerformance', { days_back: 1 });
    expect(hours.map((row: { request_count: number | null }) => row.request_count)).toEqual(
      Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 1 : null)),
    );
    const { hourly_trends: trends } = await world.ask('usageOverview', { days_back: 1 });
    expect(trends.map((row: { requests: number | null }) => row.requests)).toEqual([...Array(23).fill(null), 1]);
  });

  it('R-27: a file of requests has every row that matches, or says clearly that it cannot', async () => {
    await begin(NOON);
    for (let n = 0; n < 4_321; n += 1) world.seen({ requestId: `req_${n}`, status: n % 10 === 0 ? 404 : 200 });
    await world.usage.flush();
    const file = async (query: object): Promise<string[]> => {
      const { body, headers } = await world.ask('usageRequests', { format: 'csv', ...query });
      expect(headers['Content-Type']).toContain('text/csv');
      return (typeof body === 'string' ? body : (await body.toArray()).join('')).trimEnd().split('\r\n');
    };
    const [head, ...rows] = await file({});
    expect(head).toMatch(/^at,endpoint,method,status,/);
    const ids = rows.map((row) => row.split(',').at(-1));
    expect([rows.length, new Set(ids).size]).toEqual([4_321, 4_321]);
    expect((await file({ status: 404 })).length).toBe(1 + 433);
    // Cut to a size by who asks: a page.
    expect((await file({ limit: 100 })).length).toBe(1 + 100);
    const reads = createRequestReads(world.db);
    await expect(allRequests(reads, { format: 'csv' }, 4_320)).rejects.toMatchObject({
      code: 'query.window_too_large',
      fields: [{ name: 'from', message: expect.stringContaining('More than 4,320 requests match') }],
    });
    expect(await (await allRequests(reads, { format: 'csv' }, 4_321)).next()).toMatchObject({ done: false });
  });
});

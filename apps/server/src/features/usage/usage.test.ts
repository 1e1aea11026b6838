import { roundTo, userTypeOf } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { AroundStatement } from '../../platform/db/types.ts';
import { KEPT_DAYS } from './store-retention.ts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';
import { play, script, type Scripted, visitorOf, visits } from './usage-model-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** In the middle of a 90-day period of address keys. */
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);
const nearestRank = (values: readonly number[], q: number) => [...values].sort((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? 0;
const times = (requests: readonly Scripted[]) => requests.flatMap(({ ms }) => (ms === null ? [] : [ms]));
const average = (values: readonly number[]) => (values.length === 0 ? null : roundTo(values.reduce((a, b) => a + b, 0) / values.length, 1));
const counted = (names: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
const without = ({ generated_at: _at, ...answer }: { generated_at: string }) => answer;

describe.each((await testEngines()).filter((engine) => engine.skip === null))('usage figures on $name', (engine) => {
  let world: UsageWorld;
  const begin = async (at: number, around?: AroundStatement) => {
    world = await usageWorld(await engine.place(), at, around ? { around } : {});
    return world;
  };
  afterEach(() => world.close());

  it(
    'API-11 API-12 API-13 API-15 API-16: equal a tally of the same requests, for every window, before and after roll-ups',
    { timeout: 120_000 },
    async () => {
      const from = NOON - 3 * DAY - 5 * HOUR;
      await begin(from);
      const requests = script(11, 1_200, from, NOON);
      await play(world, requests, 5);
      world.clock.jump(NOON - world.clock.now());
      for (const days of [1, 2, 7]) {
        const start = days === 1 ? Math.floor(NOON / HOUR) * HOUR - 23 * HOUR : Math.floor(NOON / DAY) * DAY - (days - 1) * DAY;
        const inside = requests.filter(({ at }) => at >= start);
        const overview = await world.ask('usageOverview', { days_back: days });
        expect(overview.total_requests).toBe(inside.length);
        expect(overview.unique_ips).toBe(new Set(inside.map(({ caller }) => caller.address)).size);
        expect(overview.avg_response_time_ms).toBe(average(times(inside)));
        const failed = inside.filter(({ status }) => status >= 400);
        expect(overview.error_rate_percent).toBe(roundTo((100 * failed.length) / inside.length, 2));
        expect(overview.daily_trends.length).toBe(days);
        expect(overview.daily_trends.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0)).toBe(inside.length);
        for (const row of days === 1 ? [] : overview.daily_trends) {
          const day = inside.filter(({ at }) => new Date(at).toISOString().startsWith(row.date));
          expect([row.requests, row.unique_ips]).toEqual([day.length, new Set(day.map(({ caller }) => caller.address)).size]);
        }
        expect(overview.hourly_trends.length).toBe(24);
        expect(overview.by_principal).toEqual(
          Object.fromEntries(
            ['anonymous', 'key', 'session'].map((kind) => [kind, inside.filter(({ caller }) => caller.type === kind).length]),
          ),
        );

        const performance = await world.ask('usagePerformance', { days_back: days });
        expect(performance.sample_count).toBe(times(inside).length);
        for (const [name, q] of [
          ['p50', 0.5],
          ['p95', 0.95],
          ['p99', 0.99],
        ] as const) {
          const exact = nearestRank(times(inside), q);
          expect(Math.abs(performance[`${name}_response_time_ms`] / exact - 1)).toBeLessThanOrEqual(0.0105 + 0.05 / exact);
        }
        expect(performance.max_response_time_ms).toBe(roundTo(Math.max(...times(inside)), 1));
        expect(performance.hourly_performance.reduce((sum: number, row: { request_count: number }) => sum + row.request_count, 0)).toBe(
          inside.length,
        );
        expect(performance.timeline.reduce((sum: number, row: { request_count: number }) => sum + row.request_count, 0)).toBe(
          inside.length,
        );

        const errors = await world.ask('usageErrors', { days_back: days });
        expect(
          new Map(errors.error_by_status.map((row: { status_code: number; count: number }) => [String(row.status_code), row.count])),
        ).toEqual(counted(failed.map(({ status }) => String(status))));
        expect(new Map(errors.error_by_code.map((row: { error: string; count: number }) => [row.error, row.count]))).toEqual(
          counted(failed.map(({ error }) => error ?? '')),
        );
        for (const row of errors.error_by_endpoint) {
          const own = failed.filter(({ endpoint, method }) => endpoint === row.endpoint && method === row.method);
          expect([row.error_count, row.avg_response_time_ms]).toEqual([own.length, average(times(own))]);
        }

        const rows = await world.ask('usageEndpoints', { days_back: days, limit: 200 });
        expect(Number(world.headers['NWMS-Total-Count'])).toBe(rows.length);
        for (const row of rows) {
          const own = inside.filter(({ endpoint, method }) => endpoint === row.endpoint && method === row.method);
          expect([row.total_requests, row.unique_ips, row.bytes]).toEqual([
            own.length,
            new Set(own.map(({ caller }) => caller.address)).size,
            own.reduce((sum, { bytes }) => sum + bytes, 0),
          ]);
        }
        expect(rows.reduce((sum: number, row: { total_requests: number }) => sum + row.total_requests, 0)).toBe(inside.length);

        const places = await world.ask('usageGeographic', { days_back: days });
        const ofCountry = counted(
          inside.map(({ caller: { address } }) => (address.startsWith('203') ? 'ZZ' : address.endsWith('.4') ? 'DE' : 'US')),
        );
        expect(
          new Map(places.country_stats.map((row: { country_code: string; requests: number }) => [row.country_code, row.requests])),
        ).toEqual(ofCountry);
        expect(places.city_stats.map((row: { city: string }) => row.city).sort()).toEqual(['Ames', 'Des Moines']);

        const agents = await world.ask('usageUserAgents', { days_back: days });
        expect(new Map(agents.devices.map((row: { device_type: string; requests: number }) => [row.device_type, row.requests]))).toEqual(
          counted(inside.map(({ device }) => device)),
        );
        expect(new Map(agents.browsers.map((row: { browser: string; requests: number }) => [row.browser, row.requests]))).toEqual(
          counted(inside.flatMap(({ browser }) => (browser === null ? [] : [browser]))),
        );
        expect(agents.total_requests).toBe(inside.length);

        const business = await world.ask('usageBusinessMetrics', { days_back: days });
        expect([business.total_alerts_served, business.geographic_queries, business.time_filtered_queries]).toEqual([
          inside.reduce((sum, { alerts }) => sum + alerts, 0),
          inside.filter(({ geographic }) => geographic).length,
          inside.filter(({ timeFiltered }) => timeFiltered).length,
        ]);
      }
      const operations = ['usageOverview', 'usagePerformance', 'usageErrors', 'usageGeographic', 'usageUserAgents', 'usageUsersOverview'];
      const before = await Promise.all(operations.map(async (operation) => without(await world.ask(operation))));
      expect(await world.usage.compactNow()).toBeGreaterThan(0);
      expect(await Promise.all(operations.map(async (operation) => without(await world.ask(operation))))).toEqual(before);
      const keys = await world.ask('usageOverview', { principal: 'key' });
      expect(keys.total_requests).toBe(requests.filter(({ caller }) => caller.type === 'key').length);
    },
  );

  it('API-19 API-20: visitors, visits and kinds of users equal a tally, over any cut of the time', { timeout: 120_000 }, async () => {
    const from = NOON - 2 * DAY - 3 * HOUR;
    await begin(from);
    const requests = script(23, 700, from, NOON);
    await play(world, requests, 9);
    world.clock.jump(NOON - world.clock.now());
    for (const days of [1, 2, 30]) {
      const start = days === 1 ? Math.floor(NOON / HOUR) * HOUR - 23 * HOUR : Math.floor(NOON / DAY) * DAY - (days - 1) * DAY;
      const people = Map.groupBy(
        requests.filter(({ at }) => at >= start),
        visitorOf,
      );
      const figures = [...people.values()].map((own) => {
        const { count, ms } = visits(own.map(({ at }) => at));
        const type = userTypeOf({
          requests: own.length,
          botRequests: own.filter(({ device }) => device === 'bot').length,
          apiRequests: own.filter(({ device, caller }) => device === 'client' || caller.type === 'key').length,
          sessions: count,
        });
        return { count, ms, type };
      });
      const told = await world.ask('usageUsersOverview', { days_back: days });
      expect(told.total_users).toBe(people.size);
      expect(told.total_sessions).toBe(figures.reduce((sum, { count }) => sum + count, 0));
      expect(told.avg_session_seconds).toBe(roundTo(figures.reduce((sum, { ms }) => sum + ms, 0) / told.total_sessions / 1_000, 1));
      expect(
        new Map(
          told.user_types.map((row: { type: string; count: number }) => [row.type, row.count]).filter(([, n]: [string, number]) => n > 0),
        ),
      ).toEqual(counted(figures.map(({ type }) => type)));
      const earlier = new Set(requests.filter(({ at }) => at < start).map(visitorOf));
      expect(told.returning_users).toBe([...people.keys()].filter((visitor) => earlier.has(visitor)).length);
      expect(told.registered_users_active).toBe([...people.keys()].filter((visitor) => visitor.startsWith('usr_')).length);

      const rows = await world.ask('usageUsersDetailed', { days_back: days, limit: 100 });
      expect(Number(world.headers['NWMS-Total-Count'])).toBe(people.size);
      expect(rows.map((row: { total_requests: number }) => row.total_requests)).toEqual(
        [...people.values()]
          .map((own) => own.length)
          .sort((a, b) => b - a)
          .slice(0, 100),
      );
      const own = people.get('usr_a') ?? [];
      const ann = rows.find((row: { id: string }) => row.id === 'usr_a');
      expect(ann).toMatchObject({
        username: 'name of usr_a',
        total_requests: own.length,
        total_sessions: visits(own.map(({ at }) => at)).count,
        has_api_key: own.some(({ caller }) => caller.type === 'key'),
        endpoint_diversity_score: new Set(own.map(({ endpoint }) => endpoint).filter((name) => name !== '(unmatched)')).size / 50,
      });
      const second = await world.ask('usageUsersDetailed', { days_back: days, limit: 2, offset: 2 });
      expect(second.map((row: { id: string }) => row.id)).toEqual(rows.slice(2, 4).map((row: { id: string }) => row.id));
    }
  });

  it('a batch whose outcome nobody heard counts once, and the minute goes on being right (B3)', async () => {
    let breakCommit = false;
    const around: AroundStatement = async (sql, run) => {
      const answer = await run();
      if (breakCommit && sql === 'commit') {
        breakCommit = false;
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      }
      return answer;
    };
    await begin(NOON, around);
    world.seen();
    await world.usage.flush();
    world.seen();
    breakCommit = true;
    await expect(world.usage.flush()).rejects.toMatchObject({ code: 'server.database_unavailable' });
    world.seen({ status: 500 });
    await world.usage.flush();
    world.seen();
    await world.usage.flush();
    expect(await world.ask('usageOverview')).toMatchObject({ total_requests: 4, unique_ips: 1, error_rate_percent: 25 });
    expect((await world.ask('usageRequests')).requests.length).toBe(4);
    expect(world.usage.losses().total).toBe(0);
  });

  it('rows that come late are added to hours and days that are made already, once', async () => {
    await begin(NOON - 3 * DAY);
    world.seen();
    await world.usage.flush();
    world.clock.jump(2 * DAY);
    expect(await world.usage.compactNow()).toBe(3);
    // What waited in another process while the database was away from it.
    world.seen({ at: NOON - 3 * DAY + 1_000, address: '198.51.100.4', status: 404, error: 'alert.not_found' });
    world.seen({ at: NOON - 3 * DAY + 2_000 });
    await world.usage.flush();
    const open = without(await world.ask('usageOverview'));
    const openUsers = without(await world.ask('usageUsersOverview'));
    expect(open).toMatchObject({ total_requests: 3, unique_ips: 2, error_rate_percent: 33.33 });
    expect(openUsers).toMatchObject({ total_users: 2, total_sessions: 2 });
    expect(await world.usage.compactNow()).toBe(1);
    expect(await world.usage.compactNow()).toBe(0);
    expect(without(await world.ask('usageOverview'))).toEqual(open);
    expect(without(await world.ask('usageUsersOverview'))).toEqual(openUsers);
    const { hourly_performance: hours } = await world.ask('usagePerformance');
    expect(hours.filter((row: { request_count: number }) => row.request_count > 0)).toMatchObject([{ hour: 12, request_count: 3 }]);
  });

  it('W18: an address and a visitor count once over the change of a key, and only hashes are stored', async () => {
    // Periods of 90 days since 1970: one ends at this instant.
    const change = Math.ceil(NOON / (90 * DAY)) * 90 * DAY;
    await begin(change - 10 * DAY);
    world.seen();
    world.seen({ address: '2001:db8:1:2::/64' });
    await world.usage.flush();
    world.clock.jump(12 * DAY);
    await world.usage.compactNow();
    expect(await world.ask('usageUsersOverview', { days_back: 2 })).toMatchObject({ total_users: 0, new_users: 0 });
    world.seen();
    await world.usage.flush();
    expect(await world.ask('usageOverview', { days_back: 30 })).toMatchObject({ total_requests: 3, unique_ips: 2 });
    expect(await world.ask('usageOverview', { days_back: 2 })).toMatchObject({ total_requests: 1, unique_ips: 1 });
    expect(await world.ask('usageUsersOverview', { days_back: 30 })).toMatchObject({ total_users: 2, new_users: 2 });
    expect(await world.ask('usageUsersOverview', { days_back: 2 })).toMatchObject({ total_users: 1, returning_users: 1 });
    const { rows } = await world.db.usage.executeQuery<object>(
      world.db.usage
        .selectFrom('requests' as never)
        .selectAll()
        .compile() as never,
    );
    expect(rows.length).toBe(3);
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|2001:db8/);
  });

  it('keeps requests for 90 days and days for 800, and never removes what is not rolled up', async () => {
    await begin(NOON);
    world.seen();
    await world.usage.flush();
    world.clock.jump((KEPT_DAYS.requests - 1) * DAY);
    await world.usage.expireNow();
    expect((await world.ask('usageRequests')).requests.length).toBe(1);
    world.clock.jump(2 * DAY);
    await world.usage.expireNow();
    expect((await world.ask('usageRequests')).requests).toEqual([]);
    // 91 days later nothing was ever put together: the minute is still there.
    expect(await world.usage.compactNow()).toBe(3);
    await world.usage.expireNow();
    const left = async () =>
      (
        await world.db.usage.executeQuery<{ size: number }>(
          world.db.usage
            .selectFrom('rollups' as never)
            .selectAll()
            .compile() as never,
        )
      ).rows.map((row) => row.size);
    expect(new Set(await left())).toEqual(new Set([1, 2, 3]));
    world.clock.jump(10 * DAY);
    await world.usage.expireNow();
    expect(new Set(await left())).toEqual(new Set([2, 3]));
    world.clock.jump(KEPT_DAYS.days * DAY);
    await world.usage.expireNow();
    expect(await left()).toEqual([]);
  });

  it('previous figures are of the same length, cut at the same time of day, or null when recording is younger', async () => {
    await begin(NOON - 5 * DAY);
    await world.usage.start();
    const at = (days: number, hours: number, n: number) => {
      world.clock.jump(NOON - days * DAY + hours * HOUR - world.clock.now());
      for (let i = 0; i < n; i += 1) world.seen({ address: `203.0.113.${i}` });
      return world.usage.flush();
    };
    await at(4, 0, 1);
    await at(3, -1, 4);
    // In the hour of the cut, before and after it.
    await at(2, -0.1, 2);
    await at(2, 0.1, 8);
    await at(1, 0, 3);
    await at(0, -0.2, 5);
    world.clock.jump(NOON - world.clock.now());
    await world.usage.compactNow();
    expect(await world.ask('usageOverview', { days_back: 2 })).toMatchObject({
      total_requests: 8,
      previous: { total_requests: 6, unique_ips: 4 },
      growth_percent: 33.3,
    });
    const young = await world.ask('usageOverview', { days_back: 7 });
    expect([young.previous, young.growth_percent]).toEqual([null, null]);
    expect(young.insufficient).toContainEqual({ field: 'previous', reason: 'short_history', have: null, need: 14 });
  });

  it('the drill-down walks every request once, by cursor and filter, and reading it is audited', async () => {
    await begin(NOON);
    for (let n = 0; n < 25; n += 1) {
      world.seen({ status: n % 5 === 0 ? 404 : 200, error: n % 5 === 0 ? 'alert.not_found' : null, requestId: `req_${n}` });
      if (n % 10 === 9) world.clock.jump(1_000);
    }
    await world.usage.flush();
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.ask('usageRequests', { limit: 4, ...(cursor ? { cursor } : {}) });
      walked.push(...page.requests.map((row: { request_id: string }) => row.request_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect([walked.length, new Set(walked).size]).toEqual([25, 25]);
    expect(
      (await world.ask('usageRequests', { error: 'alert.not_found', status: 404, method: 'get', country: 'us' })).requests.length,
    ).toBe(5);
    expect((await world.ask('usageRequests', { min_ms: 11 })).requests).toEqual([]);
    const of = async (principal: string) => (await world.ask('usageRequests', { principal })).requests.length;
    expect([await of('anonymous'), await of('key'), await of('all')]).toEqual([25, 0, 25]);
    expect((await world.ask('usageRequests', { from: new Date(NOON + 1_500).toISOString() })).requests.length).toBe(5);
    const csv = await world.ask('usageRequests', { limit: 3, format: 'csv' });
    expect(csv.body.split('\r\n').length).toBe(5);
    expect(csv.headers.Link).toContain('cursor=');
    expect(world.audited.at(-1)).toMatchObject({ action: 'usage.read', actor: { id: 'usr_admin' }, requestId: 'req_ask' });
  });

  it('an account that is gone leaves its figures and not its name', async () => {
    await begin(NOON);
    for (const type of ['session', 'key'] as const)
      world.seen({ caller: { type, keyId: type === 'key' ? 'key_1' : null, userId: 'usr_a', address: '::1' } });
    await world.usage.flush();
    await world.usage.forget('usr_a');
    const [row] = await world.ask('usageUsersDetailed');
    expect(row).toMatchObject({ username: null, total_requests: 2, total_sessions: 1 });
    expect(row.id).toMatch(/^gone_/);
    expect(JSON.stringify((await world.ask('usageRequests')).requests)).not.toMatch(/usr_a|key_1/);
  });
});

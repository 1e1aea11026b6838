import { testEngines } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { AroundStatement } from '../../platform/db/types.ts';
import type { FinishedRequest } from './index.ts';
import { createAccountReads } from './store-accounts.ts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Half a minute before a month begins. */
const LATE = Date.UTC(2026, 10, 30, 23, 59, 30);

const by = (type: 'key' | 'session', userId: string): Partial<FinishedRequest> => ({
  caller: { type, keyId: type === 'key' ? `key_${userId}` : null, userId, address: '198.51.100.1' },
});
const REFUSED = { status: 429, error: 'quota.minute_exceeded' };
/** A key that nobody knows is counted as a key, of no account. */
const STRANGER: Partial<FinishedRequest> = {
  status: 401,
  error: 'key.invalid',
  caller: { type: 'key', keyId: null, userId: null, address: '198.51.100.9' },
};

describe.each((await testEngines()).filter((engine) => engine.skip === null))('requests of accounts on $name', (engine) => {
  let world: UsageWorld;
  let isOpen = false;
  afterEach(async () => {
    if (isOpen) await world.close();
    isOpen = false;
  });
  const begin = async (around?: AroundStatement) => {
    world = await usageWorld(await engine.place(), LATE, around ? { around } : {});
    isOpen = true;
  };
  const figures = async (id: string) => (await world.usage.accounts.figuresOf([id])).get(id);
  const seen = (times: number, request: Partial<FinishedRequest>) => {
    for (let n = 0; n < times; n += 1) world.seen(request);
  };

  it('one record: accounts, dashboard and analytics say the same, refused requests included, over midnight and before and after roll-ups', async () => {
    await begin();
    seen(3, by('key', 'usr_a'));
    seen(2, { ...by('key', 'usr_a'), ...REFUSED });
    seen(4, by('session', 'usr_a'));
    seen(1, STRANGER);
    seen(5, {});
    await world.usage.flush();
    expect(await figures('usr_a')).toEqual({
      total_api_requests: 5,
      current_day_requests: 5,
      current_month_requests: 5,
      web_requests: { today: 4, month: 4, total: 4 },
    });
    expect(await world.usage.accounts.today()).toEqual({ anonymous: 5, key: 6, session: 4 });
    world.clock.jump(60_000);
    seen(1, by('key', 'usr_a'));
    seen(2, { ...by('key', 'usr_b'), ...REFUSED });
    await world.usage.flush();
    const agree = async () => {
      const overview = await world.ask('usageOverview');
      const today = overview.daily_trends.at(-1);
      expect(await world.usage.accounts.today()).toEqual(today.by_principal);
      expect(Object.values(today.by_principal as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(today.requests);
      expect(overview.daily_trends.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0)).toBe(overview.total_requests);
      const people = await world.ask('usageUsersDetailed');
      for (const id of ['usr_a', 'usr_b']) {
        const own = await figures(id);
        const row = people.find((one: { id: string }) => one.id === id);
        expect((own?.total_api_requests ?? 0) + (own?.web_requests?.total ?? 0)).toBe(row?.total_requests);
      }
      return today.requests;
    };
    expect(await agree()).toBe(3);
    expect(await figures('usr_a')).toEqual({
      total_api_requests: 6,
      current_day_requests: 1,
      current_month_requests: 1,
      web_requests: { today: 0, month: 0, total: 4 },
    });
    expect(await figures('usr_nobody')).toBeUndefined();
    expect(await world.usage.accounts.keyTotals()).toEqual(
      new Map([
        ['usr_a', 6],
        ['usr_b', 2],
      ]),
    );
    const before = await figures('usr_a');
    world.clock.jump(2 * HOUR);
    expect(await world.usage.compactNow()).toBeGreaterThan(0);
    expect(await figures('usr_a')).toEqual(before);
    await agree();
    expect(await world.usage.accounts.activeSince(LATE + 30_000)).toBe(2);
    expect(await world.usage.accounts.activeSince(world.clock.now())).toBe(0);
    // All time is longer than anything is kept request by request.
    world.clock.jump(200 * DAY);
    await world.usage.compactNow();
    await world.usage.expireNow();
    expect(await figures('usr_a')).toMatchObject({ total_api_requests: 6, current_day_requests: 0, current_month_requests: 0 });
    // An account that is gone has no figures left, and what it asked stays counted.
    seen(1, by('session', 'usr_a'));
    await world.usage.forget('usr_a');
    await world.usage.flush();
    expect(await figures('usr_a')).toBeUndefined();
    expect(await world.usage.accounts.keyTotals()).toEqual(new Map([['usr_b', 2]]));
    expect(await world.usage.accounts.today()).toEqual({ anonymous: 0, key: 0, session: 1 });
  });

  // That the other engine writes a batch once is tested with the batches.
  it.runIf(engine.name === 'sqlite')('a batch whose outcome nobody heard counts once for its accounts too', async () => {
    let breakCommit = false;
    await begin(async (statement, run) => {
      const answer = await run();
      if (breakCommit && statement === 'commit') {
        breakCommit = false;
        throw new Error('the connection broke after the commit');
      }
      return answer;
    });
    seen(3, by('key', 'usr_a'));
    breakCommit = true;
    await world.usage.flush().catch(() => {});
    await world.usage.flush();
    seen(1, by('key', 'usr_a'));
    await world.usage.flush();
    expect((await figures('usr_a'))?.total_api_requests).toBe(4);
    expect((await world.usage.accounts.today()).key).toBe(4);
  });

  it('an account that is forgotten while its rows are put together is named by none of them afterwards', async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    let forgotten: Promise<unknown> | null = null;
    await begin(async (statement, run) => {
      const answer = await run();
      // The roll-up has read the minutes' visitors, and writes the hour's next.
      if (meanwhile && /^select \* from .*visitors/.test(statement)) {
        forgotten = meanwhile();
        meanwhile = null;
        await Promise.race([forgotten, new Promise((later) => setTimeout(later, 300))]);
      }
      return answer;
    });
    seen(3, by('session', 'usr_a'));
    await world.usage.flush();
    world.clock.jump(HOUR);
    meanwhile = () => world.usage.forget('usr_a');
    await world.usage.compactNow();
    expect(forgotten).not.toBeNull();
    await forgotten;
    await world.usage.compactNow();
    for (const table of ['visitors', 'requests']) {
      const named = await sql<{ n: number }>`select count(*) as n from ${sql.raw(world.db.table('usage', table))}
        where visitor = 'usr_a' or user_id = 'usr_a'`.execute(world.db.usage);
      expect([table, Number(named.rows[0]?.n)]).toEqual([table, 0]);
    }
    const counted = await sql<{ n: number }>`select sum(requests) as n from ${sql.raw(world.db.table('usage', 'visitors'))}
      where scope = 'session' and rolled = 0`.execute(world.db.usage);
    expect(Number(counted.rows[0]?.n)).toBe(3);
  });

  it('totals begin with what was recorded before they were kept, and the second count of requests is gone', async () => {
    const place = await engine.place();
    const { '0011-one-record-of-requests': _new, ...app } = MIGRATIONS.app;
    const { '0001-usage': first, '0002-request-indexes': second } = MIGRATIONS.usage;
    const usage = { '0001-usage': first, '0002-request-indexes': second } as typeof MIGRATIONS.usage;
    const old = await openDatabase(place.config, { migrations: { ...MIGRATIONS, app, usage } });
    const visitor = (scope: string, size: number, rolled: number, requests: number, account: string | null = 'usr_a') =>
      sql`insert into ${sql.raw(old.table('usage', 'visitors'))} values (${size}, ${LATE + size}, ${account ?? 'vis_x'}, ${scope}, '', ${rolled}, '', ${account}, ${requests},
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, ${LATE}, ${LATE + requests}, '{}')`.execute(old.usage);
    await visitor('key', 2, 0, 10);
    await visitor('key', 1, 1, 7);
    await visitor('key', 1, 0, 5, 'usr_b');
    await visitor('session', 0, 0, 3);
    await visitor('all', 2, 0, 13);
    await visitor('anonymous', 2, 0, 99, null);
    await sql`insert into ${sql.raw(old.table('app', 'request_totals'))} values ('usr_a', 'key', 'total', 500, 1)`.execute(old.app);
    await old.close();
    const db = await openDatabase(place.config, { migrations: MIGRATIONS });
    const reads = createAccountReads(db);
    expect(await reads.keyTotals()).toEqual(
      new Map([
        ['usr_a', 10],
        ['usr_b', 5],
      ]),
    );
    expect((await reads.figuresOf(['usr_a'], LATE)).get('usr_a')?.session.total).toBe(3);
    await expect(sql`select * from ${sql.raw(db.table('app', 'request_totals'))}`.execute(db.app)).rejects.toThrow(/request_totals/);
    await db.close();
    await place.dispose();
  });
});

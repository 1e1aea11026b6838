import { testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { AroundStatement } from '../../platform/db/types.ts';
import type { FinishedRequest } from './index.ts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 12, 12, 0, 10);
/** Every place that can name an account. */
const NAMING = [
  ['requests', 'user_id'],
  ['requests', 'visitor'],
  ['requests', 'visitor_next'],
  ['visitors', 'user_id'],
  ['visitors', 'visitor'],
  ['visitors', 'visitor_next'],
  ['visitor_days', 'visitor'],
  ['visitor_tens', 'visitor'],
  ['account_totals', 'user_id'],
] as const;

const by = (userId: string): Partial<FinishedRequest> => ({
  caller: { type: 'key', keyId: `key_${userId}`, userId, address: '198.51.100.1' },
});

describe.each((await testEngines()).filter((engine) => engine.skip === null))('an account that is removed, on $name', (engine) => {
  let world: UsageWorld;
  let isOpen = false;
  const begin = async (around?: AroundStatement) => {
    world = await usageWorld(await engine.place(), NOON, around ? { around } : {});
    isOpen = true;
  };
  afterEach(async () => {
    if (isOpen) await world.close();
    isOpen = false;
  });
  const table = (name: string) => sql.raw(world.db.table('usage', name));
  const count = async (name: string, condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${table(name)} where ${condition}`.execute(world.db.usage);
    return Number(rows[0]?.n);
  };
  const naming = async (userId: string) => {
    const found: string[] = [];
    for (const [name, column] of NAMING) if ((await count(name, sql`${sql.raw(column)} = ${userId}`)) > 0) found.push(`${name}.${column}`);
    if ((await count('requests', sql`key_id = ${`key_${userId}`}`)) > 0) found.push('requests.key_id');
    return found;
  };
  /** Different callers with a key, and their requests, as the analytics tell them. */
  const people = async () => {
    const { rows } = await sql<{ visitors: number; requests: number }>`select count(distinct visitor) as visitors, sum(requests) as requests
      from ${table('visitors')} where scope = 'key' and rolled = 0`.execute(world.db.usage);
    return { visitors: Number(rows[0]?.visitors), requests: Number(rows[0]?.requests) };
  };

  it('is named by nothing that another process still held, and counts as one visitor with every request once', async () => {
    await begin();
    const other = await world.another();
    for (let n = 0; n < 3; n += 1) world.seen(by('usr_a'));
    other.seen(by('usr_a'));
    other.seen(by('usr_b'));
    await Promise.all([world.usage.flush(), other.usage.flush()]);
    // The other process has these in memory when the account goes, and the minute they belong to is open in both.
    for (let n = 0; n < 5; n += 1) other.seen(by('usr_a'));
    await world.usage.forget('usr_a');
    expect(await naming('usr_a')).toEqual([]);
    await other.usage.flush();
    expect(await naming('usr_a')).toEqual([]);
    // And these finish afterwards, in this process and in the other one.
    for (const { seen, usage } of [world, other]) {
      seen(by('usr_a'));
      seen(by('usr_b'));
      await usage.flush();
    }
    expect(await naming('usr_a')).toEqual([]);
    expect(await people()).toEqual({ visitors: 2, requests: 14 });
    expect(await count('requests', sql`1 = 1`)).toBe(14);
    expect((await world.usage.accounts.figuresOf(['usr_a', 'usr_b'])).get('usr_b')?.total_api_requests).toBe(3);
    expect(await world.usage.accounts.keyTotals()).toEqual(new Map([['usr_b', 3]]));
    // Neither are roll-ups brought it back, nor a request of the next hour.
    world.clock.jump(2 * HOUR);
    await world.usage.compactNow();
    other.seen(by('usr_a'));
    await other.usage.flush();
    world.clock.jump(2 * DAY);
    await world.usage.compactNow();
    expect(await naming('usr_a')).toEqual([]);
    expect(await people()).toEqual({ visitors: 2, requests: 15 });
    await other.usage.stop();
  });

  it('while a batch that names it is being written: the batch is stored first and renamed with the rest', async () => {
    let forgetNow: (() => Promise<unknown>) | null = null;
    let forgotten: Promise<unknown> | null = null;
    await begin(async (statement, run) => {
      // The batch has looked who is gone, and has not written its rows yet.
      if (forgetNow && /^insert into .*"requests"/.test(statement)) {
        forgotten = forgetNow();
        forgetNow = null;
        await Promise.race([forgotten, new Promise((later) => setTimeout(later, 300))]);
      }
      return run();
    });
    const other = await world.another();
    other.seen(by('usr_a'));
    forgetNow = () => world.usage.forget('usr_a');
    await other.usage.flush();
    expect(forgotten).not.toBeNull();
    await forgotten;
    expect(await naming('usr_a')).toEqual([]);
    expect(await people()).toEqual({ visitors: 1, requests: 1 });
    await other.usage.stop();
  });

  it('while it is being forgotten: the batch waits, and is stored without it', async () => {
    let writeNow: (() => Promise<unknown>) | null = null;
    let written: Promise<unknown> | null = null;
    await begin(async (statement, run) => {
      const answer = await run();
      // The removal has renamed what was there, and is not committed yet.
      if (writeNow && /^delete from .*account_totals/.test(statement)) {
        written = writeNow();
        writeNow = null;
        await Promise.race([written, new Promise((later) => setTimeout(later, 300))]);
      }
      return answer;
    });
    const other = await world.another();
    for (let n = 0; n < 2; n += 1) {
      other.seen(by('usr_a'));
      if (n === 0) await other.usage.flush();
    }
    writeNow = () => other.usage.flush();
    await world.usage.forget('usr_a');
    expect(written).not.toBeNull();
    await written;
    expect(await naming('usr_a')).toEqual([]);
    expect(await people()).toEqual({ visitors: 1, requests: 2 });
    await other.usage.stop();
  });

  it('is forgotten by the upkeep where nobody could when it was removed; accounts that are there stay', async () => {
    await begin();
    world.seen(by('usr_a'));
    world.seen(by('usr_b'));
    await world.usage.flush();
    world.removed.add('usr_a');
    await world.usage.expireNow();
    expect(await naming('usr_a')).toEqual([]);
    expect(await world.usage.accounts.keyTotals()).toEqual(new Map([['usr_b', 1]]));
    expect(await people()).toEqual({ visitors: 2, requests: 2 });
    // A day later nothing tells which rows were its own, and what still comes is named by nobody either.
    const link = () => count('gone_accounts', sql`user_id = 'usr_a' and name is not null`);
    expect(await link()).toBe(1);
    world.clock.jump(2 * DAY);
    await world.usage.expireNow();
    expect(await link()).toBe(0);
    world.seen({ ...by('usr_a'), at: NOON });
    world.seen(by('usr_a'));
    await world.usage.flush();
    expect(await naming('usr_a')).toEqual([]);
    expect((await people()).requests).toBe(4);
    world.clock.jump(91 * DAY);
    await world.usage.expireNow();
    expect(await count('gone_accounts', sql`1 = 1`)).toBe(0);
  });
});

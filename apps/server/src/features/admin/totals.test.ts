import { fakeClock, testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { silentLog } from '../../platform/log.ts';
import { createRequestCounts, createRequestTotalsStore } from './index.ts';

const LATE = Date.UTC(2026, 10, 30, 23, 59, 30);
const account = (id: string) => ({
  id,
  username: id,
  email: '',
  role: 'user' as const,
  specialAccess: false,
  limits: { perMinute: 100, perDay: 10_000, perMonth: 100_000 },
});
const byKey = (id: string): Principal => ({ type: 'key', address: 'a', account: account(id), keyId: 'k', keyLimits: account(id).limits });
const bySession = (id: string): Principal => ({ type: 'session', address: 'a', account: account(id), sessionId: 's' });
const nobody: Principal = { type: 'anonymous', address: 'a' };

describe.each((await testEngines()).filter((engine) => engine.skip === null))('request counts on $name', (engine) => {
  let db: Database;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });

  it('adds up by account, caller and UTC day, over midnight, batches, and a database that was away', async () => {
    const clock = fakeClock(LATE);
    const added: [string, number][] = [];
    const store = createRequestTotalsStore({ app: db.app, addToAccounts: async (counts) => void added.push(...counts) });
    let away = false;
    const shaky: typeof store = { ...store, add: (tallies) => (away ? Promise.reject(new Error('away')) : store.add(tallies)) };
    const counts = createRequestCounts({ clock, log: silentLog, random: () => 0, store: shaky });
    for (let n = 0; n < 3; n += 1) counts.record(byKey('u1'));
    counts.record(bySession('u1'));
    counts.record(nobody);
    expect(counts.thisMinute('u1')).toEqual({ key: 3, session: 1 });
    away = true;
    await expect(counts.flush()).rejects.toThrow('away');
    counts.record(byKey('u1'));
    away = false;
    expect(await counts.today()).toEqual({ anonymous: 1, key: 4, session: 1 });
    clock.jump(60_000);
    counts.record(byKey('u1'));
    counts.record(byKey('u2'));
    expect(counts.thisMinute('u1')).toEqual({ key: 1, session: 0 });
    const figures = await counts.figuresOf(['u1', 'u2', 'u3']);
    expect(figures.get('u1')).toEqual({
      current_day_requests: 1,
      current_month_requests: 1,
      web_requests: { today: 0, month: 0, total: 1 },
    });
    expect(figures.get('u3')).toBeUndefined();
    expect(await counts.keyRequests()).toBe(6);
    expect(await counts.activeSince(clock.now() - 86_400_000)).toBe(2);
    expect(added).toEqual([
      ['u1', 4],
      ['u1', 1],
      ['u2', 1],
    ]);
    await db.app.transaction().execute((transaction) => counts.unlink('u1', transaction));
    expect((await counts.figuresOf(['u1'])).get('u1')).toBeUndefined();
    expect(await counts.keyRequests()).toBe(1);
    expect(await counts.today()).toEqual({ anonymous: 0, key: 2, session: 0 });
    clock.jump(41 * 86_400_000);
    await store.expire(clock.now());
    expect(await store.sums('2026-11-30')).toEqual({ anonymous: 0, key: 0, session: 0 });
    expect(await store.sums('2026-11')).toEqual({ anonymous: 1, key: 4, session: 1 });
  });
});

import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import type { Database } from '../../../platform/db/types.ts';
import { createQuotaStore, type QuotaAsk, type QuotaStore } from './store-quota.ts';

const ask = (subject: string, units: number, limit: number, startsAt = 60_000, refused = 0): QuotaAsk => ({
  subject,
  window: 'minute',
  startsAt,
  units,
  limit,
  refused,
  used: Math.max(0, units),
});

describe.each((await testEngines()).filter((engine) => engine.skip === null))('granted units on $name', (engine) => {
  let db: Database;
  let store: QuotaStore;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
    store = createQuotaStore(db.app);
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });
  const one = async (asked: QuotaAsk) => {
    const [row] = await store.exchange([asked]);
    return [row?.startsAt, row?.granted, row?.given, row?.refused];
  };

  it('grants what fits, gives back what is returned, and never more than was granted', async () => {
    expect(await one(ask('a', 40, 60))).toEqual([60_000, 40, 40, 0]);
    expect(await one(ask('a', 40, 60))).toEqual([60_000, 60, 20, 0]);
    expect(await one(ask('a', 1, 60, 60_000, 3))).toEqual([60_000, 60, 0, 3]);
    expect(await one(ask('a', -15, 60))).toEqual([60_000, 45, -15, 3]);
    expect(await one(ask('a', -100, 60))).toEqual([60_000, 0, -45, 3]);
    expect(await one(ask('new', -5, 60))).toEqual([60_000, 0, 0, 0]);
    expect(await one(ask('greedy', 500, 60))).toEqual([60_000, 60, 60, 0]);
  });

  it('a lowered limit grants nothing more and takes nothing back; a raised one counts at once', async () => {
    await one(ask('b', 50, 60));
    expect(await one(ask('b', 5, 40))).toEqual([60_000, 50, 0, 0]);
    expect(await one(ask('b', 5, 80))).toEqual([60_000, 55, 5, 0]);
  });

  it('I7: a later window begins empty, an earlier one is never opened again', async () => {
    await one(ask('c', 60, 60, 60_000, 7));
    expect(await one(ask('c', 10, 60, 120_000, 1))).toEqual([120_000, 10, 10, 1]);
    expect(await one(ask('c', 10, 60, 60_000))).toEqual([120_000, 20, 10, 1]);
    expect(await one(ask('c', -10, 60, 60_000))).toEqual([120_000, 20, 0, 1]);
    expect(await one(ask('c', -10, 60, 180_000))).toEqual([180_000, 0, 0, 0]);
  });

  it('F7: of many asks at once each unit is granted once', async () => {
    const rows = await Promise.all(
      Array.from({ length: 60 }, (_, n) => store.exchange([ask('many-1', 7, 100), ask('many-2', 3, 1_000), ask(`own-${n}`, 1, 1)])),
    );
    const given = (subject: string) => rows.flat().reduce((sum, row) => sum + (row.subject === subject ? row.given : 0), 0);
    expect([given('many-1'), given('many-2'), given('own-7')]).toEqual([100, 180, 1]);
  });

  it('answers more rows than fit one statement, and forgets what is removed', async () => {
    const subjects = Array.from({ length: 450 }, (_, n) => `s${n}`);
    expect(await store.exchange(subjects.map((subject) => ask(subject, 2, 5)))).toHaveLength(450);
    expect((await store.read(subjects)).every((row) => row.granted === 2)).toBe(true);
    await db.app.transaction().execute((part) => store.remove(['s1', 's2'], part));
    expect(await store.read(['s1', 's2', 's3'])).toHaveLength(1);
  });
});

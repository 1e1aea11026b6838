import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import { createClientErrorStore } from './index.ts';
import { scrub, scrubPage } from './scrub.ts';

describe('what is kept of an error of a page (ERR-03, W16)', () => {
  it.each([
    ['Failed with eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'Failed with [token]'],
    ['key nws_abcdEFGH123 refused', 'key [key] refused'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: [removed] [token]'],
    ['{"password":"hunter2!"}', '{"password":[removed]"}'],
    ['GET /api/v1/alerts?lat=41.5&q=home failed', 'GET /api/v1/alerts failed'],
    ['at https://nwms.dev/assets/app.js?v=3:10:5', 'at https://nwms.dev/assets/app.js:10:5'],
    ['no user ann.lee+x@mail.example.org here', 'no user [e-mail] here'],
    ['near 41.58521, -93.62312 now', 'near [position] now'],
    ['lat: 41.5 lon=-93.25', 'lat: [position] lon=[position]'],
    ['from 203.0.113.9', 'from [address]'],
    ['render@https://nwms.dev/a.js:1:2', 'render@https://nwms.dev/a.js:1:2'],
    ['node_modules/@tanstack/x.js:5:1', 'node_modules/@tanstack/x.js:5:1'],
    ['a\u0000b\u001b[31m', 'a b [31m'],
  ])('%s', (text, kept) => {
    expect(scrub(text)).toBe(kept);
  });

  it('names pages by path only', () => {
    expect(scrubPage('https://nwms.dev/alerts?q=x#top')).toBe('/alerts');
    expect(scrubPage('alerts/:id')).toBe('/alerts/:id');
  });
});

describe.each((await testEngines()).filter((engine) => engine.skip === null))('client errors on $name', (engine) => {
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
  const group = (fingerprint: string, lastAt: number) => ({
    fingerprint,
    kind: 'script' as const,
    message: 'm',
    stack: null,
    page: '/',
    appVersion: '1',
    count: 2,
    firstAt: lastAt,
    lastAt,
  });

  it('adds the same error up, keeps the newest, removes the old', async () => {
    const store = createClientErrorStore(db.app);
    await Promise.all([store.add(group('a', 10)), store.add(group('a', 10)), store.add(group('a', 10))]);
    for (let n = 0; n < 5; n += 1) await store.add(group(`b${n}`, 20 + n));
    const [first] = await store.list({ at: 20, id: 'b0' }, 5);
    expect(first).toMatchObject({ fingerprint: 'a', count: 6 });
    expect((await store.list(null, 3)).map((one) => one.fingerprint)).toEqual(['b4', 'b3', 'b2']);
    await store.expire(15, 100);
    expect(await store.groups()).toBe(5);
    await store.expire(0, 2);
    expect((await store.list(null, 9)).map((one) => one.fingerprint)).toEqual(['b4', 'b3']);
  });
});

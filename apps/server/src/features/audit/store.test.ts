import { fakeClock, testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openAddressHash } from '../../platform/address-hash.ts';
import { addressKey } from '../../platform/db/address-keys.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import { silentLog } from '../../platform/log.ts';
import { type Audit, changesBetween, createAudit, createAuditStore, KEPT_DAYS } from './index.ts';
import { listEntries } from './list.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const ann = { type: 'user', id: 'usr_ann', name: 'Ann' } as const;
const bob = { type: 'user', id: 'usr_bob', label: 'Bob' };

describe.each((await testEngines()).filter((engine) => engine.skip === null))('audit log on $name', (engine) => {
  let db: Database;
  let dispose: () => Promise<void>;
  let audit: Audit;
  const clock = fakeClock(NOON);
  const store = () => createAuditStore(db.app);
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
    const addressHash = await openAddressHash({ clock, keyOf: (period) => addressKey(db.app, period) });
    audit = createAudit({ clock, log: silentLog, random: () => 0, store: store(), addressHash });
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });

  it('keeps who, what, to whom, from where and what changed; never the address', async () => {
    await audit.record({
      actor: ann,
      action: 'user.updated',
      target: bob,
      requestId: 'req_1',
      address: '203.0.113.7',
      changes: changesBetween({ role: 'user', password_hash: 'a' }, { role: 'admin', password_hash: 'b' }),
    });
    const { entries } = await listEntries(store(), { target: 'bob' });
    expect(entries).toMatchObject([
      {
        actor: ann,
        action: 'user.updated',
        target: bob,
        outcome: 'ok',
        request_id: 'req_1',
        changes: [
          { field: 'role', from: 'user', to: 'admin' },
          { field: 'password_hash', from: '(changed)', to: '(changed)' },
        ],
      },
    ]);
    expect(entries[0]?.address_hash).toMatch(/^[\w-]{22}$/);
    expect(JSON.stringify(entries)).not.toContain('203.0.113');
  });

  it('survives any text as a name', async () => {
    await audit.record({
      actor: { type: 'anonymous', id: null, name: 'anonymous' },
      action: 'sign_in.failed',
      outcome: 'refused',
      reason: 'auth.invalid_credentials',
      target: { type: 'user', id: null, label: 'x\u0000\ud800\u001b[31m'.repeat(200) },
    });
    const { entries } = await listEntries(store(), { action: 'sign_in.failed', outcome: 'refused' });
    expect(entries[0]?.target?.label).toMatch(/^x\uFFFD/);
    expect(entries[0]?.target?.label?.length).toBe(200);
    await expect(listEntries(store(), { actor: '\u0000' })).resolves.toMatchObject({ entries: [] });
  });

  it('stands and falls with the transaction of what it tells of', async () => {
    const failed = db.app.transaction().execute(async (transaction) => {
      await audit.record({ actor: ann, action: 'settings.saved', requestId: 'req_rolled_back' }, transaction);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const { entries } = await listEntries(store(), { action: 'settings.saved' });
    expect(entries).toEqual([]);
  });

  it('walks all entries by cursor, newest first, none twice, while new ones come', async () => {
    for (let n = 0; n < 25; n += 1) {
      // Ten in the same millisecond: the order must be total.
      if (n % 10 === 0) clock.jump(1);
      await audit.record({ actor: ann, action: 'user.read', requestId: `req_walk_${n}` });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries(store(), { action: 'user.read', limit: 4, ...(cursor ? { cursor } : {}) });
      seen.push(...page.entries.map((entry) => entry.request_id ?? ''));
      cursor = page.next_cursor ?? undefined;
      // Later than all of them: inside one millisecond the order is by id, not by arrival.
      clock.jump(1);
      await audit.record({ actor: ann, action: 'user.read', requestId: 'req_late', address: null });
    } while (cursor);
    expect(seen.length).toBe(25);
    expect(new Set(seen).size).toBe(25);
    await expect(listEntries(store(), { action: 'user.*', cursor: seen[0] ?? '' })).rejects.toMatchObject({ code: 'query.cursor_invalid' });
    const other = await listEntries(store(), { action: 'user.read', limit: 1 });
    await expect(listEntries(store(), { action: 'user.*', cursor: other.next_cursor ?? '' })).rejects.toMatchObject({
      code: 'query.cursor_mismatch',
    });
  });

  it('filters by time, actor, area of actions and outcome', async () => {
    const iso = (at: number) => new Date(at).toISOString();
    const all = await listEntries(store(), { action: 'user.*', limit: 200, from: iso(NOON), to: iso(clock.now() + 1) });
    expect(all.entries.length).toBeGreaterThan(25);
    expect(new Set(all.entries.map((entry) => entry.action))).toEqual(new Set(['user.read', 'user.updated']));
    expect((await listEntries(store(), { actor: 'ANN', action: 'user.updated' })).entries.length).toBe(1);
    expect((await listEntries(store(), { actor: 'usr_ann', outcome: 'refused' })).entries).toEqual([]);
    expect((await listEntries(store(), { action: 'no.such' })).entries).toEqual([]);
    expect((await listEntries(store(), { to: iso(NOON) })).entries).toEqual([]);
  });

  it('removes entries after 400 days and not before', async () => {
    const before = (await listEntries(store(), { limit: 200 })).entries.length;
    clock.jump((KEPT_DAYS - 1) * DAY_MS);
    expect(await audit.expireNow()).toBe(0);
    clock.jump(2 * DAY_MS);
    expect(await audit.expireNow()).toBe(before);
  });

  it('hashes an address differently after the period of a key, and destroys old keys (W18)', async () => {
    const hashes = await openAddressHash({ clock, keyOf: (period) => addressKey(db.app, period) });
    const first = hashes.hash('2001:db8:1:2:3::1');
    expect(hashes.hash('2001:db8:1:2:ffff::9')).toBe(first);
    expect(hashes.hash('2001:db8:1:3::1')).not.toBe(first);
    clock.jump(90 * DAY_MS);
    expect(hashes.hash('2001:db8:1:2:3::1')).not.toBe(first);
    for (let n = 0; n < 4; n += 1) {
      clock.jump(90 * DAY_MS);
      await hashes.renew();
    }
    const keys = await db.app.withTables<{ address_keys: { period: number } }>().selectFrom('address_keys').select('period').execute();
    expect(keys.length).toBeLessThanOrEqual(3);
  });
});

import { settingsDefaults } from '@nwms/contract';
import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import { silentLog } from '../../platform/log.ts';
import { createLiveSettings } from './live-settings.ts';
import { createSettingsStore } from './store.ts';

const nothing = async () => {};
const row = (values: unknown, updatedBy = 'ann') => ({ values, updatedAt: 1_000, updatedBy });

describe.each((await testEngines()).filter((engine) => engine.skip === null))('settings on $name', (engine) => {
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

  it('of many saves of the same version exactly one is written, the first ever included', async () => {
    const store = createSettingsStore(db.app);
    expect(await store.read()).toBeNull();
    for (const version of [1, 2]) {
      const saves = await Promise.all(Array.from({ length: 8 }, (_, n) => store.save(version, row(settingsDefaults(), `u${n}`), nothing)));
      expect(saves.filter(Boolean).length).toBe(1);
      expect((await store.read())?.version).toBe(version + 1);
    }
    expect(await store.save(1, row({}), nothing)).toBe(false);
  });

  it('writes nothing when what goes with it fails', async () => {
    const store = createSettingsStore(db.app);
    const before = await store.read();
    await expect(store.save(before?.version ?? 1, row({ x: 1 }), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store.read()).toEqual(before);
  });

  it('another reader takes over a save, tells its listeners once, and a broken listener stops nobody', async () => {
    const store = createSettingsStore(db.app);
    const live = createLiveSettings({ store, log: silentLog });
    const told: number[] = [];
    live.onChange(() => {
      throw new Error('broken');
    });
    live.onChange((now) => told.push(now.system.jwt_expiration_hours));
    await live.refresh();
    const values = settingsDefaults();
    values.system.jwt_expiration_hours = 3;
    await store.save(live.held().version, row(values), nothing);
    await Promise.all([live.refresh(), live.refresh()]);
    expect(told.at(-1)).toBe(3);
    expect(live.current().system.jwt_expiration_hours).toBe(3);
    expect(live.held()).toMatchObject({ updatedBy: 'ann' });
  });

  it('stored values that are not accepted any more count as their defaults, one by one', async () => {
    const store = createSettingsStore(db.app);
    const live = createLiveSettings({ store, log: silentLog });
    await live.refresh();
    await store.save(
      live.held().version,
      row({ system: { jwt_expiration_hours: 900, lockout_duration_minutes: 7 }, security: 'no' }),
      nothing,
    );
    await live.refresh();
    expect(live.current().system).toMatchObject({ jwt_expiration_hours: 24, lockout_duration_minutes: 7 });
    expect(live.current().security).toEqual(settingsDefaults().security);
  });
});

import { testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from '../../platform/db/open.ts';
import { createZoneStore } from './store.ts';
import type { StoredZone } from './types.ts';

const zone = (code: string, effectiveFrom: number, name: string): StoredZone => ({
  code,
  family: 'forecast',
  effectiveFrom,
  effectiveTo: null,
  fetchedAt: 1,
  props: {
    name,
    state: 'IA',
    timeZones: ['America/Chicago'],
    offices: ['KDMX'],
    display: '',
    match: '',
    labelPoint: null,
    largestPartKm2: 0,
    bbox: null,
    areaKm2: 0,
  },
  geometry: '{"type":"Polygon","coordinates":[]}',
});

describe.each(await testEngines())('zone store on $name', (engine) => {
  it.skipIf(engine.skip)('loads the newest version of each zone and keeps the older ones (trap 20)', async () => {
    const place = await engine.place();
    const db = await openDatabase(place.config, { migrations: MIGRATIONS });
    try {
      const store = createZoneStore(db.log, db.reads.log);
      await store.save(zone('IAZ001', 0, 'old'));
      await store.save(zone('IAZ001', 500, 'new'));
      await store.save(zone('IAZ001', 500, 'newer'));
      await store.save(zone('IAZ002', 0, 'other'));
      expect((await store.load()).map((each) => [each.code, each.props.name, 'geometry' in each])).toEqual([
        ['IAZ001', 'newer', false],
        ['IAZ002', 'other', false],
      ]);
      const keys = await store.fetchedSince(0);
      expect(keys.map((key) => `${key.code} ${key.effectiveFrom}`).toSorted()).toEqual(['IAZ001 0', 'IAZ001 500', 'IAZ002 0']);
      expect(await store.fetchedSince(1)).toEqual([]);
      const { geometry: _, ...light } = zone('IAZ001', 500, 'newer');
      expect(await store.version(light)).toEqual(light);
      expect((await store.history('IAZ001', 'forecast')).map((each) => each.props.name)).toEqual(['old', 'newer']);
      expect((await store.history('IAZ001', 'forecast'))[0]).toEqual(zone('IAZ001', 0, 'old'));
    } finally {
      await db.close();
      await place.dispose();
    }
  });
});

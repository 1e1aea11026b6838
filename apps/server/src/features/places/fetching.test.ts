import { describe, expect, it } from 'vitest';
import { DAY_MS, NOW, box, publicZone, county, zoneFeature, memoryStore, bench, settle, until } from './places-fixture.ts';

describe('fetching', () => {
  it('asks once per zone however often it is wanted, four at a time, needed shapes before those the atlas has', async () => {
    const b = await bench();
    const zones = Array.from({ length: 40 }, (_, i) => publicZone(`KSZ${String(i).padStart(3, '0')}`));
    for (let i = 0; i < 3; i += 1) b.places.ensure([...Array.from({ length: 5 }, (_, c) => county(`IAC00${c * 2 + 1}`)), ...zones]);
    await settle(b);
    expect(new Set(b.asked).size).toBe(b.asked.length);
    expect(b.asked).toHaveLength(45);
    expect(b.mostAtOnce()).toBe(4);
    expect(b.asked.slice(-1)).toEqual(['county/IAC009']);
  });

  it('a zone that could not be had is tried again, later and later, and an alert is never without an answer meanwhile', async () => {
    const b = await bench();
    b.answers.set('forecast/IAZ001', { kind: 'failed', reason: 'timeout', retryAfterSeconds: null });
    b.places.ensure([publicZone('IAZ001')]);
    await settle(b);
    expect(b.asked).toHaveLength(1);
    await b.clock.advance(120_000);
    const afterTwoMinutes = b.asked.length;
    expect(afterTwoMinutes).toBeGreaterThan(1);
    await b.clock.advance(120_000);
    expect(b.asked.length - afterTwoMinutes).toBeLessThan(afterTwoMinutes + 1);
    b.answers.set('forecast/IAZ001', { kind: 'ok', feature: zoneFeature('IAZ001', box(-94, 41, -93, 42)) });
    await until(b, () => b.places.stats().fetched === 1);
    await settle(b);
    expect(b.places.resolve({ polygons: [], zones: [publicZone('IAZ001')], at: NOW }).quality).toBe('resolved');
    expect(b.places.stats()).toMatchObject({ waiting: 0, resting: 0, fetched: 1 });
  });

  it('while upstream is away it is asked rarely, and not before the time it named', async () => {
    const b = await bench();
    const zones = Array.from({ length: 200 }, (_, i) => publicZone(`KSZ${String(i).padStart(3, '0')}`));
    for (const { code } of zones) b.answers.set(`forecast/${code}`, { kind: 'failed', reason: 'http_503', retryAfterSeconds: 600 });
    b.places.ensure(zones);
    await b.clock.advance(599_000);
    expect(b.asked.length).toBeLessThanOrEqual(4);
    await b.clock.advance(3_600_000);
    expect(b.asked.length).toBeLessThanOrEqual(20);
    for (const { code } of zones) b.answers.set(`forecast/${code}`, { kind: 'ok', feature: zoneFeature(code, box(-94, 41, -93, 42)) });
    await until(b, () => b.places.stats().fetched === 200);
    await settle(b);
    expect(b.places.stats()).toMatchObject({ fetched: 200, waiting: 0, resting: 0 });
  });

  it('answers that are not about the zone asked are not taken for it', async () => {
    const b = await bench({
      'forecast/IAZ001': zoneFeature('IAZ002', box(-94, 41, -93, 42)),
      'forecast/IAZ003': 'nonsense',
      'forecast/IAZ004': zoneFeature('IAZ004', null),
    });
    const zones = ['IAZ001', 'IAZ003', 'IAZ004'].map(publicZone);
    b.places.ensure(zones);
    await settle(b);
    expect(b.places.resolve({ polygons: [], zones, at: NOW })).toMatchObject({ quality: 'none', missing: ['IAZ001', 'IAZ003', 'IAZ004'] });
    expect(b.told).toEqual([]);
  });

  it('a shape that cannot be saved is used all the same', async () => {
    const store = { ...memoryStore(), save: async () => Promise.reject(new Error('disk full')) };
    const b = await bench({ 'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42)) }, store);
    b.places.ensure([publicZone('IAZ001')]);
    await settle(b);
    expect(b.places.resolve({ polygons: [], zones: [publicZone('IAZ001')], at: NOW }).quality).toBe('resolved');
  });

  it('after stop nothing more is asked', async () => {
    const b = await bench();
    b.answers.set('forecast/IAZ001', { kind: 'failed', reason: 'reset', retryAfterSeconds: null });
    b.places.ensure([publicZone('IAZ001')]);
    await settle(b);
    await b.places.stop();
    b.places.ensure([publicZone('IAZ002')]);
    await b.clock.advance(DAY_MS);
    expect(b.asked).toEqual(['forecast/IAZ001']);
  });
});

describe('zones of a place', () => {
  it.each<[string, number, number, string]>([
    ['Des Moines', -93.62, 41.59, 'IAC153'],
    ['Hagatna, Guam', 144.75, 13.47, 'GUC010'],
    ['Adak, Aleutians', -176.65, 51.88, 'AKC016'],
    ['Shemya, Aleutians, east longitude', 174.1, 52.72, 'AKC016'],
    ['San Juan', -66.07, 18.42, 'PRC127'],
    ['Honolulu', -157.85, 21.32, 'HIC003'],
  ])('%s', async (_, lon, lat, code) => {
    const { places } = await bench();
    expect(places.zonesAt(lon, lat, 0.4)).toEqual([{ code, type: 'county' }]);
    expect(places.coverage(lon, lat, 25)).toBe('inside');
  });

  it('trap 26: the tolerance reaches over the edge, and no farther', async () => {
    const b = await bench({ 'forecast/GMZ335': zoneFeature('GMZ335', box(-90, 27, -89, 28)) });
    b.places.ensure([{ code: 'GMZ335', type: 'marine', partial: false }]);
    await settle(b);
    expect(b.places.zonesAt(-89.5, 28.003, 0.4)).toEqual([{ code: 'GMZ335', type: 'marine' }]);
    expect(b.places.zonesAt(-89.5, 28.003, 0)).toEqual([]);
    expect(b.places.zonesAt(-89.5, 28.004, 0.4)).toEqual([]);
  });

  it('coverage is partial near the border and outside far from any zone', async () => {
    const { places } = await bench();
    expect(places.coverage(-82.95, 42.2, 25)).toBe('partial');
    expect(places.coverage(-40, 40, 500)).toBe('outside');
    expect(places.coverage(2.35, 48.85, 500)).toBe('outside');
    expect(places.coverage(180, 0, 10)).toBe('outside');
  });
});

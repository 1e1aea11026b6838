import { type AffectedZone, bboxOf, pointInShape, polygonsOf, type Polygon } from '@nwms/domain';
import { describe, expect, it } from 'vitest';
import { DAY_MS, NOW, box, publicZone, county, zoneFeature, memoryStore, bench, settle } from './places-fixture.ts';

describe('the shape of an event', () => {
  it('is the issuer polygon, untouched, and zones of that message are not drawn', async () => {
    const { places } = await bench();
    const polygon: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [-93.123456789, 41],
          [-93, 41],
          [-93, 42],
          [-93.123456789, 41],
        ],
      ],
    };
    const resolved = places.resolve({ polygons: [polygon], zones: [], at: NOW });
    expect(resolved).toMatchObject({ source: 'polygon', quality: 'exact', missing: [] });
    expect(JSON.parse(resolved.json)).toEqual(polygon);
    expect(pointInShape(...resolved.labelPoint!, polygon)).toBe(true);
    expect(resolved.areaKm2).toBeGreaterThan(100);
    expect(resolved.timeZones).toEqual(['America/Chicago']);
  });

  it('turns issuer polygons the way GeoJSON wants them (RFC 7946)', async () => {
    const { places } = await bench();
    const [outer = []] = box(-94, 41, -93, 42).coordinates;
    const clockwise: Polygon = { type: 'Polygon', coordinates: [outer.toReversed()] };
    expect(JSON.parse(places.resolve({ polygons: [clockwise], zones: [], at: NOW }).json)).toEqual(box(-94, 41, -93, 42));
    expect(await places.resolveFull({ polygons: [clockwise], zones: [], at: NOW })).toEqual(box(-94, 41, -93, 42));
  });

  it('is made of its zones once they are fetched; until then it says which are missing', async () => {
    const b = await bench({
      'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42)),
      'forecast/IAZ002': zoneFeature('IAZ002', box(-93, 41, -92.5, 42)),
    });
    const zones = [publicZone('IAZ001'), publicZone('IAZ002')];
    expect(b.places.resolve({ polygons: [], zones, at: NOW })).toMatchObject({
      source: 'none',
      quality: 'none',
      missing: ['IAZ001', 'IAZ002'],
      json: 'null',
      shape: null,
      bbox: null,
    });
    b.places.ensure(zones);
    await settle(b);
    expect(b.told).toEqual([['IAZ001', 'IAZ002']]);
    const resolved = b.places.resolve({ polygons: [], zones, at: NOW });
    expect(resolved).toMatchObject({
      source: 'zones',
      quality: 'resolved',
      missing: [],
      bbox: [-94, 41, -92.5, 42],
      timeZones: ['America/Chicago'],
    });
    expect(JSON.parse(resolved.json)).toEqual(resolved.shape);
    expect(polygonsOf(resolved.shape!)).toHaveLength(2);
    expect(resolved.labelPoint![0]).toBeLessThan(-93);
    expect(b.places.zoneInfo('IAZ001', 'public')).toMatchObject({
      name: 'Zone IAZ001',
      state: 'IA',
      offices: ['KDMX'],
      effectiveFrom: Date.UTC(2025, 2, 18),
    });
  });

  it('trap 18: an unknown zone is flagged and its SAME counties stand in where no known zone lies', async () => {
    // Polk County (019153) holds the known zone, Story County (019169) does not.
    const b = await bench({ 'forecast/IAZ060': zoneFeature('IAZ060', box(-93.9, 41.5, -93.3, 41.87)) });
    const zones = [publicZone('IAZ060'), publicZone('IAZ047')];
    b.places.ensure(zones);
    await settle(b);
    const resolved = b.places.resolve({ polygons: [], zones, same: ['019153', '019169'], at: NOW });
    expect(resolved).toMatchObject({ source: 'counties', quality: 'partial', missing: ['IAZ047'] });
    expect(polygonsOf(resolved.shape!)).toHaveLength(2);
    expect(pointInShape(-93.46, 42.03, resolved.shape!)).toBe(true);
    const without = b.places.resolve({ polygons: [], zones, at: NOW });
    expect(without).toMatchObject({ source: 'zones', quality: 'partial', missing: ['IAZ047'] });
  });

  it('counties need no network: UGC, SAME, Connecticut, Guam and a whole state', async () => {
    const { places } = await bench();
    const resolve = (...zones: AffectedZone[]) => places.resolve({ polygons: [], zones, at: NOW });
    expect(resolve(county('IAC153'))).toMatchObject({
      source: 'counties',
      quality: 'resolved',
      missing: [],
      timeZones: ['America/Chicago'],
    });
    expect(resolve(county('SAME019153'))).toBe(resolve(county('IAC153')));
    expect(resolve(county('CTC001'), county('GUC010'), county('PRC127'), county('VAC510'))).toMatchObject({
      quality: 'resolved',
      missing: [],
    });
    expect(resolve(county('SAME019000')).areaKm2! / 145_746).toBeCloseTo(1, 1);
    expect(resolve(county('SAME073531'))).toMatchObject({ source: 'none', missing: ['SAME073531'] });
  });

  it('trap 22: part of a county is drawn as the whole one and flagged', async () => {
    const { places } = await bench();
    expect(places.resolve({ polygons: [], zones: [county('SAME106037', true)], at: NOW })).toMatchObject({
      quality: 'partial',
      missing: [],
    });
  });

  it('trap 21: the same code is another zone in the fire book', async () => {
    const b = await bench({
      'forecast/ORZ608': zoneFeature('ORZ608', box(-120, 44, -119, 45)),
      'fire/ORZ608': zoneFeature('ORZ608', box(-123, 42, -122, 43)),
    });
    const fire: AffectedZone = { code: 'ORZ608', type: 'fire', partial: false };
    b.places.ensure([publicZone('ORZ608'), fire]);
    await settle(b);
    expect(b.places.resolve({ polygons: [], zones: [fire], at: NOW }).bbox).toEqual([-123, 42, -122, 43]);
    expect(b.places.resolve({ polygons: [], zones: [publicZone('ORZ608')], at: NOW }).bbox).toEqual([-120, 44, -119, 45]);
    expect(b.places.zonesAt(-122.5, 42.5, 0)).toContainEqual({ code: 'ORZ608', type: 'fire' });
  });

  it('joins polygon, zones and counties of different segments of one event', async () => {
    const b = await bench({ 'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42)) });
    b.places.ensure([publicZone('IAZ001')]);
    await settle(b);
    const resolved = b.places.resolve({ polygons: [box(-90, 41, -89, 42)], zones: [publicZone('IAZ001'), county('NEC055')], at: NOW });
    expect(resolved).toMatchObject({ source: 'counties', quality: 'resolved', missing: [] });
    for (const [lon, lat] of [
      [-89.5, 41.5],
      [-93.5, 41.5],
      [-96.1, 41.3],
    ] as const)
      expect(pointInShape(lon, lat, resolved.shape!)).toBe(true);
  });

  it('equal areas are the identical object, whatever the order of their codes', async () => {
    const { places } = await bench();
    const one = places.resolve({ polygons: [], zones: [county('IAC153'), county('IAC169')], at: NOW });
    expect(places.resolve({ polygons: [], zones: [county('IAC169'), county('IAC153')], at: NOW + DAY_MS })).toBe(one);
  });

  it('trap 24: the Aleutians cross 180 degrees in two parts with a label inside', async () => {
    const { places } = await bench();
    const { shape, bbox, labelPoint } = places.resolve({ polygons: [], zones: [county('AKC016')], at: NOW });
    expect(bbox![0]).toBeGreaterThan(bbox![2]);
    expect(bboxOf(shape!)).toEqual(bbox);
    expect(pointInShape(...labelPoint!, shape!)).toBe(true);
    for (const [lon] of polygonsOf(shape!).flat(2)) expect(Math.abs(lon)).toBeLessThanOrEqual(180);
  });
});

describe('zone versions (trap 20)', () => {
  it('history uses the shape valid then, also after a restart that loaded only the newest', async () => {
    const store = memoryStore();
    const first = await bench({ 'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42), '2024-03-05T00:00:00Z') }, store);
    first.places.ensure([publicZone('IAZ001')]);
    await settle(first);
    first.answers.set('forecast/IAZ001', { kind: 'ok', feature: zoneFeature('IAZ001', box(-94, 41, -92, 42), '2025-03-18T00:00:00Z') });
    await first.clock.advance(8 * DAY_MS);
    first.places.ensure([publicZone('IAZ001')]);
    await settle(first);
    expect(store.rows).toHaveLength(2);

    const second = await bench({}, store);
    const ask = (at: number) => second.places.resolve({ polygons: [], zones: [publicZone('IAZ001')], at });
    const then = Date.UTC(2024, 6, 1);
    ask(then);
    await settle(second);
    expect(ask(then).bbox).toEqual([-94, 41, -93, 42]);
    expect(ask(NOW).bbox).toEqual([-94, 41, -92, 42]);
    // Before the first version known, the oldest is the best there is.
    expect(ask(Date.UTC(2020, 0, 1)).bbox).toEqual([-94, 41, -93, 42]);
    expect(bboxOf((await second.places.resolveFull({ polygons: [], zones: [publicZone('IAZ001')], at: then }))!)).toEqual([
      -94, 41, -93, 42,
    ]);
  });

  it('a refreshed zone that did not change keeps every area made of it; one that upstream retired stays', async () => {
    const b = await bench({ 'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42)) });
    const zones = [publicZone('IAZ001')];
    b.places.ensure(zones);
    await settle(b);
    const before = b.places.resolve({ polygons: [], zones, at: NOW });
    await b.clock.advance(8 * DAY_MS);
    b.places.ensure(zones);
    b.places.ensure(zones);
    await settle(b);
    expect(b.asked).toHaveLength(2);
    b.places.ensure(zones);
    await settle(b);
    expect(b.asked).toHaveLength(2);
    expect(b.told).toHaveLength(1);
    b.answers.delete('forecast/IAZ001');
    await b.clock.advance(8 * DAY_MS);
    b.places.ensure(zones);
    await settle(b);
    expect(b.asked).toHaveLength(3);
    expect(b.places.resolve({ polygons: [], zones, at: b.clock.now() })).toBe(before);
  });

  it('geometry=full is what upstream gave, the display copy is simplified', async () => {
    const coast = Array.from({ length: 500 }, (_, i): [number, number] => [-90 + i * 0.002, 30 + Math.sin(i) * 0.001]);
    const shape: Polygon = { type: 'Polygon', coordinates: [[...coast, [-89, 31], [-90, 31], [-90, 30]]] };
    const b = await bench({ 'forecast/LAZ001': zoneFeature('LAZ001', shape) });
    b.places.ensure([publicZone('LAZ001')]);
    await settle(b);
    const input = { polygons: [], zones: [publicZone('LAZ001')], at: NOW };
    expect(polygonsOf((await b.places.resolveFull(input))!)[0]![0]!.length).toBe(503);
    expect(polygonsOf(b.places.resolve(input).shape!)[0]![0]!.length).toBeLessThan(60);
  });
});

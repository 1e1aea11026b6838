import { describe, expect, it } from 'vitest';
import { createAtlas } from './atlas.ts';
import { createTimeZoneCheck, readZoneFeature, runAtOnce, runInTurns } from './prepare-zone.ts';
import type { StoredZone, ZoneFamily } from './types.ts';

const geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [-151, 60],
      [-150, 60],
      [-150, 61],
      [-151, 61],
      [-151, 60],
    ],
  ],
};
const read = (properties: Record<string, unknown>, family: ZoneFamily = 'forecast'): StoredZone | null =>
  runAtOnce(readZoneFeature({ type: 'Feature', properties, geometry }, { code: 'AKZ101', family, fetchedAt: 5 }, createTimeZoneCheck()));

describe('reading a zone of upstream', () => {
  it('takes name, offices, dates and time zones, and leaves out what is no time zone', () => {
    const zone = read({
      id: 'AKZ101',
      name: 'Anchorage',
      cwa: ['AFC'],
      timeZone: ['America/Anchorage', 'Mars/Olympus', 7],
      effectiveDate: '2025-03-18T00:00:00+00:00',
      expirationDate: '2026-03-04T00:00:00+00:00',
    });
    expect(zone).toMatchObject({ effectiveFrom: Date.UTC(2025, 2, 18), effectiveTo: Date.UTC(2026, 2, 4), fetchedAt: 5 });
    expect(zone!.props).toMatchObject({ name: 'Anchorage', state: 'AK', offices: ['PAFC'], timeZones: ['America/Anchorage'] });
    expect(zone!.props.areaKm2).toBeCloseTo(6_088, -2);
  });

  it('lives with missing and senseless members; the year 2200 means no end', () => {
    const zone = read({
      id: 'AKZ101',
      name: 3,
      cwa: 'AFC',
      timeZone: null,
      effectiveDate: 'soon',
      expirationDate: '2200-01-01T00:00:00+00:00',
    });
    expect(zone).toMatchObject({ effectiveFrom: 0, effectiveTo: null, props: { name: null, offices: [], timeZones: [] } });
    expect(read({ id: 'AKZ102' })).toBeNull();
    expect(read({})).toBeNull();
  });

  it('gives others a turn while it works, with the same result', async () => {
    const feature = { type: 'Feature', properties: { id: 'AKZ101' }, geometry };
    const asked = { code: 'AKZ101', family: 'forecast', fetchedAt: 5 } as const;
    let turns = 0;
    let working = true;
    const count = (): void => {
      turns += 1;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    const patient = await runInTurns(readZoneFeature(feature, asked, () => true));
    working = false;
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(patient).toEqual(runAtOnce(readZoneFeature(feature, asked, () => true)));
  });
});

describe('the embedded atlas', () => {
  it('has a shape with a label inside and an area for every county of the states and territories', () => {
    const atlas = createAtlas();
    const codes = atlas.codes();
    expect(codes.length).toBeGreaterThan(3200);
    expect(new Set(codes.map((code) => code.slice(0, 2))).size).toBe(56);
    const boxes = atlas.boxes();
    for (const code of codes.filter((_, index) => index % 10 === 0)) {
      const { props } = atlas.county(code)!;
      expect(props.areaKm2).toBeGreaterThan(0);
      const [lon, lat] = props.labelPoint!;
      expect(boxes.get(code)!.some(([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north)).toBe(true);
    }
    expect(atlas.county('IAC999')).toBeNull();
  });
});

import { distanceKm, type Position, shapeRelation } from '@nwms/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type FakeZone, message, vtec, type World } from '../../../../test/alerts-world.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const HOUR = 3_600_000;

const box = (west: number, south: number, width: number, height: number): Position[] => [
  [west, south],
  [west + width, south],
  [west + width, south + height],
  [west, south + height],
  [west, south],
];
/** Fixed but irregular: alerts all over the map, some next to and over 180 degrees. */
const corner = (n: number): [number, number] => [((n * 137.508) % 360) - 180, ((n * 61.8) % 70) - 15];
const ZONES: FakeZone[] = Array.from({ length: 40 }, (_, n): FakeZone => {
  const [west, south] = corner(n * 7 + 3);
  const code = `IAZ${String(n).padStart(3, '0')}`;
  if (west + 3 <= 180) return { code, type: 'public', shape: { type: 'Polygon', coordinates: [box(west, south, 3, 2)] } };
  return {
    code,
    type: 'public',
    shape: { type: 'MultiPolygon', coordinates: [[box(west, south, 180 - west, 2)], [box(-180, south, west + 3 - 180, 2)]] },
  };
});

let world: World;
beforeAll(async () => {
  world = await createWorld({ at: T0, zones: ZONES });
  const storms = Array.from({ length: 60 }, (_, n) => {
    const [west, south] = corner(n);
    const polygon = box(Math.min(west, 177), south, 0.5 + (n % 5) * 0.5, 0.5 + (n % 3) * 0.5);
    return message({ vtec: vtec('NEW', `KDMX.SV.W.${String(n + 1).padStart(4, '0')}`, T0, T0 + HOUR), polygon, id: `urn:oid:p${n}` }, T0);
  });
  const zoned = ZONES.map(({ code }, n) =>
    message(
      {
        vtec: vtec('NEW', `KDMX.WI.Y.${String(n + 1).padStart(4, '0')}`, T0, T0 + HOUR),
        event: 'Wind Advisory',
        ugc: [code],
        zoneKind: 'forecast',
        id: `urn:oid:z${n}`,
      },
      T0,
    ),
  );
  world.apply([...storms, ...zoned]);
});
afterAll(() => world.close());

interface PlaceRow {
  event_id: string;
  distance_km: number;
  match_kind: string;
  relation: string;
  overlap_share: number | null;
  hazard_rank: number;
}
const near = async (lon: number, lat: number, radiusKm: number) =>
  (await world.get<{ alerts: PlaceRow[] }>(`/alerts/near?lat=${lat}&lon=${lon}&radius_km=${radiusKm}`)).body.alerts;

describe('near', () => {
  it('finds exactly what measuring every shape finds, nearest first, also over 180 degrees', async () => {
    const lon = fc.oneof(
      fc.integer({ min: -18_000, max: 18_000 }),
      fc.integer({ min: 17_800, max: 18_000 }),
      fc.integer({ min: -18_000, max: -17_800 }),
    );
    await fc.assert(
      fc.asyncProperty(lon, fc.integer({ min: -1_500, max: 5_800 }), fc.constantFrom(0, 5, 50, 500), async (x, y, radiusKm) => {
        const [lonDegrees, latDegrees] = [x / 100, y / 100];
        const expected = new Set<string>();
        for (const row of world.alerts.board.rows()) {
          const shape = row.shape();
          const away = shape ? distanceKm(lonDegrees, latDegrees, shape) : Infinity;
          if (away <= Math.max(radiusKm, 0.4)) expected.add(row.alert.event_id);
        }
        const found = await near(lonDegrees, latDegrees, radiusKm);
        expect(new Set(found.map((row) => row.event_id))).toEqual(expected);
        const distances = found.map((row) => row.distance_km);
        expect(distances).toEqual([...distances].sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  it('says outside where no zone is, and does not let an empty answer read as "none" (R-26)', async () => {
    const { body } = await world.get<{ coverage: string; warnings: { code: string }[] }>('/alerts/near?lat=48.85&lon=2.35');
    expect(body.coverage).toBe('outside');
    expect(body.warnings.map((warning) => warning.code)).toContain('outside_coverage');
  });
});

describe('within', () => {
  it('finds exactly what relating every shape finds, also in boxes over 180 degrees', async () => {
    const edge = fc.integer({ min: -180, max: 179 });
    await fc.assert(
      fc.asyncProperty(
        edge,
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: -15, max: 50 }),
        fc.integer({ min: 1, max: 15 }),
        async (west, width, south, height) => {
          const east = west + width > 180 ? west + width - 360 : west + width;
          const asked = `${west},${south},${east},${south + height}`;
          const { body } = await world.get<{ alerts: PlaceRow[] }>(`/alerts/within?bbox=${asked}`);
          const area = { type: 'Polygon' as const, coordinates: [box(west, south, width, height)] };
          const expected = new Map<string, string>();
          for (const row of world.alerts.board.rows()) {
            const shape = row.shape();
            const relation = shape && shapeRelation(area, shape);
            if (relation) expected.set(row.alert.event_id, relation);
          }
          expect(new Map(body.alerts.map((row) => [row.event_id, row.relation]))).toEqual(expected);
          for (const row of body.alerts) expect(row.overlap_share).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('takes the same area as GeoJSON, and filters by relation', async () => {
    const filters = { relation: ['within'], event: ['wind advisory'] };
    const posted = await world.app.inject({
      method: 'POST',
      url: '/api/v1/alerts/within',
      payload: { ...filters, geometry: { type: 'Polygon', coordinates: [box(-100, 20, 40, 30)] } },
    });
    const asked = await world.get<{ alerts: PlaceRow[] }>('/alerts/within?bbox=-100,20,-60,50&relation=within&event=wind%20advisory');
    expect(posted.statusCode).toBe(200);
    expect(posted.json<{ alerts: PlaceRow[] }>().alerts.map((row) => row.event_id)).toEqual(asked.body.alerts.map((row) => row.event_id));
    expect(asked.body.alerts.every((row) => row.relation === 'within' && row.overlap_share === 1)).toBe(true);
    expect(asked.body.alerts.length).toBeGreaterThan(0);
  });

  it.each([
    ['', 'request.invalid'],
    ['?bbox=1,2,3', 'geo.invalid_shape'],
    ['?polygon=0,0;1,1;1,0;0,1', 'geo.invalid_shape'],
    ['?bbox=-95,40,-90,43&polygon=0,0;1,0;1,1;0,1', 'request.invalid'],
  ])('refuses %j', async (query, code) => {
    const { status, body } = await world.get<{ error: string }>(`/alerts/within${query}`);
    expect([status, body.error]).toEqual([400, code]);
  });
});

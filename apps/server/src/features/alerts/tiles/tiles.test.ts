import { VectorTile } from '@mapbox/vector-tile';
import type { Shape } from '@nwms/domain';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import type { Presented } from '../present.ts';
import { createTiles } from './tiles.ts';

const square = (west: number, south: number, size: number): Shape => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});

const row = (
  id: string,
  shape: Shape,
  rank: number,
  bbox: [number, number, number, number],
  label: [number, number],
): { presented: Presented } => ({
  presented: {
    slim: {
      id,
      event_id: id,
      event: 'Tornado Warning',
      event_code: 'TOW',
      family: 'tornado',
      severity: 'Extreme',
      hazard_rank: rank,
      state: 'in_force',
      is_active: true,
      geometry_source: 'polygon',
      headline: null,
      in_force_until: null,
      office: 'KDMX',
      source: 'simulator',
      bbox,
    },
    area: { shape, labelPoint: label },
  } as unknown as Presented,
});

/** Tile column and row that hold a position. */
function tileAt(lon: number, lat: number, z: number) {
  const size = 2 ** z;
  const sin = Math.sin((lat * Math.PI) / 180);
  return { z, x: Math.floor(((lon + 180) / 360) * size), y: Math.floor((0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI) * size) };
}

const decode = (bytes: Buffer | null) => {
  if (!bytes) throw new Error('no tile');
  return new VectorTile(new PbfReader(bytes));
};

const iowa = row('iowa', square(-94, 41, 1), 900, [-94, 41, -93, 42], [-93.5, 41.5]);
const small = row('small', square(-93.6, 41.4, 0.2), 200, [-93.6, 41.4, -93.4, 41.6], [-93.5, 41.5]);

describe('vector tiles', () => {
  it('hold shape and label of every alert that touches the tile, worst last', async () => {
    const tile = decode(await createTiles().encode([iowa, small], tileAt(-93.5, 41.5, 6)));
    const { alerts, labels } = tile.layers;
    expect([alerts?.length, labels?.length, alerts?.extent]).toEqual([2, 2, 4096]);
    expect(Array.from({ length: 2 }, (_, index) => alerts?.feature(index).properties['id'])).toEqual(['small', 'iowa']);
    expect(alerts?.feature(1).properties).toMatchObject({ severity_rank: 4, in_force_until: -1, simulated: true, is_active: true });
  });

  it('draw the shape where it is', async () => {
    const address = tileAt(-93.5, 41.5, 5);
    const feature = decode(await createTiles().encode([iowa], address))
      .layers['alerts']?.feature(0)
      .toGeoJSON(address.x, address.y, address.z);
    if (feature?.geometry.type !== 'Polygon') throw new Error('no polygon');
    const { coordinates } = feature.geometry;
    const [ring = []] = coordinates;
    const west = Math.min(...ring.map(([lon = 0]) => lon));
    const south = Math.min(...ring.map(([, lat = 0]) => lat));
    expect(west).toBeCloseTo(-94, 1);
    expect(south).toBeCloseTo(41, 1);
  });

  it('are absent where nothing is', async () => {
    expect(await createTiles().encode([iowa], tileAt(10, 50, 6))).toBeNull();
  });

  it('show both sides of an alert that crosses 180 degrees', async () => {
    const shape: Shape = {
      type: 'MultiPolygon',
      coordinates: [square(178, 51, 2), square(-180, 51, 2)].map((part) => (part as { coordinates: [number, number][][] }).coordinates),
    };
    const aleutians = row('aleutians', shape, 300, [178, 51, -178, 53], [179, 52]);
    const tiles = createTiles();
    for (const lon of [179, -179]) {
      // The world wraps: the buffer of one edge may bring a second piece of the same alert.
      const layer = decode(await tiles.encode([aleutians], tileAt(lon, 52, 5))).layers['alerts'];
      expect(layer?.length).toBeGreaterThanOrEqual(1);
      expect(layer?.feature(0).properties['id']).toBe('aleutians');
    }
  });
});

import { bboxOf, isSimplePolygon, overlapOf, pointInShape, polygonsOf, type Polygon, type Position, type Ring } from '@nwms/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairShape, signedArea } from './repair-shape.ts';
import { simplifyRing, simplifyShape } from './simplify-shape.ts';

const square = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

describe('repairing a shape', () => {
  it('closes rings, drops what is no position, and winds as RFC 7946 says', () => {
    const clockwise = [[0, 0], [0, 4], [Number.NaN, 2], [4, 4], 'x', [4, 4], [4, null], [4, 0]];
    const hole = [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 2],
    ];
    const repaired = repairShape({ type: 'Polygon', coordinates: [clockwise, hole] }) as Polygon;
    expect(repaired.coordinates).toHaveLength(2);
    expect(repaired.coordinates[0]).toHaveLength(5);
    expect(signedArea(repaired.coordinates[0]!)).toBeGreaterThan(0);
    expect(signedArea(repaired.coordinates[1]!)).toBeLessThan(0);
    expect(repaired.coordinates[0]!.at(-1)).toEqual(repaired.coordinates[0]![0]);
  });

  it('trap 19: keeps every part, also of collections, and a ring that crosses itself', () => {
    const bowtie: Ring = [
      [10, 0],
      [12, 2],
      [12, 0],
      [10, 1.9],
      [10, 0],
    ];
    const repaired = repairShape({
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', coordinates: [square(0, 0, 1, 1)] },
        { type: 'Point', coordinates: [5, 5] },
        { type: 'MultiPolygon', coordinates: [[square(3, 0, 4, 1)], [bowtie]] },
      ],
    })!;
    expect(polygonsOf(repaired)).toHaveLength(3);
    expect(pointInShape(11.9, 1, repaired)).toBe(true);
  });

  it.each<[string, Ring]>([
    ['drawn past 180', square(178, 51, 184, 53)],
    ['drawn past -180', square(-182, 51, -176, 53)],
    [
      'jumping over 180',
      [
        [178, 51],
        [-176, 51],
        [-176, 53],
        [178, 53],
        [178, 51],
      ],
    ],
  ])('trap 24: a ring %s is split there', (_, ring) => {
    const repaired = repairShape({ type: 'Polygon', coordinates: [ring] })!;
    expect(polygonsOf(repaired)).toHaveLength(2);
    expect(bboxOf(repaired)[0]).toBeGreaterThan(bboxOf(repaired)[2]);
    for (const lon of polygonsOf(repaired)
      .flat(2)
      .map(([x]) => x))
      expect(Math.abs(lon)).toBeLessThanOrEqual(180);
    expect(pointInShape(179.5, 52, repaired)).toBe(true);
    expect(pointInShape(-179.5, 52, repaired)).toBe(true);
    expect(pointInShape(0, 52, repaired)).toBe(false);
  });

  it('a hole stays with its part on either side of 180', () => {
    const repaired = repairShape({ type: 'Polygon', coordinates: [square(170, 50, 190, 56), square(-178, 52, -176, 54)] })!;
    expect(pointInShape(-177, 53, repaired)).toBe(false);
    expect(pointInShape(-179, 53, repaired)).toBe(true);
    expect(pointInShape(175, 53, repaired)).toBe(true);
  });

  it('makes of any JSON a proper shape or null', () => {
    const position = fc.array(fc.oneof(fc.double({ min: -400, max: 400 }), fc.constant(null), fc.double()), { maxLength: 3 });
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom('Polygon', 'MultiPolygon'),
        coordinates: fc.array(fc.array(position, { maxLength: 8 }), { maxLength: 4 }),
      }),
      fc.record({
        type: fc.constant('MultiPolygon'),
        coordinates: fc.array(fc.array(fc.array(position, { maxLength: 8 }), { maxLength: 2 }), { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(anything, (value) => {
        const repaired = repairShape(value);
        const rings = repaired ? polygonsOf(repaired).flat() : [];
        for (const ring of rings) {
          expect(ring.length).toBeGreaterThanOrEqual(4);
          expect(ring.at(-1)).toEqual(ring[0]);
          expect(ring.every(([lon, lat]) => Math.abs(lon) <= 180.0000001 && Math.abs(lat) <= 90)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('simplifying', () => {
  /** A wiggly line from south to north. */
  const wiggle = (seed: number): Position[] =>
    Array.from({ length: 400 }, (_, i): Position => [Math.sin(i * 0.7 + seed) * 0.004 + Math.sin(i * 0.05 + seed) * 0.05, 40 + i * 0.001]);

  it('thins a common edge alike in both neighbours, so that no gap opens', () => {
    const edge = wiggle(1);
    const east: Ring = [...edge, [2, 40.399], [2, 40], edge[0]!];
    // The western neighbour begins elsewhere and runs the other way.
    const around: Ring = [...edge].reverse();
    const loop = [...around, [-2, 40] as Position, [-2, 40.399] as Position];
    const west: Ring = [...loop.slice(137), ...loop.slice(0, 138)];
    const thinEast = simplifyRing(east, 0.005, true)!;
    const thinWest = simplifyRing(west, 0.005, true)!;
    expect(thinEast.length).toBeLessThan(edge.length / 3);
    const eastKeys = new Set(thinEast.map(String));
    const common = thinWest.filter((position) => Math.abs(position[0]) < 1);
    const unmatched = common.filter((position) => !eastKeys.has(String(position)));
    expect(unmatched.length).toBeLessThanOrEqual(common.length * 0.1);
    const overlap = overlapOf({ type: 'Polygon', coordinates: [thinEast] }, { type: 'Polygon', coordinates: [thinWest] });
    expect(overlap.both / overlap.a).toBeLessThan(0.0002);
  });

  it('never moves the edge by more than the tolerance', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.05, max: 0.2, noNaN: true }), { minLength: 6, maxLength: 200 }), (radii) => {
        const open = radii.map((radius, index): Position => {
          const angle = (index / radii.length) * 2 * Math.PI;
          return [-93 + radius * Math.cos(angle), 41 + radius * Math.sin(angle)];
        });
        const ring: Ring = [...open, open[0]!];
        const thinned = simplifyRing(ring, 0.005, true)!;
        for (const [x, y] of ring) {
          let nearest = Infinity;
          for (let i = 1; i < thinned.length; i += 1) nearest = Math.min(nearest, toSegment(x, y, thinned[i - 1]!, thinned[i]!));
          expect(nearest).toBeLessThanOrEqual(0.00502);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the smallest islet', () => {
    const islet = square(-160.0004, 20, -160, 20.0003);
    const kept = simplifyShape({ type: 'MultiPolygon', coordinates: [[square(-158, 21, -157, 22)], [islet]] }, 0.005);
    expect(kept).toHaveLength(2);
    expect(isSimplePolygon(kept[1]![0]!)).toBe(true);
  });
});

function toSegment(x: number, y: number, [ax, ay]: Position, [bx, by]: Position): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

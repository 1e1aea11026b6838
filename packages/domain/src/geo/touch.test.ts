import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bboxTouchesShape,
  createTouchTest,
  distanceKm,
  isWithinKm,
  prepareShape,
  type Position,
  shapeOfBbox,
  shapeRelation,
} from './index.ts';

/** A ring around a middle, its corners on a coarse lattice so that corners and edges often meet exactly. */
const ring = fc
  .record({
    lon: fc.integer({ min: -8, max: 8 }),
    lat: fc.integer({ min: -8, max: 8 }),
    reaches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 40 }),
    isExact: fc.boolean(),
  })
  .map(({ lon, lat, reaches, isExact }): Position[] => {
    const corners = reaches.map((reach, index): Position => {
      const angle = (2 * Math.PI * index) / reaches.length;
      const [x, y] = [lon + reach * Math.cos(angle), lat + reach * Math.sin(angle)];
      return isExact ? [Math.round(x * 2) / 2, Math.round(y * 2) / 2] : [x, y];
    });
    return [...corners, corners[0]!];
  });
const moved = (rings: Position[][], by: number) =>
  rings.map((one) =>
    one.map(([lon, lat]): Position => [lon + by > 180 ? lon + by - 360 : lon + by < -180 ? lon + by + 360 : lon + by, lat]),
  );
/** Up to three parts, here or across 180 degrees. */
const shape = fc
  .tuple(fc.array(ring, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 178))
  .map(([rings, by]) => prepareShape({ type: 'MultiPolygon', coordinates: moved(rings, by).map((one) => [one]) }));
const withHole = ring.map((hole) =>
  prepareShape({
    type: 'Polygon',
    coordinates: [
      [
        [-20, -20],
        [20, -20],
        [20, 20],
        [-20, 20],
        [-20, -20],
      ],
      hole,
    ],
  }),
);

describe('touching', () => {
  it('holds exactly where a relation is found', () => {
    fc.assert(
      fc.property(fc.oneof(shape, withHole), fc.oneof(shape, withHole), (a, b) => {
        expect(createTouchTest(a)(b)).toBe(shapeRelation(a, b) !== null);
      }),
      { numRuns: 1500 },
    );
  });

  it('of a box holds exactly where a relation to the same polygon is found, also over 180 degrees', () => {
    const half = (min: number, max: number) => fc.integer({ min, max }).map((steps) => steps / 2);
    fc.assert(
      fc.property(
        fc.oneof(shape, withHole),
        half(-20, 20),
        half(-20, 20),
        half(1, 30),
        half(1, 20),
        fc.constantFrom(0, 178),
        (b, x, south, width, height, by) => {
          const wrap = (lon: number) => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
          const box: [number, number, number, number] = [wrap(x + by), south, wrap(x + by + width), south + height];
          expect(bboxTouchesShape(box, b)).toBe(shapeRelation(shapeOfBbox(box), b) !== null);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('within a distance holds exactly where the measured distance is no greater', () => {
    fc.assert(
      fc.property(
        shape,
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.integer({ min: 1, max: 900 }),
        (b, lon, lat, km) => {
          expect(isWithinKm(lon, lat, b, km)).toBe(distanceKm(lon, lat, b) <= km);
        },
      ),
      { numRuns: 500 },
    );
  });
});

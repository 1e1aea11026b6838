import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bbox,
  type Polygon,
  type Position,
  bboxContainsPoint,
  bboxOf,
  bboxesOverlap,
  boxesAround,
  distanceKm,
  geodesicKm,
  mergeBboxes,
  pointInShape,
  prepareShape,
  shapeOfBbox,
} from './index.ts';
import { box, multi, withHole, star, slowInside, degreesToEdges } from './shapes-fixture.ts';

describe('boxes', () => {
  it('cross 180 degrees only when that box is the smaller one', () => {
    expect(bboxOf(multi(box(178, 51, 180, 53), box(-180, 51, -170, 53)))).toEqual([178, 51, -170, 53]);
    expect(bboxOf(box(-125, 25, -66, 49))).toEqual([-125, 25, -66, 49]);
    expect(bboxOf(multi(box(144, 13, 145, 14), box(-160, 18, -154, 22)))).toEqual([144, 13, -154, 22]);
    expect(bboxOf(shapeOfBbox([-180, -10, 180, 10]))).toEqual([-180, -10, 180, 10]);
    expect(mergeBboxes([])).toBeNull();
  });

  it('overlap and hold points across 180 degrees', () => {
    const aleutians: Bbox = [172, 51, -163, 55];
    expect(bboxesOverlap(aleutians, [-170, 50, -168, 52])).toBe(true);
    expect(bboxesOverlap([-170, 50, -168, 52], aleutians)).toBe(true);
    expect(bboxesOverlap(aleutians, [-160, 50, -150, 52])).toBe(false);
    expect(bboxContainsPoint(aleutians, 180, 52)).toBe(true);
    expect(bboxContainsPoint(aleutians, -180, 52)).toBe(true);
    expect(bboxContainsPoint(aleutians, 0, 52)).toBe(false);
  });

  it('around a place hold every point within the radius', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -80, max: 85, noNaN: true }),
        fc.double({ min: 0.1, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 6.28, noNaN: true }),
        (lon, lat, radiusKm, bearing) => {
          const reach = (radiusKm / 6400 / Math.PI) * 180;
          const other: Position = [lon + (reach * Math.sin(bearing)) / Math.cos((lat * Math.PI) / 180), lat + reach * Math.cos(bearing)];
          if (other[0] > 180) other[0] -= 360;
          if (other[0] < -180) other[0] += 360;
          fc.pre(Math.abs(other[1]) < 90 && geodesicKm(lon, lat, other[0], other[1]) <= radiusKm);
          expect(boxesAround(lon, lat, radiusKm).some((area) => bboxContainsPoint(area, other[0], other[1]))).toBe(true);
        },
      ),
    );
  });
});

describe('a point in a shape', () => {
  it('is found exactly where the slow method finds it', () => {
    fc.assert(
      fc.property(star, fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: -4, max: 4, noNaN: true }), (shape, dx, dy) => {
        const ring = shape.coordinates[0]!;
        const lon = ring[0]![0] + dx;
        const lat = ring[0]![1] + dy;
        fc.pre(degreesToEdges(lon, lat, ring) > 1e-6);
        expect(pointInShape(lon, lat, prepareShape(shape))).toBe(slowInside(lon, lat, ring));
      }),
      { numRuns: 2000 },
    );
  });

  it('counts edges and corners, and both names of the 180th meridian', () => {
    const shape = multi(box(178, 51, 180, 53), box(-180, 51, -177, 53));
    for (const lon of [178, 179.5, 180, -180, -178.2, -177]) expect(pointInShape(lon, 52, shape)).toBe(true);
    expect(pointInShape(180, 51, shape)).toBe(true);
    expect(pointInShape(-176.9, 52, shape)).toBe(false);
  });

  it('respects holes in either direction and has no gap where a ring crosses itself', () => {
    const hole = box(1, 1, 2, 2);
    const turned: Polygon = { type: 'Polygon', coordinates: [[...hole.coordinates[0]!].reverse()] };
    for (const inner of [hole, turned]) {
      expect(pointInShape(1.5, 1.5, withHole(box(0, 0, 4, 4), inner))).toBe(false);
      expect(pointInShape(1, 1.5, withHole(box(0, 0, 4, 4), inner))).toBe(true);
      expect(pointInShape(3, 3, withHole(box(0, 0, 4, 4), inner))).toBe(true);
    }
    const curl: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [1, 4],
          [1, -1],
          [3, -1],
          [3, 3],
          [0, 3],
          [0, 0],
        ],
      ],
    };
    expect(pointInShape(2, 2, curl)).toBe(true);
  });

  it('works in rings drawn past 180 or jumping over it', () => {
    const past: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [179, 51],
          [182, 51],
          [182, 53],
          [179, 53],
          [179, 51],
        ],
      ],
    };
    const jumping: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [179, 51],
          [-178, 51],
          [-178, 53],
          [179, 53],
          [179, 51],
        ],
      ],
    };
    for (const shape of [past, jumping]) {
      expect(pointInShape(-179, 52, shape)).toBe(true);
      expect(pointInShape(179.5, 52, shape)).toBe(true);
      expect(pointInShape(0, 52, shape)).toBe(false);
      expect(bboxOf(shape)).toEqual([179, 51, -178, 53]);
    }
  });
});

describe('distance', () => {
  it('over the ellipsoid agrees with published values', () => {
    // Vincenty's own worked line, Flinders Peak to Buninyong (Geoscience Australia): 54,972.271 m.
    expect(geodesicKm(144.42486788888888, -37.95103341666667, 143.92649552777777, -37.65282113888889)).toBeCloseTo(54.972271, 5);
    expect(geodesicKm(0, 0, 1, 0)).toBeCloseTo(111.319491, 5);
    expect(geodesicKm(179.9, 52, -179.9, 52)).toBeCloseTo(geodesicKm(-0.1, 52, 0.1, 52), 9);
  });

  it('to a shape is within 0.1 % of a dense walk along its edges', () => {
    fc.assert(
      fc.property(star, fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true }), (shape, dx, dy) => {
        const ring = shape.coordinates[0]!;
        let lon = ring[0]![0] + dx;
        const lat = ring[0]![1] + dy;
        fc.pre(!pointInShape(lon, lat, shape));
        if (lon > 180) lon -= 360;
        let walked = Infinity;
        for (let index = 1; index < ring.length; index += 1) {
          const [ax, ay] = ring[index - 1]!;
          const [bx, by] = ring[index]!;
          const at = (part: number) => geodesicKm(lon, lat, ax + (bx - ax) * part, ay + (by - ay) * part);
          const steps = Array.from({ length: 101 }, (_, step) => step / 100);
          const near = steps.reduce((best, part) => (at(part) < at(best) ? part : best), 0);
          // Steps of an edge of hundreds of kilometres are kilometres apart: the nearest two are walked again, finely.
          for (const part of steps) walked = Math.min(walked, at(Math.min(1, Math.max(0, near + (part - 0.5) / 50))));
        }
        // The API asks for at most 500 km.
        fc.pre(walked > 5 && walked <= 500);
        const found = distanceKm(lon, lat, shape);
        expect(found).toBeLessThanOrEqual(walked * 1.0005);
        expect(found).toBeGreaterThanOrEqual(walked * 0.999 - 0.01);
      }),
      { numRuns: 300 },
    );
  });

  it('is 0 inside, Infinity beyond the limit, and short across 180 degrees', () => {
    const shape = box(179, 51, 180, 53);
    expect(distanceKm(179.5, 52, shape)).toBe(0);
    expect(distanceKm(-179.9, 52, shape)).toBeCloseTo(geodesicKm(-179.9, 52, 180, 52), 2);
    expect(distanceKm(-170, 52, shape, 100)).toBe(Infinity);
    expect(distanceKm(10, 10, { type: 'MultiPolygon', coordinates: [] })).toBe(Infinity);
  });
});

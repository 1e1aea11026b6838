/* oxlint-disable typescript/no-non-null-assertion -- test support: a point that is missing is a broken test */
/** Shapes and slow, obvious geometry for the tests of this folder. */
import fc from 'fast-check';
import type { Polygon, Position, Ring, Shape } from './index.ts';

export const box = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
export const multi = (...parts: Polygon[]): Shape => ({ type: 'MultiPolygon', coordinates: parts.map((part) => part.coordinates) });
export const withHole = (outer: Polygon, hole: Polygon): Polygon => ({
  type: 'Polygon',
  coordinates: [...outer.coordinates, ...hole.coordinates],
});

/** A star around a centre: simple, not convex. */
export const star = fc
  .record({
    lon: fc.double({ min: -179, max: 179, noNaN: true }),
    lat: fc.double({ min: -60, max: 70, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.2, max: 3, noNaN: true }), { minLength: 5, maxLength: 40 }),
  })
  .map(({ lon, lat, radii }): Polygon => {
    const ring = radii.map((radius, index): Position => {
      const angle = (index / radii.length) * 2 * Math.PI;
      return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
    });
    return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
  });

/** Even-odd by the book, one edge after the other. */
export function slowInside(lon: number, lat: number, ring: Ring): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!;
    const [xj, yj] = ring[j]!;
    if (yi > lat !== yj > lat && lon < ((xj - xi) * (lat - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** Flat, degrees: only to keep away from edges, where the slow method has no opinion. */
export function degreesToEdges(lon: number, lat: number, ring: Ring): number {
  let best = Infinity;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay] = ring[index - 1]!;
    const [bx, by] = ring[index]!;
    const along = ((lon - ax) * (bx - ax) + (lat - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
    const share = Math.min(1, Math.max(0, along));
    best = Math.min(best, Math.hypot(lon - ax - share * (bx - ax), lat - ay - share * (by - ay)));
  }
  return best;
}

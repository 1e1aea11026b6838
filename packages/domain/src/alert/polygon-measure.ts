import type { Bbox, Ring, Shape } from '../geo/shape.ts';

/** Mean Earth radius (IUGG), km. */
const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

export function ringsOf(shape: Shape): Ring[][] {
  return shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
}

/** Area on the sphere, km2, holes taken off: within 0.5 % of the ellipsoid's, enough to tell how a warning shrank. */
export function areaKm2(shape: Shape): number {
  let total = 0;
  for (const [outer, ...holes] of ringsOf(shape)) {
    total += outer ? ringAreaKm2(outer) : 0;
    for (const hole of holes) total -= ringAreaKm2(hole);
  }
  return Math.max(0, total);
}

function ringAreaKm2(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [lonA = 0, latA = 0] = ring[i] ?? [];
    const [lonB = 0, latB = 0] = ring[i + 1] ?? [];
    sum += (lonB - lonA) * RADIANS * (2 + Math.sin(latA * RADIANS) + Math.sin(latB * RADIANS));
  }
  return Math.abs((sum * EARTH_RADIUS_KM * EARTH_RADIUS_KM) / 2);
}

/** Plain bounding box of the written coordinates (no unwrapping across 180 degrees). */
export function plainBbox(shape: Shape): Bbox {
  const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  for (const rings of ringsOf(shape)) {
    for (const [lon, lat] of rings[0] ?? []) {
      box[0] = Math.min(box[0], lon);
      box[1] = Math.min(box[1], lat);
      box[2] = Math.max(box[2], lon);
      box[3] = Math.max(box[3], lat);
    }
  }
  return box;
}

export function boxesOverlap(a: Bbox, b: Bbox): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

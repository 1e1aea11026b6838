import type { Polygon, Position, Ring, Shape } from '../geo/shape.ts';

/** More vertices than any warning has (NWS polygons have at most some hundred); beyond it the shape is taken for damage. */
const MAX_POSITIONS = 20_000;
/** Longitudes are left as written; +-540 lets a ring run across 180 degrees in either direction. */
const MAX_LONGITUDE = 540;

/**
 * GeoJSON Polygon or MultiPolygon, or null when it is anything else or broken: one bad ring makes the whole shape unusable, since a
 * half shape would show a place as safe. Open rings are closed; altitudes are dropped; otherwise coordinates are untouched.
 */
export function readPolygon(value: unknown): Shape | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  const budget = { left: MAX_POSITIONS };
  if (type === 'Polygon') {
    const rings = readRings(coordinates, budget);
    return rings && { type, coordinates: rings };
  }
  if (type !== 'MultiPolygon' || !Array.isArray(coordinates) || coordinates.length === 0) return null;
  const parts: Polygon['coordinates'][] = [];
  for (const part of coordinates) {
    const rings = readRings(part, budget);
    if (!rings) return null;
    parts.push(rings);
  }
  return { type, coordinates: parts };
}

function readRings(value: unknown, budget: { left: number }): Ring[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const rings: Ring[] = [];
  for (const item of value) {
    const ring = readRing(item, budget);
    if (!ring) return null;
    rings.push(ring);
  }
  return rings;
}

function readRing(value: unknown, budget: { left: number }): Ring | null {
  if (!Array.isArray(value) || value.length < 3 || value.length > budget.left) return null;
  budget.left -= value.length;
  const ring: Position[] = [];
  for (const item of value) {
    if (!Array.isArray(item)) return null;
    const [lon, lat] = item as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number') return null;
    if (!(Math.abs(lon) <= MAX_LONGITUDE) || !(Math.abs(lat) <= 90)) return null;
    ring.push([lon, lat]);
  }
  const [first] = ring;
  const last = ring[ring.length - 1];
  if (first && last && (first[0] !== last[0] || first[1] !== last[1])) ring.push([first[0], first[1]]);
  return ring.length >= 4 ? ring : null;
}

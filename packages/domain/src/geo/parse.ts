import { isSimplePolygon } from './simple.ts';
import type { Bbox, Polygon, Position, Ring, Shape } from './shape.ts';

/** What is wrong with a typed area. */
export type GeoFault = 'not_numbers' | 'wrong_count' | 'out_of_range' | 'south_above_north' | 'empty' | 'not_simple' | 'not_a_shape';
export type Parsed<T> = { ok: true; value: T } | { ok: false; fault: GeoFault };

const fault = (code: GeoFault): { ok: false; fault: GeoFault } => ({ ok: false, fault: code });

/** `west,south,east,north` in degrees; west > east crosses 180 degrees; a box without area is a fault. */
export function parseBbox(text: string): Parsed<Bbox> {
  const numbers = text.split(',').map(parseDegrees);
  if (numbers.length !== 4) return fault('wrong_count');
  const [west, south, east, north] = numbers;
  if (west == null || south == null || east == null || north == null) return fault('not_numbers');
  if (!isLon(west) || !isLon(east) || !isLat(south) || !isLat(north)) return fault('out_of_range');
  if (south > north) return fault('south_above_north');
  if (south === north || west === east) return fault('empty');
  return { ok: true, value: [west, south, east, north] };
}

/** `lon,lat;lon,lat;...`, 4 to `maxVertices` positions once closed; closed for the caller; must not cross itself. */
export function parsePolygon(text: string, maxVertices = 500): Parsed<Polygon> {
  const pieces = text.split(';');
  if (pieces.at(-1)?.trim() === '') pieces.pop();
  if (pieces.length < 3 || pieces.length > maxVertices) return fault('wrong_count');
  const ring: Ring = [];
  for (const piece of pieces) {
    const comma = piece.indexOf(',');
    const lon = comma < 0 ? null : parseDegrees(piece.slice(0, comma));
    const lat = comma < 0 ? null : parseDegrees(piece.slice(comma + 1));
    if (lon === null || lat === null) return fault('not_numbers');
    if (!isLon(lon) || !isLat(lat)) return fault('out_of_range');
    ring.push([lon, lat]);
  }
  return closedPolygon(ring);
}

/** A GeoJSON Polygon or MultiPolygon of unknown origin: bounded, in range, closed, every ring simple. */
export function parseShape(value: unknown, maxVertices: number): Parsed<Shape> {
  if (typeof value !== 'object' || value === null) return fault('not_a_shape');
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon') return fault('not_a_shape');
  const parts: unknown = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(parts) || parts.length === 0) return fault('not_a_shape');
  let left = maxVertices;
  const polygons: Ring[][] = [];
  for (const part of parts as unknown[]) {
    if (!Array.isArray(part) || part.length === 0) return fault('not_a_shape');
    const rings: Ring[] = [];
    for (const raw of part as unknown[]) {
      if (!Array.isArray(raw)) return fault('not_a_shape');
      left -= raw.length;
      if (left < 0) return fault('wrong_count');
      const ring = parseRing(raw);
      if (!ring.ok) return ring;
      rings.push(ring.value);
    }
    polygons.push(rings);
  }
  const first = polygons[0];
  if (type === 'Polygon' && first) return { ok: true, value: { type, coordinates: first } };
  return { ok: true, value: { type: 'MultiPolygon', coordinates: polygons } };
}

function parseRing(raw: unknown[]): Parsed<Ring> {
  const ring: Ring = [];
  for (const position of raw) {
    if (!Array.isArray(position)) return fault('not_a_shape');
    const [lon, lat] = position as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number') return fault('not_numbers');
    if (!isLon(lon) || !isLat(lat)) return fault('out_of_range');
    ring.push([lon, lat]);
  }
  const polygon = closedPolygon(ring);
  return polygon.ok ? { ok: true, value: polygon.value.coordinates[0] ?? [] } : polygon;
}

function closedPolygon(ring: Ring): Parsed<Polygon> {
  const first = ring[0];
  const last = ring[ring.length - 1];
  if (!first || !last) return fault('wrong_count');
  const closed: Ring = first[0] === last[0] && first[1] === last[1] ? ring : [...ring, [first[0], first[1]] satisfies Position];
  if (closed.length < 4) return fault('wrong_count');
  return isSimplePolygon(closed) ? { ok: true, value: { type: 'Polygon', coordinates: [closed] } } : fault('not_simple');
}

/** Plain decimal numbers only: no empty text, no `0x10`, no `1e999`. */
function parseDegrees(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 30 || !/^[+-]?[\d.]+(?:e[+-]?\d{1,2})?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

const isLon = (value: number): boolean => value >= -180 && value <= 180;
const isLat = (value: number): boolean => value >= -90 && value <= 90;

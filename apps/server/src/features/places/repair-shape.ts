import { polygonsOf, type Position, type Ring, type Shape } from '@nwms/domain';

/**
 * Any geometry upstream may send, made into parts that can be drawn and asked: Polygon, MultiPolygon and collections of them;
 * positions that are no numbers dropped, rings closed, repeated positions removed, rings without area dropped, parts split at
 * +-180 degrees (trap 24), outer rings counter-clockwise and holes clockwise (RFC 7946). Every part is kept (trap 19); rings that
 * cross themselves stay as they are: the point test has no gaps there. Null when nothing is left.
 */
export function repairShape(geometry: unknown): Shape | null {
  const parts = polygonsIn(geometry, 0).flatMap((rings) => splitAtAntimeridian(rings.map(cleanRing).filter((ring) => ring !== null)));
  const wound = parts.map((rings) => rings.map((ring, index) => windRing(ring, index === 0)));
  const only = wound[0];
  if (!only) return null;
  return wound.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: wound };
}

/** Collections nest three deep at most: zones of api.weather.gov use one level. */
const DEEPEST_COLLECTION = 3;

function polygonsIn(geometry: unknown, depth: number): unknown[][] {
  if (typeof geometry !== 'object' || geometry === null || depth > DEEPEST_COLLECTION) return [];
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown };
  if (type === 'GeometryCollection' && Array.isArray(geometries)) return geometries.flatMap((each) => polygonsIn(each, depth + 1));
  if (!Array.isArray(coordinates)) return [];
  if (type === 'Polygon') return [coordinates];
  return type === 'MultiPolygon' ? coordinates.filter((part) => Array.isArray(part)) : [];
}

/** Unwrapped: an edge that jumps more than 180 degrees means the short way round. */
function cleanRing(raw: unknown): Ring | null {
  if (!Array.isArray(raw)) return null;
  const ring: Ring = [];
  for (const item of raw as unknown[]) {
    if (!Array.isArray(item)) continue;
    const [lon, lat] = item as unknown[];
    if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon) || !(Math.abs(lat) <= 90) || Math.abs(lon) > 540)
      continue;
    const previous = ring[ring.length - 1];
    const x = previous ? nearTurn(lon, previous[0]) : lon;
    if (previous && previous[0] === x && previous[1] === lat) continue;
    ring.push([x, lat]);
  }
  const first = ring[0];
  const last = ring[ring.length - 1];
  if (!first || !last) return null;
  if (first[0] !== last[0] || first[1] !== last[1]) ring.push([first[0], first[1]]);
  return ring.length >= 4 && signedArea(ring) !== 0 ? ring : null;
}

function nearTurn(lon: number, previous: number): number {
  let x = lon;
  while (x - previous > 180) x -= 360;
  while (previous - x > 180) x += 360;
  return x;
}

/** Twice the area in square degrees, positive when counter-clockwise. */
export function signedArea(ring: Ring): number {
  const origin = ring[0];
  if (!origin) return 0;
  let sum = 0;
  let previous = origin;
  for (const position of ring) {
    sum += (previous[0] - origin[0]) * (position[1] - origin[1]) - (position[0] - origin[0]) * (previous[1] - origin[1]);
    previous = position;
  }
  return sum;
}

export function windRing(ring: Ring, isOuter: boolean): Ring {
  return signedArea(ring) >= 0 === isOuter ? ring : [...ring].reverse();
}

/** One polygon as one polygon per turn of the globe it reaches into, each within [-180, 180]. */
function splitAtAntimeridian(rings: Ring[]): Ring[][] {
  const outer = rings[0];
  if (!outer) return [];
  const [west, east] = lonSpan(outer);
  const middle = (west + east) / 2;
  const aligned = rings.map((ring) => shiftRing(ring, turnsTo(lonMiddle(ring), middle) * 360));
  if (west >= -180 && east <= 180) return [aligned];
  const parts: Ring[][] = [];
  for (let turn = Math.floor((west + 180) / 360); turn * 360 - 180 < east; turn += 1) {
    const cut = aligned
      .map((ring) => clipLon(ring, turn * 360 - 180, turn * 360 + 180))
      .map((ring) => ring && shiftRing(ring, -turn * 360));
    const kept = cut.filter((ring) => ring !== null);
    if (cut[0] && kept.length > 0) parts.push(kept);
  }
  return parts;
}

function lonSpan(ring: Ring): [number, number] {
  let west = Infinity;
  let east = -Infinity;
  for (const [lon] of ring) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return [west, east];
}

function lonMiddle(ring: Ring): number {
  const [west, east] = lonSpan(ring);
  return (west + east) / 2;
}

const turnsTo = (from: number, to: number): number => Math.round((to - from) / 360);

function shiftRing(ring: Ring, degrees: number): Ring {
  return degrees === 0 ? ring : ring.map(([lon, lat]): Position => [lon + degrees, lat]);
}

function clipLon(ring: Ring, west: number, east: number): Ring | null {
  const clipped = clipSide(clipSide(ring, west, 1), east, -1);
  const first = clipped[0];
  if (!first || clipped.length < 3) return null;
  const closed: Ring = [...clipped, [first[0], first[1]]];
  return signedArea(closed) === 0 ? null : closed;
}

/** Keeps what lies on one side of a meridian (Sutherland and Hodgman); answers an open ring. */
function clipSide(ring: Ring, meridian: number, side: 1 | -1): Ring {
  const kept: Ring = [];
  const isIn = ([lon]: Position): boolean => (lon - meridian) * side >= 0;
  const last = ring[ring.length - 1];
  if (!last) return kept;
  let previous = last;
  for (const position of ring) {
    if (isIn(position) !== isIn(previous)) {
      const share = (meridian - previous[0]) / (position[0] - previous[0]);
      kept.push([meridian, previous[1] + share * (position[1] - previous[1])]);
    }
    if (isIn(position)) kept.push(position);
    previous = position;
  }
  return kept;
}

/** Number of positions, closing ones included. */
export function vertexCount(shape: Shape): number {
  let count = 0;
  for (const rings of polygonsOf(shape)) for (const ring of rings) count += ring.length;
  return count;
}

import { type PreparedShape, type ShapeLike, prepared } from './prepared.ts';
import type { Bbox, Shape } from './shape.ts';
import { smallestSpan } from './span.ts';

/** Smallest box around the shape; west > east when that box crosses 180 degrees (RFC 7946 section 5.2). */
export function bboxOf(shape: ShapeLike): Bbox {
  return [...prepared(shape).bbox];
}

/** Smallest box around several; null for none. */
export function mergeBboxes(boxes: readonly Bbox[]): Bbox | null {
  if (boxes.length === 0) return null;
  const spans = boxes.map(([west, , east]): [number, number] => [west, west > east ? east + 360 : east]);
  const [west, east] = smallestSpan(spans);
  let south = Infinity;
  let north = -Infinity;
  for (const box of boxes) {
    south = Math.min(south, box[1]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

/** Touching boxes overlap; either box may cross 180 degrees. */
export function bboxesOverlap(a: Bbox, b: Bbox): boolean {
  if (a[1] > b[3] || b[1] > a[3]) return false;
  const aEast = a[0] > a[2] ? a[2] + 360 : a[2];
  const bEast = b[0] > b[2] ? b[2] + 360 : b[2];
  for (const shift of SHIFTS) if (a[0] <= bEast + shift && b[0] + shift <= aEast) return true;
  return false;
}

export function bboxContainsPoint(box: Bbox, lon: number, lat: number): boolean {
  if (lat < box[1] || lat > box[3]) return false;
  const east = box[0] > box[2] ? box[2] + 360 : box[2];
  for (const shift of SHIFTS) if (lon + shift >= box[0] && lon + shift <= east) return true;
  return false;
}

/** Is `inner` wholly inside `outer` (edges may touch)? */
export function bboxContainsBbox(outer: Bbox, inner: Bbox): boolean {
  if (inner[1] < outer[1] || inner[3] > outer[3]) return false;
  const outerEast = outer[0] > outer[2] ? outer[2] + 360 : outer[2];
  const innerEast = inner[0] > inner[2] ? inner[2] + 360 : inner[2];
  if (outerEast - outer[0] >= 360) return true;
  for (const shift of SHIFTS) if (inner[0] + shift >= outer[0] && innerEast + shift <= outerEast) return true;
  return false;
}

/** The box as one or two boxes that do not cross 180 degrees: what planar indexes can ask. */
export function planarBoxes(box: Bbox): Bbox[] {
  const [west, south, east, north] = box;
  if (west <= east) return [[west, south, east, north]];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** Planar boxes that together hold every point within `radiusKm` of the place; generous by a percent, never too small. */
export function boxesAround(lon: number, lat: number, radiusKm: number): Bbox[] {
  // 110.57 km is the shortest degree of latitude (WGS 84, at the equator).
  const reachLat = (radiusKm * 1.01) / 110.57;
  const south = Math.max(-90, lat - reachLat);
  const north = Math.min(90, lat + reachLat);
  const widestLat = Math.max(Math.abs(south), Math.abs(north));
  const reachLon = widestLat >= 89 ? 180 : reachLat / Math.cos((widestLat * Math.PI) / 180);
  if (reachLon >= 180) return [[-180, south, 180, north]];
  const west = lon - reachLon < -180 ? lon - reachLon + 360 : lon - reachLon;
  const east = lon + reachLon > 180 ? lon + reachLon - 360 : lon + reachLon;
  return planarBoxes([west, south, east, north]);
}

/** The box as a polygon. Edges are cut below 90 degrees so that no edge looks like a jump over 180. */
export function shapeOfBbox(box: Bbox): Shape {
  const [west, south, east, north] = box;
  const width = (west > east ? east + 360 : east) - west;
  const steps = Math.max(1, Math.ceil(width / 89));
  const lons = Array.from({ length: steps + 1 }, (_, step) => west + (width * step) / steps);
  const lower = lons.map((lon): [number, number] => [lon, south]);
  const upper = lons.map((lon): [number, number] => [lon, north]).reverse();
  return { type: 'Polygon', coordinates: [[...lower, ...upper, [west, south]]] };
}

const SHIFTS = [0, 360, -360] as const;

/** Part boxes of a prepared shape, planar (a box may reach past 180 when the issuer drew it so). */
export function partBoxes(shape: PreparedShape): Bbox[] {
  const boxes: Bbox[] = [];
  for (let part = 0; part < shape.partCount; part += 1) {
    const at = part * 4;
    boxes.push([shape.partBox[at] ?? 0, shape.partBox[at + 1] ?? 0, shape.partBox[at + 2] ?? 0, shape.partBox[at + 3] ?? 0]);
  }
  return boxes;
}

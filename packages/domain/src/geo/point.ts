import { type PreparedShape, type ShapeLike, prepared } from './prepared.ts';

const OUTSIDE = 0;
const INSIDE = 1;
const ON_EDGE = 2;
const TURNS = [0, 360, -360] as const;

/**
 * Is the point inside, or exactly on an edge? Non-zero winding ring by ring, so a ring that crosses itself has no gaps, and a
 * hole counts whatever its direction. Edges are straight in longitude and latitude (RFC 7946).
 */
export function pointInShape(lon: number, lat: number, shape: ShapeLike): boolean {
  const target = prepared(shape);
  if (target.isSmall) return inSmall(target, lon, lat);
  const boxes = target.partBox;
  for (let part = 0; part < target.partCount; part += 1) {
    const at = part * 4;
    if (lat < (boxes[at + 1] ?? 0) || lat > (boxes[at + 3] ?? 0)) continue;
    const west = boxes[at] ?? 0;
    const east = boxes[at + 2] ?? 0;
    if (lon >= west && lon <= east && pointInPart(target, part, lon, lat)) return true;
    // The same meridian one turn away: 180 and -180, and rings drawn past 180.
    if (lon + 360 >= west && lon + 360 <= east && pointInPart(target, part, lon + 360, lat)) return true;
    if (lon - 360 >= west && lon - 360 <= east && pointInPart(target, part, lon - 360, lat)) return true;
  }
  return false;
}

function inSmall({ planarBox, xy }: PreparedShape, lon: number, lat: number): boolean {
  if (lat < planarBox[1] || lat > planarBox[3]) return false;
  for (const turn of TURNS) {
    const x = lon + turn;
    if (x >= planarBox[0] && x <= planarBox[2] && placeInPoints(xy, x, lat) !== OUTSIDE) return true;
  }
  return false;
}

function placeInPoints(xy: Float64Array, x: number, y: number): number {
  let winding = 0;
  for (let at = 0; at + 2 < xy.length; at += 2) {
    const step = windingOfEdge(xy, at, x, y);
    if (step === ON_EDGE) return ON_EDGE;
    winding += step;
  }
  return winding === 0 ? OUTSIDE : INSIDE;
}

/** The same for one part and its holes, in the turn the part is drawn in. */
export function pointInPart(shape: PreparedShape, part: number, x: number, y: number): boolean {
  if (shape.isSmall) return placeInPoints(shape.xy, x, y) !== OUTSIDE;
  const first = shape.partRing[part] ?? 0;
  if (placeInRing(shape, first, x, y) === OUTSIDE) return false;
  for (let ring = first + 1; ring < (shape.partRing[part + 1] ?? 0); ring += 1) {
    if (placeInRing(shape, ring, x, y) === INSIDE) return false;
  }
  return true;
}

function placeInRing(shape: PreparedShape, ring: number, x: number, y: number): number {
  const { xy, blockBox, blockPoint, blockLast } = shape;
  let winding = 0;
  const end = shape.ringBlock[ring + 1] ?? 0;
  for (let block = shape.ringBlock[ring] ?? 0; block < end; block += 1) {
    const at = block * 4;
    if (y < (blockBox[at + 1] ?? 0) || y > (blockBox[at + 3] ?? 0) || x > (blockBox[at + 2] ?? 0)) continue;
    const first = blockPoint[block] ?? 0;
    const last = blockLast[block] ?? 0;
    if (x < (blockBox[at] ?? 0)) {
      // The whole block lies to the right: its crossings of the ray cancel but for its two ends.
      winding += ((xy[last * 2 + 1] ?? 0) > y ? 1 : 0) - ((xy[first * 2 + 1] ?? 0) > y ? 1 : 0);
      continue;
    }
    for (let point = first; point < last; point += 1) {
      const step = windingOfEdge(xy, point * 2, x, y);
      if (step === ON_EDGE) return ON_EDGE;
      winding += step;
    }
  }
  return winding === 0 ? OUTSIDE : INSIDE;
}

function windingOfEdge(xy: Float64Array, at: number, x: number, y: number): number {
  const y0 = xy[at + 1] ?? 0;
  const y1 = xy[at + 3] ?? 0;
  if ((y0 > y && y1 > y) || (y0 < y && y1 < y)) return 0;
  const x0 = xy[at] ?? 0;
  const x1 = xy[at + 2] ?? 0;
  const side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
  if (side === 0 && x >= Math.min(x0, x1) && x <= Math.max(x0, x1)) return ON_EDGE;
  if (y0 <= y) return y1 > y && side > 0 ? 1 : 0;
  return y1 <= y && side < 0 ? -1 : 0;
}

import { bboxOf, type Bbox, pointInShape, polygonsOf, type Position, prepareShape, type Ring, type Shape } from '@nwms/domain';
import { area } from '@turf/area';
import polylabel from 'polylabel';

/** What an answer says about a shape besides the shape itself. */
export interface ShapeMeasure {
  /** Inside the largest part (pole of inaccessibility). */
  labelPoint: Position | null;
  largestPartKm2: number;
  bbox: Bbox | null;
  areaKm2: number;
}

export function measureShape(shape: Shape | null): ShapeMeasure {
  let largest: Ring[] | null = null;
  let largestPartKm2 = 0;
  let areaKm2 = 0;
  for (const rings of shape ? polygonsOf(shape) : []) {
    const partKm2 = partAreaKm2(rings);
    areaKm2 += partKm2;
    if (!largest || partKm2 > largestPartKm2) [largest, largestPartKm2] = [rings, partKm2];
  }
  if (!shape || !largest) return { labelPoint: null, largestPartKm2: 0, bbox: null, areaKm2: 0 };
  return { labelPoint: labelPointOf(largest), largestPartKm2, bbox: bboxOf(shape), areaKm2 };
}

export function areaKm2Of(shape: Shape | null): number {
  let total = 0;
  for (const rings of shape ? polygonsOf(shape) : []) total += partAreaKm2(rings);
  return total;
}

function partAreaKm2(rings: Ring[]): number {
  return Math.abs(area({ type: 'Polygon', coordinates: rings })) / 1e6;
}

/** Share of the smaller side: finer cannot be told on a map. */
const LABEL_PRECISION = 0.03;

/** A point well inside the polygon; 5 decimals unless those fall outside. */
export function labelPointOf(rings: Ring[]): Position {
  const [west, south, east, north] = boxOf(rings[0] ?? []);
  const side = Math.min(east - west, north - south);
  const polygon = prepareShape({ type: 'Polygon', coordinates: rings });
  const pole = side > 0 ? polylabel(rings, side * LABEL_PRECISION) : null;
  const [lon = west, lat = south] = pole ?? [];
  const rounded: Position = [Math.round(lon * 1e5) / 1e5, Math.round(lat * 1e5) / 1e5];
  if (pointInShape(rounded[0], rounded[1], polygon)) return rounded;
  if (pointInShape(lon, lat, polygon)) return [lon, lat];
  return insideByScan(rings[0] ?? [], south, north) ?? rings[0]?.[0] ?? [west, south];
}

function boxOf(ring: Ring): Bbox {
  const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of ring) {
    box[0] = Math.min(box[0], lon);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lon);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}

/** Middle of the widest stretch that a parallel cuts out of the ring: for slivers and rings that cross themselves. */
function insideByScan(ring: Ring, south: number, north: number): Position | null {
  let best: Position | null = null;
  let widest = 0;
  for (const share of [0.5, 0.31, 0.69, 0.13, 0.87]) {
    const lat = south + (north - south) * share;
    const cuts: number[] = [];
    ring.forEach(([ax, ay], index) => {
      const [bx, by] = ring[index + 1] ?? [ax, ay];
      if (ay > lat !== by > lat) cuts.push(ax + ((lat - ay) / (by - ay)) * (bx - ax));
    });
    cuts.sort((a, b) => a - b);
    for (let index = 0; index + 1 < cuts.length; index += 2) {
      const width = (cuts[index + 1] ?? 0) - (cuts[index] ?? 0);
      if (width > widest) [best, widest] = [[((cuts[index] ?? 0) + (cuts[index + 1] ?? 0)) / 2, lat], width];
    }
  }
  return best;
}

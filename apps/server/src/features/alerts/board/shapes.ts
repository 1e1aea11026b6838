import { type PreparedShape, polygonsOf, prepareShape, type Shape } from '@nwms/domain';
import Flatbush from 'flatbush';
import type { Row } from './row.ts';

/** Work done once per shape object; places hands out the same object as long as the area stays the same. */
export interface ShapeCache {
  prepare(shape: Shape): PreparedShape;
  partBoxes(shape: Shape): readonly Box[];
}

export function createShapeCache(): ShapeCache {
  return { prepare: oncePer(prepareShape), partBoxes: oncePer(partBoxesOf) };
}

function oncePer<T>(make: (shape: Shape) => T): (shape: Shape) => T {
  const known = new WeakMap<Shape, T>();
  return (shape) => {
    const found = known.get(shape);
    if (found !== undefined) return found;
    const made = make(shape);
    known.set(shape, made);
    return made;
  };
}

/** Planar west, south, east, north. */
export type Box = readonly [number, number, number, number];

/** What may lie in boxes, each row once. */
export interface Near {
  /** A part of the shape lies wholly in one of the boxes: nothing more is to be asked about those. */
  inside: Row[];
  /** A part's box meets one of them. */
  others: Row[];
}

export interface SpatialIndex {
  /** `more`: rows that are asked about wherever they lie. */
  near(boxes: readonly Box[], more?: readonly Row[]): Near;
}

/** Shapes that stand over an edge by less than rounding do are not said to lie inside, degrees. */
const MARGIN = 1e-9;

/** One entry per polygon part, so that an event of far-off zones is not found in between (trap 19). */
export function createSpatialIndex(rows: readonly Row[], shapes: ShapeCache): SpatialIndex {
  const placed = rows.filter((row) => row.presented.area.shape !== null);
  const owners: number[] = [];
  const boxes: Box[] = [];
  for (const [number, { presented }] of placed.entries()) {
    for (const box of presented.area.shape ? shapes.partBoxes(presented.area.shape) : []) {
      owners.push(number);
      boxes.push(box);
    }
  }
  const index = boxes.length > 0 ? new Flatbush(boxes.length) : null;
  const packed = new Float64Array(boxes.length * 4);
  for (const [at, box] of boxes.entries()) {
    index?.add(box[0], box[1], box[2], box[3]);
    packed.set(box, at * 4);
  }
  index?.finish();
  let numbers: Map<Row, number> | undefined;
  // Which rows this question found, without a set of them: twice its number, one more where a part lies inside.
  const found = new Uint32Array(placed.length);
  let question = 0;
  const isInside = (entry: number, [west, south, east, north]: Box): boolean => {
    const at = entry * 4;
    return (
      (packed[at] ?? 0) > west + MARGIN &&
      (packed[at + 1] ?? 0) > south + MARGIN &&
      (packed[at + 2] ?? 0) < east - MARGIN &&
      (packed[at + 3] ?? 0) < north - MARGIN
    );
  };
  return {
    near(asked, more = []) {
      question = question >= 2 ** 31 - 1 ? 1 : question + 1;
      if (question === 1) found.fill(0);
      const touched = question * 2;
      const hits: number[] = [];
      for (const box of asked) {
        for (const entry of index?.search(box[0], box[1], box[2], box[3]) ?? []) {
          const number = owners[entry] ?? 0;
          if ((found[number] ?? 0) < touched) {
            found[number] = touched;
            hits.push(number);
          }
          if (isInside(entry, box)) found[number] = touched + 1;
        }
      }
      const near: Near = { inside: [], others: [] };
      for (const number of hits) {
        const row = placed[number];
        if (row) (found[number] === touched ? near.others : near.inside).push(row);
      }
      for (const row of more.length > 0 ? new Set(more) : more) {
        numbers ??= new Map(placed.map((one, at) => [one, at]));
        const number = numbers.get(row);
        if (number === undefined || (found[number] ?? 0) < touched) near.others.push(row);
      }
      return near;
    },
  };
}

/** Boxes of the outer rings, of which the exact test takes those of three points and more; one that runs past 180 degrees is entered on both sides. */
function partBoxesOf(shape: Shape): Box[] {
  return polygonsOf(shape).flatMap((rings): Box[] => {
    const box = outerBox(rings.find((ring) => ring.length >= 3) ?? []);
    if (box[0] > box[2]) return [];
    if (box[2] > 180) return [box, [box[0] - 360, box[1], box[2] - 360, box[3]]];
    if (box[0] < -180) return [box, [box[0] + 360, box[1], box[2] + 360, box[3]]];
    return [box];
  });
}

/** Unwraps like the exact test does: a jump of more than 180 degrees means the short way round. */
function outerBox(ring: readonly (readonly [number, number])[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let previous = ring[0]?.[0] ?? 0;
  for (const [lon, lat] of ring) {
    let x = lon;
    while (x - previous > 180) x -= 360;
    while (previous - x > 180) x += 360;
    previous = x;
    if (x < west) west = x;
    if (x > east) east = x;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}

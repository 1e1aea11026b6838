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

/** Rows whose shape has a part whose box meets one of the boxes. */
export interface SpatialIndex {
  near(boxes: readonly Box[]): Set<Row>;
}

/** One entry per polygon part, so that an event of far-off zones is not found in between (trap 19). */
export function createSpatialIndex(rows: readonly Row[], shapes: ShapeCache): SpatialIndex {
  const owners: Row[] = [];
  const boxes: Box[] = [];
  for (const row of rows) {
    if (!row.presented.area.shape) continue;
    for (const box of shapes.partBoxes(row.presented.area.shape)) {
      owners.push(row);
      boxes.push(box);
    }
  }
  if (boxes.length === 0) return { near: () => new Set() };
  const index = new Flatbush(boxes.length);
  for (const [west, south, east, north] of boxes) index.add(west, south, east, north);
  index.finish();
  return {
    near(asked) {
      const found = new Set<Row>();
      for (const [west, south, east, north] of asked) {
        for (const at of index.search(west, south, east, north)) {
          const owner = owners[at];
          if (owner) found.add(owner);
        }
      }
      return found;
    },
  };
}

/** Boxes of the outer rings; one that runs past 180 degrees is entered on both sides. */
function partBoxesOf(shape: Shape): Box[] {
  return polygonsOf(shape).flatMap((rings): Box[] => {
    const box = outerBox(rings[0] ?? []);
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

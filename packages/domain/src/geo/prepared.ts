import type { Bbox, Ring, Shape } from './shape.ts';
import { smallestSpan } from './span.ts';

/**
 * A shape laid out for many questions: flat coordinates, a box per part, and a box per block of consecutive edges, so that a
 * question skips almost all of a long ring. Rings are closed and unwrapped: an edge that jumps more than 180 degrees means the
 * short way round, so coordinates of a ring may run past +-180.
 */
export interface PreparedShape {
  readonly shape: Shape;
  readonly bbox: Bbox;
  /** Smallest box around all parts as drawn, which may run past +-180; west > east when there are none. */
  readonly planarBox: Bbox;
  /** x, y, x, y ... of all rings one after the other, each ring closed. */
  readonly xy: Float64Array;
  readonly partCount: number;
  /** One ring of so few edges that looking at all of them costs less than looking for the right ones. */
  readonly isSmall: boolean;
  /** First ring of each part, one more at the end. */
  readonly partRing: Int32Array;
  /** First point of each ring, one more at the end. */
  readonly ringPoint: Int32Array;
  /** +1 counter-clockwise, -1 clockwise. */
  readonly ringTurn: Int8Array;
  /** First block of each ring, one more at the end. */
  readonly ringBlock: Int32Array;
  /** First point of each block; the block's edges run to the first point of the next block, or to the end of the ring. */
  readonly blockPoint: Int32Array;
  readonly blockLast: Int32Array;
  /** west, south, east, north per part and per block. */
  readonly partBox: Float64Array;
  readonly blockBox: Float64Array;
}

export type ShapeLike = Shape | PreparedShape;

/** Edges per block: small enough to skip most of a county, large enough that boxes stay few (measured on NWS zones). */
const EDGES_PER_BLOCK = 12;

/** Reading 128 points in a row takes about as long as three memory accesses elsewhere (measured with 2,000 warnings). */
const SMALL_POINTS = 128;

export function isPrepared(shape: ShapeLike): shape is PreparedShape {
  return 'xy' in shape;
}

export function prepared(shape: ShapeLike): PreparedShape {
  return isPrepared(shape) ? shape : prepareShape(shape);
}

export function polygonsOf(shape: Shape): Ring[][] {
  return shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
}

/** Prepares any shape; rings with fewer than three points are ignored. */
export function prepareShape(shape: Shape): PreparedShape {
  const parts = polygonsOf(shape)
    .map((rings) => rings.filter((ring) => ring.length >= 3))
    .filter((rings) => rings.length > 0);
  const rings = parts.flat();
  const layout = layOutRings(rings);
  const partRing = new Int32Array(parts.length + 1);
  parts.forEach((part, index) => (partRing[index + 1] = (partRing[index] ?? 0) + part.length));
  const partBox = boxPerPart(parts.length, partRing, layout);
  const spans = parts.map((_, part): [number, number] => [partBox[part * 4] ?? 0, partBox[part * 4 + 2] ?? 0]);
  let south = Infinity;
  let north = -Infinity;
  let drawnWest = Infinity;
  let drawnEast = -Infinity;
  for (let part = 0; part < parts.length; part += 1) {
    drawnWest = Math.min(drawnWest, partBox[part * 4] ?? 0);
    drawnEast = Math.max(drawnEast, partBox[part * 4 + 2] ?? 0);
    south = Math.min(south, partBox[part * 4 + 1] ?? 0);
    north = Math.max(north, partBox[part * 4 + 3] ?? 0);
  }
  const [west, east] = parts.length > 0 ? smallestSpan(spans) : [0, 0];
  const bbox: Bbox = parts.length > 0 ? [west, south, east, north] : [0, 0, 0, 0];
  const planarBox: Bbox = [drawnWest, south, drawnEast, north];
  const isSmall = rings.length === 1 && layout.xy.length <= SMALL_POINTS * 2;
  return { shape, bbox, planarBox, isSmall, partCount: parts.length, partRing, partBox, ...layout };
}

type Layout = Omit<PreparedShape, 'shape' | 'bbox' | 'planarBox' | 'isSmall' | 'partCount' | 'partRing' | 'partBox'>;

function layOutRings(rings: readonly Ring[]): Layout {
  const ringPoint = new Int32Array(rings.length + 1);
  rings.forEach((ring, index) => (ringPoint[index + 1] = (ringPoint[index] ?? 0) + ring.length + (isClosed(ring) ? 0 : 1)));
  const xy = new Float64Array((ringPoint[rings.length] ?? 0) * 2);
  const ringTurn = new Int8Array(rings.length);
  rings.forEach((ring, index) => (ringTurn[index] = writeRing(ring, xy, ringPoint[index] ?? 0, ringPoint[index + 1] ?? 0)));
  return { xy, ringPoint, ringTurn, ...cutBlocks(xy, ringPoint) };
}

function isClosed(ring: Ring): boolean {
  const first = ring[0];
  const last = ring[ring.length - 1];
  return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
}

/** Writes the ring closed and unwrapped; answers its turn. */
function writeRing(ring: Ring, xy: Float64Array, from: number, to: number): 1 | -1 {
  let previous = ring[0]?.[0] ?? 0;
  let doubleArea = 0;
  for (let index = 0; index < to - from; index += 1) {
    const position = ring[index] ?? ring[0] ?? [0, 0];
    let x = position[0];
    while (x - previous > 180) x -= 360;
    while (previous - x > 180) x += 360;
    const at = (from + index) * 2;
    xy[at] = x;
    xy[at + 1] = position[1];
    if (index > 0) doubleArea += (xy[at - 2] ?? 0) * position[1] - x * (xy[at - 1] ?? 0);
    previous = x;
  }
  return doubleArea >= 0 ? 1 : -1;
}

function cutBlocks(xy: Float64Array, ringPoint: Int32Array): Pick<Layout, 'ringBlock' | 'blockPoint' | 'blockLast' | 'blockBox'> {
  const ringCount = ringPoint.length - 1;
  const ringBlock = new Int32Array(ringCount + 1);
  for (let ring = 0; ring < ringCount; ring += 1) {
    const edges = (ringPoint[ring + 1] ?? 0) - (ringPoint[ring] ?? 0) - 1;
    ringBlock[ring + 1] = (ringBlock[ring] ?? 0) + Math.ceil(edges / EDGES_PER_BLOCK);
  }
  const blockCount = ringBlock[ringCount] ?? 0;
  const blockPoint = new Int32Array(blockCount);
  const blockLast = new Int32Array(blockCount);
  const blockBox = new Float64Array(blockCount * 4);
  for (let ring = 0; ring < ringCount; ring += 1) {
    const lastOfRing = (ringPoint[ring + 1] ?? 0) - 1;
    for (let block = ringBlock[ring] ?? 0; block < (ringBlock[ring + 1] ?? 0); block += 1) {
      const first = (ringPoint[ring] ?? 0) + (block - (ringBlock[ring] ?? 0)) * EDGES_PER_BLOCK;
      const last = Math.min(first + EDGES_PER_BLOCK, lastOfRing);
      blockPoint[block] = first;
      blockLast[block] = last;
      writeBox(xy, first, last, blockBox, block * 4);
    }
  }
  return { ringBlock, blockPoint, blockLast, blockBox };
}

function writeBox(xy: Float64Array, first: number, last: number, boxes: Float64Array, at: number): void {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let point = first; point <= last; point += 1) {
    const x = xy[point * 2] ?? 0;
    const y = xy[point * 2 + 1] ?? 0;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  boxes[at] = west;
  boxes[at + 1] = south;
  boxes[at + 2] = east;
  boxes[at + 3] = north;
}

/** A part's box is its outer ring's box. */
function boxPerPart(partCount: number, partRing: Int32Array, layout: Layout): Float64Array {
  const boxes = new Float64Array(partCount * 4);
  for (let part = 0; part < partCount; part += 1) {
    const ring = partRing[part] ?? 0;
    writeBox(layout.xy, layout.ringPoint[ring] ?? 0, (layout.ringPoint[ring + 1] ?? 1) - 1, boxes, part * 4);
  }
  return boxes;
}

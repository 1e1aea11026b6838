import { pointInPart, pointInShape } from './point.ts';
import type { PreparedShape } from './prepared.ts';
import { meetingOf } from './segments.ts';
import type { Bbox } from './shape.ts';

const TURNS = [0, 360, -360] as const;

/**
 * Do a box and a shape share a point? The answer of `shapeRelation(shapeOfBbox(box), shape) !== null` without making a polygon of the
 * box: a corner of the shape inside settles it, and a box that meets no edge lies wholly in or out.
 */
export function bboxTouchesShape(box: Bbox, shape: PreparedShape): boolean {
  const [west, south, , north] = box;
  const east = west > box[2] ? box[2] + 360 : box[2];
  if (shape.planarBox[1] > north || shape.planarBox[3] < south) return false;
  if (shape.isSmall) return smallTouchesBox(shape, west, south, east, north);
  const boxes = shape.partBox;
  for (let part = 0; part < shape.partCount; part += 1) {
    const at = part * 4;
    if ((boxes[at + 1] ?? 0) > north || (boxes[at + 3] ?? 0) < south) continue;
    for (const turn of TURNS) {
      if ((boxes[at] ?? 0) > east + turn || (boxes[at + 2] ?? 0) < west + turn) continue;
      if (partTouchesBox(shape, part, west + turn, south, east + turn, north)) return true;
    }
  }
  return false;
}

function smallTouchesBox(shape: PreparedShape, west: number, south: number, east: number, north: number): boolean {
  const { planarBox, xy } = shape;
  for (const turn of TURNS) {
    if (planarBox[0] > east + turn || planarBox[2] < west + turn) continue;
    if (edgesTouchBox(xy, 0, (xy.length >> 1) - 1, west + turn, south, east + turn, north)) return true;
    if (pointInPart(shape, 0, west + turn, south)) return true;
  }
  return false;
}

function partTouchesBox(shape: PreparedShape, part: number, west: number, south: number, east: number, north: number): boolean {
  const { blockBox, blockPoint, blockLast } = shape;
  const end = shape.ringBlock[shape.partRing[part + 1] ?? 0] ?? 0;
  for (let block = shape.ringBlock[shape.partRing[part] ?? 0] ?? 0; block < end; block += 1) {
    const at = block * 4;
    const blockWest = blockBox[at] ?? 0;
    const blockSouth = blockBox[at + 1] ?? 0;
    const blockEast = blockBox[at + 2] ?? 0;
    const blockNorth = blockBox[at + 3] ?? 0;
    if (blockWest > east || blockEast < west || blockSouth > north || blockNorth < south) continue;
    if (blockWest >= west && blockEast <= east && blockSouth >= south && blockNorth <= north) return true;
    if (edgesTouchBox(shape.xy, blockPoint[block] ?? 0, blockLast[block] ?? 0, west, south, east, north)) return true;
  }
  return pointInPart(shape, part, west, south);
}

function edgesTouchBox(xy: Float64Array, first: number, last: number, west: number, south: number, east: number, north: number): boolean {
  for (let at = first * 2; at < last * 2; at += 2) {
    const ax = xy[at] ?? 0;
    const ay = xy[at + 1] ?? 0;
    if (ax >= west && ax <= east && ay >= south && ay <= north) return true;
    const bx = xy[at + 2] ?? 0;
    const by = xy[at + 3] ?? 0;
    if ((ax < west && bx < west) || (ax > east && bx > east) || (ay < south && by < south) || (ay > north && by > north)) continue;
    if (bx >= west && bx <= east && by >= south && by <= north) return true;
    // Both ends outside: the edge meets the box unless all four corners lie on one side of it.
    const dx = bx - ax;
    const dy = by - ay;
    const southWest = dx * (south - ay) - (west - ax) * dy;
    const southEast = dx * (south - ay) - (east - ax) * dy;
    const northEast = dx * (north - ay) - (east - ax) * dy;
    const northWest = dx * (north - ay) - (west - ax) * dy;
    const isLeft = southWest > 0 && southEast > 0 && northEast > 0 && northWest > 0;
    const isRight = southWest < 0 && southEast < 0 && northEast < 0 && northWest < 0;
    if (!isLeft && !isRight) return true;
  }
  return false;
}

/** Does a shape share a point with the area this was made for? */
export type TouchTest = (shape: PreparedShape) => boolean;

/**
 * Makes `shapeRelation(area, shape) !== null` cheap for many shapes: a small grid over the area tells which of its edges an edge of
 * the shape can meet at all, and for most that is none.
 */
export function createTouchTest(area: PreparedShape): TouchTest {
  const box = area.planarBox;
  const grid = gridOf(area);
  return (shape) => {
    if (box[1] > shape.planarBox[3] || shape.planarBox[1] > box[3]) return false;
    for (const turn of TURNS) {
      if (box[0] > shape.planarBox[2] + turn || shape.planarBox[0] + turn > box[2]) continue;
      if (
        isRingIn(shape, 0, area) ||
        edgesMeet(grid, shape, turn) ||
        (!shape.isSmall && isAnyRingIn(shape, 1, area)) ||
        isAnyRingIn(area, 0, shape)
      )
        return true;
    }
    return false;
  };
}

/** Where no edges meet, one point of a ring tells for all of it. */
function isRingIn(inner: PreparedShape, ring: number, outer: PreparedShape): boolean {
  const at = ring === 0 ? 0 : (inner.ringPoint[ring] ?? 0) * 2;
  return pointInShape(inner.xy[at] ?? 0, inner.xy[at + 1] ?? 0, outer);
}

function isAnyRingIn(inner: PreparedShape, first: number, outer: PreparedShape): boolean {
  for (let ring = first; ring + 1 < inner.ringPoint.length; ring += 1) if (isRingIn(inner, ring, outer)) return true;
  return false;
}

/** Rows and columns of the grid. */
const CELLS = 16;
/** One bit of a mask per group of edges. */
const GROUPS = 32;

/** For each row and column of the area's box the groups of edges that reach into it. */
interface EdgeGrid {
  area: PreparedShape;
  /** Where in `xy` each edge begins. */
  edges: Int32Array;
  edgesPerGroup: number;
  rowMask: Int32Array;
  columnMask: Int32Array;
  rowsPerDegree: number;
  columnsPerDegree: number;
}

function gridOf(area: PreparedShape): EdgeGrid {
  const { xy, planarBox, blockPoint, blockLast } = area;
  const edges = new Int32Array(xy.length >> 1);
  let count = 0;
  for (let block = 0; block < blockPoint.length; block += 1) {
    for (let point = blockPoint[block] ?? 0; point < (blockLast[block] ?? 0); point += 1) edges[count++] = point * 2;
  }
  const width = planarBox[2] - planarBox[0];
  const height = planarBox[3] - planarBox[1];
  const grid: EdgeGrid = {
    area,
    edges: edges.subarray(0, count),
    edgesPerGroup: Math.max(1, Math.ceil(count / GROUPS)),
    rowMask: new Int32Array(CELLS),
    columnMask: new Int32Array(CELLS),
    rowsPerDegree: height > 0 ? CELLS / height : 0,
    columnsPerDegree: width > 0 ? CELLS / width : 0,
  };
  for (let edge = 0; edge < count; edge += 1) {
    const at = edges[edge] ?? 0;
    const bit = 1 << Math.floor(edge / grid.edgesPerGroup);
    mark(
      grid.columnMask,
      bit,
      cellOf(((xy[at] ?? 0) - planarBox[0]) * grid.columnsPerDegree),
      cellOf(((xy[at + 2] ?? 0) - planarBox[0]) * grid.columnsPerDegree),
    );
    mark(
      grid.rowMask,
      bit,
      cellOf(((xy[at + 1] ?? 0) - planarBox[1]) * grid.rowsPerDegree),
      cellOf(((xy[at + 3] ?? 0) - planarBox[1]) * grid.rowsPerDegree),
    );
  }
  return grid;
}

/** Never falls as the place grows, so what overlaps shares a cell whatever the rounding. */
function cellOf(place: number): number {
  return place <= 0 ? 0 : place >= CELLS - 1 ? CELLS - 1 : place | 0;
}

function mark(masks: Int32Array, bit: number, from: number, to: number): void {
  for (let cell = Math.min(from, to); cell <= Math.max(from, to); cell += 1) masks[cell] = (masks[cell] ?? 0) | bit;
}

function masksBetween(masks: Int32Array, from: number, to: number): number {
  if (from === to) return masks[from] ?? 0;
  let mask = 0;
  for (let cell = from < to ? from : to; cell <= (from < to ? to : from); cell += 1) mask |= masks[cell] ?? 0;
  return mask;
}

function edgesMeet(grid: EdgeGrid, shape: PreparedShape, turn: number): boolean {
  if (shape.isSmall) return blockMeets(grid, shape.xy, 0, (shape.xy.length >> 1) - 1, turn);
  const { partBox, blockBox } = shape;
  const [west, south, east, north] = grid.area.planarBox;
  for (let part = 0; part < shape.partCount; part += 1) {
    if (isApart(partBox, part * 4, west - turn, south, east - turn, north)) continue;
    const end = shape.ringBlock[shape.partRing[part + 1] ?? 0] ?? 0;
    for (let block = shape.ringBlock[shape.partRing[part] ?? 0] ?? 0; block < end; block += 1) {
      if (isApart(blockBox, block * 4, west - turn, south, east - turn, north)) continue;
      if (blockMeets(grid, shape.xy, shape.blockPoint[block] ?? 0, shape.blockLast[block] ?? 0, turn)) return true;
    }
  }
  return false;
}

function isApart(boxes: Float64Array, at: number, west: number, south: number, east: number, north: number): boolean {
  return (boxes[at] ?? 0) > east || (boxes[at + 2] ?? 0) < west || (boxes[at + 1] ?? 0) > north || (boxes[at + 3] ?? 0) < south;
}

function blockMeets(grid: EdgeGrid, xy: Float64Array, first: number, last: number, turn: number): boolean {
  const { rowMask, columnMask, rowsPerDegree, columnsPerDegree } = grid;
  const [west, south, east, north] = grid.area.planarBox;
  for (let at = first * 2; at < last * 2; at += 2) {
    const ax = (xy[at] ?? 0) + turn;
    const ay = xy[at + 1] ?? 0;
    const bx = (xy[at + 2] ?? 0) + turn;
    const by = xy[at + 3] ?? 0;
    if ((ax < west && bx < west) || (ax > east && bx > east) || (ay < south && by < south) || (ay > north && by > north)) continue;
    const rows = masksBetween(rowMask, cellOf((ay - south) * rowsPerDegree), cellOf((by - south) * rowsPerDegree));
    if (rows === 0) continue;
    const mask = rows & masksBetween(columnMask, cellOf((ax - west) * columnsPerDegree), cellOf((bx - west) * columnsPerDegree));
    if (mask !== 0 && edgeMeetsGroups(grid, mask, ax, ay, bx, by)) return true;
  }
  return false;
}

function edgeMeetsGroups({ area, edges, edgesPerGroup }: EdgeGrid, mask: number, cx: number, cy: number, dx: number, dy: number): boolean {
  const { xy } = area;
  for (let left = mask; left !== 0; left &= left - 1) {
    const first = (31 - Math.clz32(left & -left)) * edgesPerGroup;
    const last = Math.min(first + edgesPerGroup, edges.length);
    for (let edge = first; edge < last; edge += 1) {
      const at = edges[edge] ?? 0;
      if (meetingOf(xy[at] ?? 0, xy[at + 1] ?? 0, xy[at + 2] ?? 0, xy[at + 3] ?? 0, cx, cy, dx, dy) !== 'none') return true;
    }
  }
  return false;
}

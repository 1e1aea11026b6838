import { bboxContainsBbox, bboxesOverlap } from './box.ts';
import { overlapOf } from './overlap.ts';
import { pointInShape } from './point.ts';
import { type PreparedShape, type ShapeLike, prepared } from './prepared.ts';
import { type Meeting, meetingOf } from './segments.ts';

/** How an alert's shape lies to the asked area. contains = the alert covers the whole area; within = it lies wholly inside it. */
export type Relation = 'contains' | 'within' | 'intersects';

/**
 * Relation of an alert to an asked area, null when they do not even touch. Common edges count as covered (equal shapes:
 * contains). An alert made of neighbouring zones covers an area across their common edges.
 */
export function shapeRelation(area: ShapeLike, alert: ShapeLike): Relation | null {
  const a = prepared(area);
  const b = prepared(alert);
  if (a.partCount === 0 || b.partCount === 0 || !bboxesOverlap(a.bbox, b.bbox)) return null;
  const meeting = meetingOfEdges(a, b);
  if (meeting === 'none') return relationOfApart(a, b);
  // Parts may share edges with each other (zones of one alert): only then can an edge cross and the whole still be covered.
  if (meeting === 'cross' && !(b.partCount > 1 && allPointsIn(a, b)) && !(a.partCount > 1 && allPointsIn(b, a))) return 'intersects';
  const overlap = overlapOf(a, b);
  if (overlap.both >= overlap.a * FULL) return 'contains';
  if (overlap.both >= overlap.b * FULL) return 'within';
  return 'intersects';
}

/** Share from which a shape counts as wholly covered: leaves room for rounding of sums over some thousand edges. */
const FULL = 1 - 1e-9;

/** No edge meets another: every ring lies wholly in or wholly out. */
function relationOfApart(a: PreparedShape, b: PreparedShape): Relation | null {
  const fitsA = bboxContainsBbox(a.bbox, b.bbox);
  const fitsB = bboxContainsBbox(b.bbox, a.bbox);
  const inA = ringsIn(b, a);
  const inB = ringsIn(a, b);
  if (fitsA && inA.allParts && !inB.anyHole) return 'within';
  if (fitsB && inB.allParts && !inA.anyHole) return 'contains';
  return inA.any || inB.any ? 'intersects' : null;
}

function ringsIn(inner: PreparedShape, outer: PreparedShape): { any: boolean; allParts: boolean; anyHole: boolean } {
  let any = false;
  let allParts = true;
  let anyHole = false;
  for (let part = 0; part < inner.partCount; part += 1) {
    const first = inner.partRing[part] ?? 0;
    for (let ring = first; ring < (inner.partRing[part + 1] ?? 0); ring += 1) {
      const at = (inner.ringPoint[ring] ?? 0) * 2;
      const inside = pointInShape(inner.xy[at] ?? 0, inner.xy[at + 1] ?? 0, outer);
      if (inside) any = true;
      if (ring === first && !inside) allParts = false;
      if (ring !== first && inside) anyHole = true;
    }
  }
  return { any, allParts, anyHole };
}

function allPointsIn(inner: PreparedShape, outer: PreparedShape): boolean {
  for (let at = 0; at < inner.xy.length; at += 2) {
    if (!pointInShape(inner.xy[at] ?? 0, inner.xy[at + 1] ?? 0, outer)) return false;
  }
  return true;
}

/** Strongest meeting of any two edges; b is tried one turn to either side as well. */
function meetingOfEdges(a: PreparedShape, b: PreparedShape): Meeting {
  let strongest: Meeting = 'none';
  for (const turn of [0, 360, -360]) {
    const blocksOfA = blocksNear(a, planarBox(b, turn));
    if (blocksOfA.length === 0) continue;
    const blocksOfB = blocksNear(b, planarBox(a, -turn));
    for (const blockA of blocksOfA) {
      for (const blockB of blocksOfB) {
        if (!boxesMeet(a.blockBox, blockA * 4, b.blockBox, blockB * 4, turn)) continue;
        const meeting = meetingOfBlocks(a, blockA, b, blockB, turn);
        if (meeting === 'cross') return 'cross';
        if (meeting === 'touch') strongest = 'touch';
      }
    }
  }
  return strongest;
}

function planarBox(shape: PreparedShape, turn: number): [number, number, number, number] {
  let west = Infinity;
  let east = -Infinity;
  for (let at = 0; at < shape.partBox.length; at += 4) {
    west = Math.min(west, shape.partBox[at] ?? 0);
    east = Math.max(east, shape.partBox[at + 2] ?? 0);
  }
  return [west + turn, shape.bbox[1], east + turn, shape.bbox[3]];
}

function blocksNear(shape: PreparedShape, [west, south, east, north]: readonly [number, number, number, number]): number[] {
  const near: number[] = [];
  const boxes = shape.blockBox;
  for (let block = 0; block < shape.blockPoint.length; block += 1) {
    const at = block * 4;
    if ((boxes[at] ?? 0) > east || (boxes[at + 2] ?? 0) < west || (boxes[at + 1] ?? 0) > north || (boxes[at + 3] ?? 0) < south) continue;
    near.push(block);
  }
  return near;
}

function boxesMeet(a: Float64Array, atA: number, b: Float64Array, atB: number, turn: number): boolean {
  return (
    (a[atA] ?? 0) <= (b[atB + 2] ?? 0) + turn &&
    (b[atB] ?? 0) + turn <= (a[atA + 2] ?? 0) &&
    (a[atA + 1] ?? 0) <= (b[atB + 3] ?? 0) &&
    (b[atB + 1] ?? 0) <= (a[atA + 3] ?? 0)
  );
}

function meetingOfBlocks(a: PreparedShape, blockA: number, b: PreparedShape, blockB: number, turn: number): Meeting {
  let strongest: Meeting = 'none';
  const p = a.xy;
  const q = b.xy;
  const lastA = (a.blockLast[blockA] ?? 0) * 2;
  const lastB = (b.blockLast[blockB] ?? 0) * 2;
  for (let i = (a.blockPoint[blockA] ?? 0) * 2; i < lastA; i += 2) {
    const ax = (p[i] ?? 0) - turn;
    const bx = (p[i + 2] ?? 0) - turn;
    const ay = p[i + 1] ?? 0;
    const by = p[i + 3] ?? 0;
    for (let j = (b.blockPoint[blockB] ?? 0) * 2; j < lastB; j += 2) {
      const meeting = meetingOf(ax, ay, bx, by, q[j] ?? 0, q[j + 1] ?? 0, q[j + 2] ?? 0, q[j + 3] ?? 0);
      if (meeting === 'cross') return 'cross';
      if (meeting === 'touch') strongest = 'touch';
    }
  }
  return strongest;
}

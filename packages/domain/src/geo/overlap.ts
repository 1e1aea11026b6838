import { type PreparedShape, type ShapeLike, prepared } from './prepared.ts';

/**
 * Area of the overlap of two shapes by slabs: between neighbouring corner latitudes no edge begins or ends, so each slab is a row
 * of trapezoids. It asks nothing of the shapes (parts may share edges or overlap, rings may touch), which is why it is used
 * instead of a polygon clipping library: those fail on the very shapes that zones have.
 */
export interface Overlap {
  /** Square kilometres on the mean sphere: of each shape (parts added up) and of what both cover. Meant for ratios. */
  a: number;
  b: number;
  both: number;
}

/** Share of the alert's area that lies in the asked area, 0 to 1. */
export function overlapShare(area: ShapeLike, alert: ShapeLike): number {
  const { b, both } = overlapOf(area, alert);
  return b === 0 ? 0 : Math.min(1, both / b);
}

export function overlapOf(first: ShapeLike, second: ShapeLike): Overlap {
  const a = prepared(first);
  const b = prepared(second);
  let both = 0;
  for (const turn of [0, 360, -360]) both += commonArea(a, b, turn);
  return { a: areaOf(a) * SQUARE_KM, b: areaOf(b) * SQUARE_KM, both: both * SQUARE_KM };
}

const RADIANS = Math.PI / 180;
/** Square kilometres of one square degree at the equator of the mean sphere (6371.0088 km, IUGG). */
const SQUARE_KM = (RADIANS * 6371.0088) ** 2;

/** Integral of width x cos(latitude) over a slab whose width runs linearly from `low` to `high` (Simpson's rule). */
function slabArea(low: number, high: number, south: number, north: number): number {
  const middle = (south + north) / 2;
  const sum = low * Math.cos(south * RADIANS) + 2 * (low + high) * Math.cos(middle * RADIANS) + high * Math.cos(north * RADIANS);
  return ((north - south) * sum) / 6;
}

function areaOf(shape: PreparedShape): number {
  let total = 0;
  for (let part = 0; part < shape.partCount; part += 1) {
    const first = shape.partRing[part] ?? 0;
    for (let ring = first; ring < (shape.partRing[part + 1] ?? 0); ring += 1) {
      let area = 0;
      const last = (shape.ringPoint[ring + 1] ?? 1) - 1;
      for (let point = shape.ringPoint[ring] ?? 0; point < last; point += 1) {
        const at = point * 2;
        area += slabArea(shape.xy[at] ?? 0, shape.xy[at + 2] ?? 0, shape.xy[at + 1] ?? 0, shape.xy[at + 3] ?? 0);
      }
      total += ring === first ? Math.abs(area) : -Math.abs(area);
    }
  }
  return total;
}

interface Edge {
  south: number;
  north: number;
  xSouth: number;
  /** Degrees of longitude per degree of latitude. */
  slope: number;
  /** What passing it eastwards adds to the depth of its shape. */
  step: 1 | -1;
  ofA: boolean;
}

type Window = [west: number, south: number, east: number, north: number];

function commonArea(a: PreparedShape, b: PreparedShape, turn: number): number {
  const boxA = windowOf(a, 0);
  const boxB = windowOf(b, turn);
  const window: Window = [Math.max(boxA[0], boxB[0]), Math.max(boxA[1], boxB[1]), Math.min(boxA[2], boxB[2]), Math.min(boxA[3], boxB[3])];
  if (window[0] >= window[2] || window[1] >= window[3]) return 0;
  const edges = [...edgesIn(a, 0, true, window), ...edgesIn(b, turn, false, window)].sort((x, y) => x.south - y.south);
  const levels = levelsOf(edges, window);
  let total = 0;
  let next = 0;
  let active: Edge[] = [];
  for (let level = 0; level + 1 < levels.length; level += 1) {
    const south = levels[level] ?? 0;
    const north = levels[level + 1] ?? 0;
    active = active.filter((edge) => edge.north > south);
    for (let edge = edges[next]; edge && edge.south <= south; edge = edges[next]) {
      if (edge.north > south) active.push(edge);
      next += 1;
    }
    total += areaOfSlab(active, south, north);
  }
  return total;
}

function windowOf(shape: PreparedShape, turn: number): Window {
  let west = Infinity;
  let east = -Infinity;
  for (let at = 0; at < shape.partBox.length; at += 4) {
    west = Math.min(west, shape.partBox[at] ?? 0);
    east = Math.max(east, shape.partBox[at + 2] ?? 0);
  }
  return [west + turn, shape.bbox[1], east + turn, shape.bbox[3]];
}

/** Edges that can matter in the window: not level, not above or below it, not east of it. */
function edgesIn(shape: PreparedShape, turn: number, ofA: boolean, window: Window): Edge[] {
  const edges: Edge[] = [];
  const { xy, blockBox } = shape;
  for (let part = 0; part < shape.partCount; part += 1) {
    const first = shape.partRing[part] ?? 0;
    for (let ring = first; ring < (shape.partRing[part + 1] ?? 0); ring += 1) {
      const sign = (shape.ringTurn[ring] ?? 1) * (ring === first ? 1 : -1);
      for (let block = shape.ringBlock[ring] ?? 0; block < (shape.ringBlock[ring + 1] ?? 0); block += 1) {
        const box = block * 4;
        if ((blockBox[box] ?? 0) + turn > window[2] || (blockBox[box + 1] ?? 0) > window[3] || (blockBox[box + 3] ?? 0) < window[1])
          continue;
        for (let at = (shape.blockPoint[block] ?? 0) * 2; at < (shape.blockLast[block] ?? 0) * 2; at += 2) {
          const y0 = xy[at + 1] ?? 0;
          const y1 = xy[at + 3] ?? 0;
          if (y0 === y1 || Math.max(y0, y1) <= window[1] || Math.min(y0, y1) >= window[3]) continue;
          const x0 = (xy[at] ?? 0) + turn;
          const x1 = (xy[at + 2] ?? 0) + turn;
          // A counter-clockwise ring is entered, going east, through an edge that runs south.
          const step = (y1 < y0 ? 1 : -1) * sign > 0 ? 1 : -1;
          const slope = (x1 - x0) / (y1 - y0);
          edges.push(
            y0 < y1 ? { south: y0, north: y1, xSouth: x0, slope, step, ofA } : { south: y1, north: y0, xSouth: x1, slope, step, ofA },
          );
        }
      }
    }
  }
  return edges;
}

function levelsOf(edges: readonly Edge[], window: Window): number[] {
  const levels = new Set([window[1], window[3]]);
  for (const edge of edges) {
    if (edge.south > window[1] && edge.south < window[3]) levels.add(edge.south);
    if (edge.north > window[1] && edge.north < window[3]) levels.add(edge.north);
  }
  return [...levels].sort((a, b) => a - b);
}

function xAt(edge: Edge, lat: number): number {
  return edge.xSouth + (lat - edge.south) * edge.slope;
}

/** Edges that cross inside the slab cut it into slabs without crossings. */
function areaOfSlab(edges: Edge[], south: number, north: number): number {
  const cuts = sortAcross(edges, south, north) ? [] : crossingsIn(edges, south, north);
  let area = 0;
  let from = south;
  for (const to of [...cuts, north]) {
    if (cuts.length > 0) sortAcross(edges, from, to);
    area += areaBetween(edges, from, to);
    from = to;
  }
  return area;
}

/** Sorts west to east at the middle; true when that order holds over the whole slab. */
function sortAcross(edges: Edge[], south: number, north: number): boolean {
  const middle = (south + north) / 2;
  edges.sort((a, b) => xAt(a, middle) - xAt(b, middle));
  for (let index = 1; index < edges.length; index += 1) {
    const left = edges[index - 1];
    const right = edges[index];
    if (left && right && crosses(left, right, south, north)) return false;
  }
  return true;
}

/** Below 1e-11 degree (a micrometre) it is rounding, not a crossing. */
function crosses(left: Edge, right: Edge, south: number, north: number): boolean {
  return xAt(right, south) - xAt(left, south) < -1e-11 || xAt(right, north) - xAt(left, north) < -1e-11;
}

/** Latitudes of all crossings; `edges` sorted at the middle. */
function crossingsIn(edges: readonly Edge[], south: number, north: number): number[] {
  const cuts: number[] = [];
  edges.forEach((left, index) => {
    for (const right of edges.slice(index + 1)) {
      if (!crosses(left, right, south, north)) continue;
      const cut = south + (xAt(right, south) - xAt(left, south)) / (left.slope - right.slope);
      if (cut > south && cut < north) cuts.push(cut);
    }
  });
  return cuts.sort((a, b) => a - b);
}

function areaBetween(edges: readonly Edge[], south: number, north: number): number {
  let area = 0;
  let depthA = 0;
  let depthB = 0;
  let from: Edge | null = null;
  for (const edge of edges) {
    if (edge.ofA) depthA += edge.step;
    else depthB += edge.step;
    const covered = depthA > 0 && depthB > 0;
    if (covered && !from) from = edge;
    if (!covered && from) {
      area += slabArea(Math.max(0, xAt(edge, south) - xAt(from, south)), Math.max(0, xAt(edge, north) - xAt(from, north)), south, north);
      from = null;
    }
  }
  return area;
}

import { polygonsOf, type Position, type Ring, type Shape } from '@nwms/domain';
import { signedArea, windRing } from './repair-shape.ts';

/**
 * Simplified copy within `toleranceDegrees`, 5 decimals. Neighbouring zones share edges but begin their rings elsewhere, so a plain
 * Douglas-Peucker would open gaps between them: here one position in about 32, chosen by its own coordinates, always stays, and
 * only the stretches between such positions are thinned. The same stretch then thins alike in both zones. No part is dropped,
 * however small: an islet keeps at least a triangle.
 */
export function simplifyShape(shape: Shape, toleranceDegrees: number): Ring[][] {
  return polygonsOf(shape)
    .map((rings) => rings.map((ring, index) => simplifyRing(ring, toleranceDegrees, index === 0)).filter((ring) => ring !== null))
    .filter((rings) => rings.length > 0);
}

const ANCHOR_SHARE = 32;

/** Small parts are thinned less, as a share of their size: an atoll must not lose half its area to a tolerance of half a kilometre. */
const SMALL_PART_SHARE = 0.03;

export function simplifyRing(ring: Ring, toleranceDegrees: number, isOuter: boolean): Ring | null {
  const start = Math.min(toleranceDegrees, Math.sqrt(Math.abs(signedArea(ring)) / 2) * SMALL_PART_SHARE);
  for (let tolerance = start; tolerance > start / 300; tolerance /= 4) {
    const thinned = tidy(thin(ring, tolerance));
    if (thinned) return windRing(thinned, isOuter);
  }
  const whole = tidy(ring);
  return whole && windRing(whole, isOuter);
}

/** 5 decimals (a metre), no repeats, closed; null when nothing with an area is left. */
function tidy(ring: Ring): Ring | null {
  const rounded: Ring = [];
  for (const position of ring) {
    const lon = roundDegrees(position[0]);
    const lat = roundDegrees(position[1]);
    const previous = rounded[rounded.length - 1];
    if (!previous || previous[0] !== lon || previous[1] !== lat) rounded.push([lon, lat]);
  }
  return rounded.length >= 4 && signedArea(rounded) !== 0 ? rounded : null;
}

export function roundDegrees(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

function thin(ring: Ring, tolerance: number): Ring {
  const open = ring.slice(0, -1);
  const anchors = anchorsOf(open);
  const first = anchors[0] ?? 0;
  const turned = [...open.slice(first), ...open.slice(0, first + 1)];
  const keep = new Uint8Array(turned.length);
  const stops = [...anchors.map((anchor) => anchor - first), turned.length - 1];
  for (let index = 1; index < stops.length; index += 1) keepBetween(turned, stops[index - 1] ?? 0, stops[index] ?? 0, tolerance, keep);
  return turned.filter((_, index) => keep[index] === 1);
}

/** Indices that stay in any ring they are part of; at least two, else chosen by place: the westernmost and the one farthest from it. */
function anchorsOf(open: Ring): number[] {
  const anchors: number[] = [];
  open.forEach((position, index) => {
    if (isAnchor(position)) anchors.push(index);
  });
  if (anchors.length >= 2) return anchors;
  let west = 0;
  open.forEach((position, index) => {
    const best = open[west];
    if (best && isBefore(position, best)) west = index;
  });
  const from = open[anchors[0] ?? west] ?? [0, 0];
  let far = 0;
  let farthest = -1;
  open.forEach((position, index) => {
    const distance = (position[0] - from[0]) ** 2 + (position[1] - from[1]) ** 2;
    if (distance > farthest) [far, farthest] = [index, distance];
  });
  return [anchors[0] ?? west, far].sort((a, b) => a - b);
}

function isBefore(a: Position, b: Position): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

/** A hash of the coordinates in metres-sized steps; the two factors are large primes, as in spatial hashing. */
function isAnchor(position: Position): boolean {
  const x = Math.imul(Math.round(position[0] * 1e5), 73_856_093);
  const y = Math.imul(Math.round(position[1] * 1e5), 19_349_663);
  const mixed = Math.imul(x ^ y ^ ((x ^ y) >>> 15), 0x2c1b3c6d);
  return (mixed >>> 8) % ANCHOR_SHARE === 0;
}

/** Douglas-Peucker between two kept positions; ties go to the westernmost so that direction does not matter. */
function keepBetween(ring: Ring, from: number, to: number, tolerance: number, keep: Uint8Array): void {
  keep[from] = 1;
  keep[to] = 1;
  const open: [number, number][] = [[from, to]];
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    const [start, end] = stretch;
    const a = ring[start];
    const b = ring[end];
    if (!a || !b) continue;
    let farthest = tolerance * tolerance;
    let at = -1;
    for (let index = start + 1; index < end; index += 1) {
      const position = ring[index];
      if (!position) continue;
      const distance = squaredToSegment(position, a, b);
      const best = at < 0 ? undefined : ring[at];
      if (distance > farthest || (distance === farthest && best && isBefore(position, best))) [farthest, at] = [distance, index];
    }
    if (at < 0) continue;
    keep[at] = 1;
    open.push([start, at], [at, end]);
  }
}

function squaredToSegment(p: Position, a: Position, b: Position): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length));
  return (p[0] - a[0] - along * dx) ** 2 + (p[1] - a[1] - along * dy) ** 2;
}

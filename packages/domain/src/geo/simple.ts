import { meetingOf } from './segments.ts';
import type { Position, Ring } from './shape.ts';

/**
 * Is the ring (closed or not) the edge of a proper area: at least three corners, no edge of no length, no two edges that cross,
 * touch or run back over each other? Edges that jump more than 180 degrees go the short way round.
 */
export function isSimplePolygon(ring: Ring): boolean {
  const corners = unwrapped(ring);
  if (corners.length < 3) return false;
  const count = corners.length;
  const edges = corners.map((from, index): Edge => edgeOf(from, corners[(index + 1) % count] ?? from, index));
  if (edges.some((edge) => edge.ax === edge.bx && edge.ay === edge.by)) return false;
  edges.sort((a, b) => a.west - b.west);
  for (let first = 0; first < count; first += 1) {
    const a = edges[first];
    if (!a) continue;
    for (let second = first + 1; second < count; second += 1) {
      const b = edges[second];
      if (!b || b.west > a.east) break;
      if (b.south <= a.north && b.north >= a.south && collide(a, b, count)) return false;
    }
  }
  return true;
}

interface Edge {
  index: number;
  ax: number;
  ay: number;
  bx: number;
  by: number;
  west: number;
  east: number;
  south: number;
  north: number;
}

function edgeOf([ax, ay]: Position, [bx, by]: Position, index: number): Edge {
  return { index, ax, ay, bx, by, west: Math.min(ax, bx), east: Math.max(ax, bx), south: Math.min(ay, by), north: Math.max(ay, by) };
}

function unwrapped(ring: Ring): Position[] {
  const first = ring[0];
  const last = ring[ring.length - 1];
  const closed = ring.length > 1 && first && last && first[0] === last[0] && first[1] === last[1];
  let previous = first?.[0] ?? 0;
  return (closed ? ring.slice(0, -1) : ring).map(([lon, lat]) => {
    let x = lon;
    while (x - previous > 180) x -= 360;
    while (previous - x > 180) x += 360;
    previous = x;
    return [x, lat];
  });
}

function collide(a: Edge, b: Edge, count: number): boolean {
  const gap = Math.abs(a.index - b.index);
  if (gap === 1 || gap === count - 1) return foldsBack(a, b);
  return meetingOf(a.ax, a.ay, a.bx, a.by, b.ax, b.ay, b.bx, b.by) !== 'none';
}

/** Neighbours share one corner; anything more means the second runs back over the first. */
function foldsBack(a: Edge, b: Edge): boolean {
  const [first, second] = a.bx === b.ax && a.by === b.ay ? [a, b] : [b, a];
  const ux = first.bx - first.ax;
  const uy = first.by - first.ay;
  const vx = second.bx - second.ax;
  const vy = second.by - second.ay;
  return ux * vy - uy * vx === 0 && ux * vx + uy * vy < 0;
}

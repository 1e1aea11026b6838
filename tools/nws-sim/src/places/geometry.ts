import type { Bbox, Position, Ring, Shape } from '@nwms/domain/geo/shape';

/** Length of one degree of latitude, mean sphere of 6371 km. */
export const KM_PER_DEGREE = 111.195;

/** Outer rings and holes of any shape, one list per polygon. */
export function polygonsOf(shape: Shape): Ring[][] {
  return shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
}

/** True when the point is inside the shape (even-odd rule); a point exactly on an edge may fall on either side. */
export function contains(shape: Shape, position: Position): boolean {
  return polygonsOf(shape).some((rings) => {
    let inside = false;
    for (const ring of rings) if (crossesOdd(ring, position)) inside = !inside;
    return inside;
  });
}

function crossesOdd(ring: Ring, [x, y]: Position): boolean {
  let odd = false;
  let previous = ring.at(-1);
  for (const current of ring) {
    if (previous && current[1] > y !== previous[1] > y) {
      const crossing = current[0] + ((y - current[1]) / (previous[1] - current[1])) * (previous[0] - current[0]);
      if (x < crossing) odd = !odd;
    }
    previous = current;
  }
  return odd;
}

/** west, south, east, north without regard to 180 degrees. */
export function bboxOf(rings: Ring[]): Bbox {
  const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [x, y] of ring) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return box;
}

/** Middle of the largest polygon's box: good enough to say which places are near each other. */
export function roughCenter(shape: Shape): Position {
  let best: Bbox = [0, 0, 0, 0];
  let bestSize = -1;
  for (const rings of polygonsOf(shape)) {
    const box = bboxOf(rings);
    const size = (box[2] - box[0]) * (box[3] - box[1]);
    if (size > bestSize) {
      best = box;
      bestSize = size;
    }
  }
  return [(best[0] + best[2]) / 2, (best[1] + best[3]) / 2];
}

/** Distance on a flat patch, kilometres; right to a percent within a few hundred kilometres, and it knows 180 degrees. */
export function distanceKm(a: Position, b: Position): number {
  const turn = Math.abs(a[0] - b[0]);
  const dx = Math.min(turn, 360 - turn) * Math.cos((((a[1] + b[1]) / 2) * Math.PI) / 180);
  return Math.hypot(dx, a[1] - b[1]) * KM_PER_DEGREE;
}

/** Point reached after `km` towards a compass bearing. */
export function moved(from: Position, towardDegrees: number, km: number): Position {
  const angle = (towardDegrees * Math.PI) / 180;
  const lat = from[1] + (Math.cos(angle) * km) / KM_PER_DEGREE;
  const lon = from[0] + (Math.sin(angle) * km) / (KM_PER_DEGREE * Math.cos((from[1] * Math.PI) / 180));
  return [lon, lat];
}

/** Two decimals, as NWS polygons have. */
export function rounded(position: Position): Position {
  return [Math.round(position[0] * 100) / 100, Math.round(position[1] * 100) / 100];
}

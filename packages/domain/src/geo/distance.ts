import { degreeLengthsKm, geodesicKm } from './geodesic.ts';
import { pointInShape } from './point.ts';
import { type PreparedShape, type ShapeLike, prepared } from './prepared.ts';

/**
 * Kilometres over the WGS 84 ellipsoid from the place to the nearest point of the shape, 0 inside; within 0.1 % up to 1,000 km.
 * Shapes farther than `maxKm` answer Infinity, sooner. An empty shape is infinitely far.
 */
export function distanceKm(lon: number, lat: number, shape: ShapeLike, maxKm = Infinity): number {
  const target = prepared(shape);
  if (pointInShape(lon, lat, target)) return 0;
  const blocks = target.blockPoint.length;
  let best = maxKm;
  let found = false;
  for (let block = 0; block < blocks; block += 1) {
    if (lowerBoundKm(target, block, lon, lat) > best) continue;
    const distance = blockDistanceKm(target, block, lon, lat, best);
    if (distance <= best) {
      best = distance;
      found = true;
    }
  }
  return found ? best : Infinity;
}

/** Is the shape at most `maxKm` away? `distanceKm(...) <= maxKm`, answered at the first edge that is surely near enough. */
export function isWithinKm(lon: number, lat: number, shape: PreparedShape, maxKm: number): boolean {
  if (pointInShape(lon, lat, shape)) return true;
  const blocks = shape.blockPoint.length;
  for (let block = 0; block < blocks; block += 1) {
    if (lowerBoundKm(shape, block, lon, lat) > maxKm) continue;
    if (blockDistanceKm(shape, block, lon, lat, maxKm, maxKm) <= maxKm) return true;
  }
  return false;
}

/** Never more than the true distance to the block's box, up to ways of some thousand kilometres. */
function lowerBoundKm(shape: PreparedShape, block: number, lon: number, lat: number): number {
  const boxes = shape.blockBox;
  const at = block * 4;
  const west = boxes[at] ?? 0;
  const south = boxes[at + 1] ?? 0;
  const east = boxes[at + 2] ?? 0;
  const north = boxes[at + 3] ?? 0;
  const x = lon + nearestTurn(lon, (west + east) / 2);
  const degreesLat = Math.max(south - lat, lat - north, 0);
  const degreesLon = Math.max(west - x, x - east, 0);
  // 110.5 km: below the shortest degree of latitude. The way may bend polewards: 5 % off, and none of it counts beyond 30 degrees.
  const kmLat = degreesLat * 110.5;
  if (degreesLon === 0 || degreesLon > 30) return kmLat;
  const farthest = Math.min(90, Math.max(Math.abs(lat), Math.abs(south), Math.abs(north)));
  const kmLon = degreesLon * 111.3 * 0.95 * Math.cos((farthest * Math.PI) / 180);
  return Math.sqrt(kmLat * kmLat + kmLon * kmLon);
}

/**
 * Candidates come from the flat metric at the latitude half way; only those that may win are measured over the ellipsoid. Answers any
 * distance of at most `enoughKm` as soon as one is certain.
 */
function blockDistanceKm(shape: PreparedShape, block: number, lon: number, lat: number, limitKm: number, enoughKm = -Infinity): number {
  const { xy } = shape;
  const last = shape.blockLast[block] ?? 0;
  let best = Infinity;
  for (let point = shape.blockPoint[block] ?? 0; point < last; point += 1) {
    const at = point * 2;
    const turn = nearestTurn(lon, xy[at] ?? 0);
    const x0 = (xy[at] ?? 0) - lon - turn;
    const y0 = (xy[at + 1] ?? 0) - lat;
    const dx = (xy[at + 2] ?? 0) - (xy[at] ?? 0);
    const dy = (xy[at + 3] ?? 0) - (xy[at + 1] ?? 0);
    const { perLon, perLat } = degreeLengthsKm(lat + (y0 + dy / 2) / 2);
    const lengthSquared = dx * dx * perLon * perLon + dy * dy * perLat * perLat;
    const along = lengthSquared === 0 ? 0 : -(x0 * dx * perLon * perLon + y0 * dy * perLat * perLat) / lengthSquared;
    const share = along < 0 ? 0 : along > 1 ? 1 : along;
    const x = x0 + share * dx;
    const y = y0 + share * dy;
    const roughKm = Math.sqrt(x * x * perLon * perLon + y * y * perLat * perLat);
    // The flat metric is within 1 % up to 1,000 km; farther ways are all measured.
    const limit = Math.min(best, limitKm);
    if (roughKm < 1000 && roughKm * 0.99 > limit) continue;
    if (roughKm < 1000 && roughKm * 1.01 <= enoughKm) return roughKm;
    best = Math.min(best, refinedKm(lon, lat, x0, y0, dx, dy, share, roughKm));
  }
  return best;
}

/** Long edges seen from afar: the flat metric's foot may be off, so the foot is searched on the ellipsoid. */
function refinedKm(lon: number, lat: number, x0: number, y0: number, dx: number, dy: number, share: number, roughKm: number): number {
  const at = (s: number) => geodesicKm(lon, lat, lon + x0 + s * dx, lat + y0 + s * dy);
  let best = at(share);
  if (roughKm < 30 && Math.abs(dx) + Math.abs(dy) < 1) return best;
  let width = 0.25;
  let center = share;
  for (let round = 0; round < 12; round += 1) {
    const lower = Math.max(0, center - width);
    const upper = Math.min(1, center + width);
    const below = at(lower);
    const above = at(upper);
    if (below < best) [best, center] = [below, lower];
    else if (above < best) [best, center] = [above, upper];
    else width /= 2;
    if (width * (Math.abs(dx) + Math.abs(dy)) < 0.0005) break;
  }
  return best;
}

/** 0, 360 or -360: what to add to `lon` so that it lies on the same turn as `other`. */
function nearestTurn(lon: number, other: number): number {
  const difference = other - lon;
  if (difference > 180) return 360;
  if (difference < -180) return -360;
  return 0;
}

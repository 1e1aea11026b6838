import type { Geometry, Position } from 'geojson';

export interface Drawing {
  /** Path data in a box of `width` x `height`. */
  path: string;
  corners: number;
  /** West, south, east, north in degrees. */
  box: readonly [number, number, number, number];
  /** Where a position of the earth is in the box. */
  place: (position: Position) => readonly [number, number];
}

/** Corners beyond this are left out evenly: the picture is small. */
const MOST_CORNERS = 600;
/** Share of the box kept free around the shape. */
const MARGIN = 0.15;

/**
 * The outline of an alert, north up, as large as fits. Null for shapes without area.
 * @param leastSpan degrees of latitude that are in the picture at least: surroundings for small shapes
 */
export function drawShape(geometry: Geometry | null, width: number, height: number, leastSpan = 0): Drawing | null {
  const rings = ringsOf(geometry);
  const all = rings.flat();
  if (all.length < 3) return null;
  const lons = all.map(([lon = 0]) => lon);
  const lats = all.map(([, lat = 0]) => lat);
  const [west, east, south, north] = [least(lons), most(lons), least(lats), most(lats)];
  if (!(east > west) || !(north > south) || east - west > 180) return null;
  // A degree of longitude is shorter than one of latitude by this much here.
  const squeeze = Math.max(0.05, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const scale = Math.min(
    (width * (1 - 2 * MARGIN)) / ((east - west) * squeeze),
    (height * (1 - 2 * MARGIN)) / (north - south),
    leastSpan > 0 ? height / leastSpan : Infinity,
  );
  const place = ([lon = 0, lat = 0]: Position): readonly [number, number] => [
    round(width / 2 + (lon - (west + east) / 2) * squeeze * scale),
    round(height / 2 - (lat - (south + north) / 2) * scale),
  ];
  const every = Math.max(1, Math.ceil(all.length / MOST_CORNERS));
  const path = rings
    .map((ring) => ring.filter((_corner, index) => index % every === 0))
    .filter((ring) => ring.length > 2)
    .map((ring) => `M${ring.map((position) => place(position).join(' ')).join('L')}Z`)
    .join('');
  const corners = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  return { path, corners, box: [west, south, east, north], place };
}

function ringsOf(geometry: Geometry | null): Position[][] {
  if (geometry?.type === 'Polygon') return geometry.coordinates;
  if (geometry?.type === 'MultiPolygon') return geometry.coordinates.flat();
  return [];
}

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
const round = (value: number) => Math.round(value * 10) / 10;

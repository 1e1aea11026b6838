import type { Geometry, Position } from 'geojson';

/** Longitudes that go on past 180 where a shape lies on both sides of the date line; for drawing only. */
export type Along = (position: Position) => Position;

const asIs: Along = (position) => position;
const eastward: Along = ([lon = 0, lat = 0]) => [lon < 0 ? lon + 360 : lon, lat];

/** The Aleutians are one picture, not two edges of the world. */
export function alongOf(geometry: Geometry | null): Along {
  const lons = ringsOf(geometry).flatMap((ring) => ring.map(([lon = 0]) => lon));
  let [least, most] = [Infinity, -Infinity];
  for (const lon of lons) [least, most] = [Math.min(least, lon), Math.max(most, lon)];
  return most - least > 180 ? eastward : asIs;
}

export const moved = (geometry: Geometry | null, along: Along): Geometry | null =>
  along === asIs || geometry === null
    ? geometry
    : { type: 'MultiPolygon', coordinates: ringsOf(geometry).map((ring) => [ring.map(along)]) };

/** Every ring of a shape; nothing of what has no area. */
export function ringsOf(geometry: Geometry | null): Position[][] {
  if (geometry?.type === 'Polygon') return geometry.coordinates;
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

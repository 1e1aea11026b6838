/** Longitude, latitude in WGS 84 degrees (RFC 7946 order). */
export type Position = [number, number];
export type Ring = Position[];
export interface Polygon {
  type: 'Polygon';
  coordinates: Ring[];
}
export interface MultiPolygon {
  type: 'MultiPolygon';
  coordinates: Ring[][];
}
export type Shape = Polygon | MultiPolygon;
/** west, south, east, north; west > east means the box crosses 180 degrees. */
export type Bbox = [number, number, number, number];

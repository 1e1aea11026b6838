import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon } from 'geojson';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';

export interface AreaProps {
  /** Event id: what hovering, choosing and filtering name. */
  id: string;
  severity: string;
  /** geometry_source: tells the outline. */
  source: string;
  /** True while it is upcoming. */
  ahead: boolean;
  /** True when it is not in force any more. */
  over: boolean;
  /** Drawing order: the more dangerous, the later. */
  order: number;
}

export type AreaFeature = Feature<Polygon | MultiPolygon, AreaProps>;
export type PointFeature = Feature<Point, AreaProps>;

export interface MapFeatures {
  areas: FeatureCollection<Polygon | MultiPolygon, AreaProps>;
  /** Markers, at points inside the areas. */
  points: FeatureCollection<Point, AreaProps>;
  /** Events that cannot be drawn at all: no shape and no place is known. */
  undrawn: number;
}

/** Width of one severity in the drawing order; hazard ranks end at 1,000. */
export const SEVERITY_STEP = 10_000;

/** Place in the drawing order: 5 Extreme to 1 Unknown, then the hazard rank. A severity this page does not know counts as Unknown. */
export function drawingOrder(severity: string, hazardRank: number): number {
  const at = (SEVERITIES as readonly string[]).indexOf(severity);
  return (SEVERITIES.length - (at < 0 ? SEVERITIES.length - 1 : at)) * SEVERITY_STEP + hazardRank;
}

/** [west, south, east, north]; a box whose west lies east of its east crosses 180°, its west is taken once around. */
export function unwrapBox([west, south, east, north]: readonly [number, number, number, number]): [number, number, number, number] {
  return west > east ? [west - 360, south, east, north] : [west, south, east, north];
}

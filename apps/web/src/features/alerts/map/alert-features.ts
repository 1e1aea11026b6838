import type { MultiPolygon, Polygon } from 'geojson';
import type { SlimAlert } from '@nwms/contract';
import { type AreaFeature, type AreaProps, drawingOrder, type MapFeatures, type PointFeature } from '../../../ui/map/map-features.ts';
import type { ShapeBook } from '../shape-book.ts';

/** Issuer polygons are small: at national scale they vanish without a spot. 20,000 km² is about 3 px at zoom 3.5. */
const SMALL_KM2 = 20_000;

export interface DrawOptions {
  /** A marker for every alert; otherwise only where the area is small or its shape is not here (yet). */
  markers?: boolean;
  /** Draws what is over too, faintly; otherwise not at all. */
  over?: boolean;
}

/** What the map draws of these alerts. Markers stand at the server's label point, inside the shape. */
export function alertFeatures(
  alerts: Iterable<SlimAlert>,
  shapes: ShapeBook | undefined,
  { markers = false, over = false }: DrawOptions = {},
): MapFeatures {
  const areas: AreaFeature[] = [];
  const points: PointFeature[] = [];
  let undrawn = 0;
  for (const alert of alerts) {
    if (!alert.is_active && !over) continue;
    const properties = propsOf(alert);
    const geometry = shapes?.get(alert.event_id)?.geometry ?? null;
    const small = alert.geometry_source === 'polygon' && (alert.area_km2 ?? Infinity) < SMALL_KM2;
    if (geometry) areas.push({ type: 'Feature', properties, geometry: geometry as Polygon | MultiPolygon });
    if (alert.label_point && (markers || small || !geometry)) {
      points.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [...alert.label_point] } });
    }
    if (!geometry && !alert.label_point) undrawn += 1;
  }
  return { areas: { type: 'FeatureCollection', features: areas }, points: { type: 'FeatureCollection', features: points }, undrawn };
}

function propsOf(alert: SlimAlert): AreaProps {
  return {
    id: alert.event_id,
    severity: alert.severity,
    source: alert.geometry_source,
    ahead: alert.state === 'upcoming',
    over: !alert.is_active,
    order: drawingOrder(alert.severity, alert.hazard_rank),
  };
}

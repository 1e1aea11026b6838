import type { Alert, playback } from '@nwms/contract';
import type { MultiPolygon, Polygon } from 'geojson';
import { type AreaFeature, drawingOrder, type MapFeatures, type PointFeature } from '../../ui/map/map-features.ts';
import { isShownAt } from './timeline-rules.ts';

/** What was in force at an instant, with the shapes of that time. */
export function featuresOf(
  alerts: readonly Pick<Alert, 'event_id' | 'severity' | 'hazard_rank' | 'geometry' | 'geometry_source' | 'label_point'>[],
): MapFeatures {
  const areas: AreaFeature[] = [];
  const points: PointFeature[] = [];
  let undrawn = 0;
  for (const alert of alerts) {
    const properties = {
      id: alert.event_id,
      severity: alert.severity,
      source: alert.geometry_source,
      ahead: false,
      over: false,
      order: drawingOrder(alert.severity, alert.hazard_rank),
    };
    if (alert.geometry) areas.push({ type: 'Feature', properties, geometry: alert.geometry as Polygon | MultiPolygon });
    if (alert.label_point) points.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [...alert.label_point] } });
    if (!alert.geometry && !alert.label_point) undrawn += 1;
  }
  return collect(areas, points, undrawn);
}

/** Markers alone of the items in force at an instant: what can be drawn ten times a second while playing. */
export function spotsAt(items: readonly playback.TimelineItem[], atMs: number): MapFeatures {
  const alerts = items
    .filter((item) => isShownAt(item, atMs))
    .map((item) => ({ ...item, geometry: null, severity: item.severity as Alert['severity'] }));
  return featuresOf(alerts);
}

const collect = (areas: AreaFeature[], points: PointFeature[], undrawn: number): MapFeatures => ({
  areas: { type: 'FeatureCollection', features: areas },
  points: { type: 'FeatureCollection', features: points },
  undrawn,
});

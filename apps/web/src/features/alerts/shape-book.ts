import type { Alert, LiveAlert } from '@nwms/contract';

type Geometry = Alert['geometry'];

export interface ShapeRow {
  version: number;
  geometry: Geometry;
}
/** Shapes of alerts by event id. Read once as a whole by the map, then kept up by live entries. */
export type ShapeBook = ReadonlyMap<string, ShapeRow>;

export const shapesOf = (alerts: readonly Alert[]): ShapeBook =>
  new Map(alerts.map((alert) => [alert.event_id, { version: alert.version, geometry: alert.geometry ?? null }]));

/** An entry brings its shape, unless it was too large for the feed: then the older shape stays until the list is read again. */
export function shapeFromEntry(shapes: ShapeBook, alert: LiveAlert): ShapeBook {
  if (alert.geometry_omitted === true) return shapes;
  const known = shapes.get(alert.event_id);
  if (known && known.version > alert.version) return shapes;
  return new Map(shapes).set(alert.event_id, { version: alert.version, geometry: alert.geometry });
}

/** Events whose shape here is missing or older than the row, though one exists: "id@version". */
export function outdatedShapes(
  rows: Iterable<{ event_id: string; version: number; geometry_source: string }>,
  shapes: ShapeBook,
): string[] {
  const ids: string[] = [];
  for (const row of rows) {
    const known = shapes.get(row.event_id);
    if (row.geometry_source !== 'none' && (!known || known.version < row.version)) ids.push(`${row.event_id}@${row.version}`);
  }
  return ids;
}

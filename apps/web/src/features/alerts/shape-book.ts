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

/** Entries bring their shapes, unless one was too large for the feed: then the older shape stays until the list is read again. */
export function shapesFromEntries(shapes: ShapeBook, alerts: readonly LiveAlert[]): ShapeBook {
  let next: Map<string, ShapeRow> | null = null;
  for (const alert of alerts) {
    if (alert.geometry_omitted === true) continue;
    const known = (next ?? shapes).get(alert.event_id);
    if (known && known.version > alert.version) continue;
    next ??= new Map(shapes);
    next.set(alert.event_id, { version: alert.version, geometry: alert.geometry });
  }
  return next ?? shapes;
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

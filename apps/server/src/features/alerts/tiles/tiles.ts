import { setImmediate as nextTurn } from 'node:timers/promises';
import { severityRank, typeOf, type Shape } from '@nwms/domain';
import type { Geometry } from 'geojson';
import GeoJsonVt, { type LegacyFeature } from 'geojson-vt';
import vtpbf from 'vt-pbf';
import type { Presented } from '../present.ts';

/** What a tile needs of a board row. */
export interface TileRow {
  presented: Presented;
}

export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

const EXTENT = 4096;
const BUFFER = 64;
const MAX_ZOOM = 12;
/** Work of one turn of the event loop before others get theirs. */
const TURN_MS = 15;

type TileIndex = GeoJsonVt;
type TileFeatures = LegacyFeature[];

const indexOptions = { maxZoom: MAX_ZOOM, extent: EXTENT, buffer: BUFFER, tolerance: 3, indexMaxZoom: 3, indexMaxPoints: 100_000 } as const;

const sliced = (geometry: Geometry): TileIndex => new GeoJsonVt({ type: 'Feature', geometry, properties: {} }, indexOptions);

/** Does the box touch the tile, buffer included? Boxes over 180 degrees are not judged. */
function touches(bbox: readonly number[] | null, { z, x, y }: TileAddress): boolean {
  if (!bbox) return false;
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  if (west > east) return true;
  const size = 2 ** z;
  const slack = BUFFER / EXTENT;
  const column = (lon: number) => ((lon + 180) / 360) * size;
  const row = (lat: number) => {
    const sin = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180);
    return (0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI) * size;
  };
  return column(east) >= x - slack && column(west) <= x + 1 + slack && row(south) >= y - slack && row(north) <= y + 1 + slack;
}

/** Fields of both layers. Colours are the weather service's own. */
function fieldsOf({ slim }: Presented): Record<string, string | number | boolean> {
  return {
    id: slim.id,
    event_id: slim.event_id,
    event: slim.event,
    family: slim.family,
    severity: slim.severity,
    severity_rank: severityRank(slim.severity),
    hazard_rank: slim.hazard_rank,
    state: slim.state,
    is_active: slim.is_active,
    geometry_source: slim.geometry_source,
    color: typeOf({ event: slim.event, eventCode: slim.event_code }).color,
    headline: slim.headline ?? slim.event,
    in_force_until: slim.in_force_until === null ? -1 : Math.floor(Date.parse(slim.in_force_until) / 1000),
    office: slim.office ?? '',
    simulated: slim.source === 'simulator' || slim.source === 'replay',
  };
}

/**
 * Vector tiles cut per alert, on demand: each shape is sliced once and kept as long as the shape object lives, so a change of one alert
 * costs one slice, and filters cost nothing. Low hazard ranks come first: maps draw the worst on top.
 */
export function createTiles(): { encode(rows: readonly TileRow[], address: TileAddress): Promise<Buffer | null> } {
  const shapes = new WeakMap<Shape, TileIndex>();
  const labels = new WeakMap<Presented, TileIndex>();

  const kept = <K extends object>(cache: WeakMap<K, TileIndex>, key: K, geometry: () => Geometry): TileIndex => {
    const found = cache.get(key) ?? sliced(geometry());
    cache.set(key, found);
    return found;
  };
  const featuresAt = (index: TileIndex, { z, x, y }: TileAddress, tags: Record<string, unknown>): TileFeatures =>
    (index.getTile(z, x, y)?.features ?? []).map((feature) => ({ ...feature, tags }));

  return {
    async encode(rows, address) {
      const layers: Record<'alerts' | 'labels', TileFeatures> = { alerts: [], labels: [] };
      const ordered = rows
        .filter((row) => touches(row.presented.slim.bbox, address))
        .sort((a, b) => a.presented.slim.hazard_rank - b.presented.slim.hazard_rank);
      let turnEndsAt = performance.now() + TURN_MS;
      for (const { presented } of ordered) {
        const { shape, labelPoint } = presented.area;
        if (!shape) continue;
        const tags = fieldsOf(presented);
        layers.alerts.push(
          ...featuresAt(
            kept(shapes, shape, () => shape),
            address,
            tags,
          ),
        );
        if (labelPoint)
          layers.labels.push(
            ...featuresAt(
              kept(labels, presented, () => ({ type: 'Point', coordinates: labelPoint })),
              address,
              tags,
            ),
          );
        if (performance.now() > turnEndsAt) {
          await nextTurn();
          turnEndsAt = performance.now() + TURN_MS;
        }
      }
      if (layers.alerts.length === 0 && layers.labels.length === 0) return null;
      return Buffer.from(
        vtpbf.fromGeojsonVt({ alerts: { features: layers.alerts }, labels: { features: layers.labels } } as never, {
          version: 2,
          extent: EXTENT,
        }),
      );
    },
  };
}

/** TileJSON 3.0.0 of the alert tiles; `query` repeats the caller's filters in the tile URL. */
export function tileJsonOf(apiUrl: string, query: string) {
  const fields = {
    id: 'String',
    event_id: 'String',
    event: 'String',
    family: 'String',
    severity: 'String',
    severity_rank: 'Number 0..4',
    hazard_rank: 'Number 0..1000',
    state: 'String',
    is_active: 'Boolean',
    geometry_source: 'String',
    color: 'String #rrggbb',
    headline: 'String',
    in_force_until: 'Number epoch seconds, -1 open',
    office: 'String',
    simulated: 'Boolean',
  };
  return {
    tilejson: '3.0.0' as const,
    name: 'NWMS alerts',
    tiles: [`${apiUrl}/alerts/tiles/{z}/{x}/{y}.mvt${query ? `?${query}` : ''}`],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds: [-180, -85.05, 180, 85.05],
    attribution: 'Alerts: National Weather Service',
    vector_layers: [
      { id: 'alerts', description: 'Alert shapes, low rank first', fields },
      { id: 'labels', description: 'One point inside each shape', fields },
    ],
  };
}

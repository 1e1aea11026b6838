import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { SEVERITY_TOKEN } from '../severity.tsx';
import { CLUSTER_IMAGE, MARKER_IMAGE } from './marker-images.ts';
import { SEVERITY_STEP } from './map-features.ts';

export type ReadToken = (name: string) => string;

/** Where the layers of alerts read: shapes of this page, or vector tiles of the server, which name the same things differently. */
export interface AlertSource {
  /** First part of the names of its layers. */
  prefix: 'alert' | 'tile';
  areas: { source: string; 'source-layer'?: string };
  points: { source: string; 'source-layer'?: string };
  id: ExpressionSpecification;
  geometrySource: ExpressionSpecification;
  ahead: ExpressionSpecification;
  over: ExpressionSpecification;
  order: ExpressionSpecification;
}

export const FROM_SHAPES: AlertSource = {
  prefix: 'alert',
  areas: { source: 'alerts' },
  points: { source: 'points' },
  id: ['get', 'id'],
  geometrySource: ['get', 'source'],
  ahead: ['get', 'ahead'],
  over: ['get', 'over'],
  order: ['get', 'order'],
};
export const FROM_TILES: AlertSource = {
  prefix: 'tile',
  areas: { source: 'alert-tiles', 'source-layer': 'alerts' },
  points: { source: 'alert-tiles', 'source-layer': 'labels' },
  id: ['get', 'event_id'],
  geometrySource: ['get', 'geometry_source'],
  ahead: ['==', ['get', 'state'], 'upcoming'],
  over: ['!', ['get', 'is_active']],
  // severity_rank is 0 for Unknown to 4 for Extreme.
  order: ['+', ['*', ['+', ['get', 'severity_rank'], 1], SEVERITY_STEP], ['get', 'hazard_rank']],
};

const OUTLINES = [
  { source: 'polygon', dash: null, width: 1.6 },
  { source: 'zones', dash: [3, 2], width: 1.1 },
  { source: 'counties', dash: [1, 1.6], width: 1.3 },
] as const;

const bySeverity = (read: ReadToken, kind: 'fill' | 'edge'): ExpressionSpecification =>
  [
    'match',
    ['get', 'severity'],
    ...SEVERITIES.flatMap((name) => [name, read(`--${kind}-${SEVERITY_TOKEN[name]}`)]),
    read(`--${kind}-unknown`),
  ] as unknown as ExpressionSpecification;

const isOn = (state: 'hover' | 'selected'): ExpressionSpecification => ['boolean', ['feature-state', state], false];

function baseLayers(read: ReadToken): LayerSpecification[] {
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': read('--map-sea') } },
    { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': read('--map-land') } },
    {
      id: 'counties',
      type: 'line',
      source: 'counties',
      minzoom: 4.6,
      paint: {
        'line-color': read('--map-county'),
        'line-width': 0.7,
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 4.6, 0, 5.4, 1],
      },
    },
    {
      id: 'state-lines',
      type: 'line',
      source: 'states',
      layout: { 'line-join': 'round' },
      paint: { 'line-color': read('--map-state'), 'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.6, 7, 1.6] },
    },
  ];
}

/** What a layer of alerts draws of its source, before any filter of the moment. */
export type OwnFilter = ExpressionSpecification | null;
export interface AlertLayer {
  spec: LayerSpecification;
  own: OwnFilter;
}

/** Areas with their outlines, and spots (circles) or markers (one per severity, gathered where the source gathers them). */
export function alertLayers(read: ReadToken, from: AlertSource, markers: boolean): AlertLayer[] {
  const { prefix, areas, points, order } = from;
  const layer = (spec: LayerSpecification, own: OwnFilter = null): AlertLayer => ({ spec, own });
  return [
    layer({
      id: `${prefix}-fill`,
      type: 'fill',
      ...areas,
      layout: { 'fill-sort-key': order },
      paint: {
        'fill-color': bySeverity(read, 'fill'),
        'fill-antialias': false,
        // What lies ahead is fainter than what is in force, what is over fainter still.
        'fill-opacity': ['case', isOn('selected'), 0.8, isOn('hover'), 0.75, from.over, 0.14, from.ahead, 0.32, 0.55],
      },
    }),
    ...OUTLINES.map(({ source, dash, width }) =>
      layer(
        {
          id: `${prefix}-line-${source}`,
          type: 'line',
          ...areas,
          layout: { 'line-join': 'round', 'line-sort-key': order },
          paint: {
            'line-color': bySeverity(read, 'edge'),
            'line-opacity': ['interpolate', ['linear'], ['zoom'], 2, 0.4, 6, 0.95],
            'line-width': ['interpolate', ['linear'], ['zoom'], 2, width * 0.45, 6, width],
            ...(dash ? { 'line-dasharray': [...dash] } : {}),
          },
        },
        ['==', from.geometrySource, source],
      ),
    ),
    layer({
      id: `${prefix}-chosen`,
      type: 'line',
      ...areas,
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': read('--text'),
        'line-width': ['case', isOn('selected'), 2.4, isOn('hover'), 1.4, 0],
        'line-opacity': ['case', isOn('selected'), 1, isOn('hover'), 1, 0],
      },
    }),
    ...(markers ? markerLayers(from) : [layer(spots(read, prefix, points, order))]),
  ];
}

function spots(read: ReadToken, prefix: string, points: AlertSource['points'], order: ExpressionSpecification): LayerSpecification {
  return {
    id: `${prefix}-point`,
    type: 'circle',
    ...points,
    layout: { 'circle-sort-key': order },
    paint: {
      'circle-color': bySeverity(read, 'fill'),
      'circle-stroke-color': read('--surface'),
      'circle-stroke-width': 1,
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 2, 3.4, 6, 5.5],
    },
  };
}

/** MAP-02: a shape per severity, so that colour is never the only sign. Numbers are drawn into images: the map has no fonts of its own. */
function markerLayers({ prefix, points, order }: AlertSource): AlertLayer[] {
  const tiles = prefix === 'tile';
  return [
    {
      own: tiles ? null : ['!', ['has', 'point_count']],
      spec: {
        id: `${prefix}-point`,
        type: 'symbol',
        ...points,
        layout: {
          'icon-image': ['concat', `${MARKER_IMAGE}-`, ['get', 'severity']],
          'icon-size': ['interpolate', ['linear'], ['zoom'], 2, 0.8, 7, 1.1],
          // Tiles come ungathered: markers that would hide others are left out until there is room.
          'icon-allow-overlap': !tiles,
          'icon-padding': 0,
          'symbol-sort-key': tiles ? ['-', 0, order] : order,
        },
      },
    },
    ...(tiles
      ? []
      : [
          {
            own: ['has', 'point_count'] as OwnFilter,
            spec: {
              id: CLUSTERS,
              type: 'symbol',
              ...points,
              layout: {
                'icon-image': [
                  'concat',
                  `${CLUSTER_IMAGE}-`,
                  ['to-string', ['floor', ['/', ['get', 'worst'], SEVERITY_STEP]]],
                  '-',
                  ['to-string', ['get', 'point_count_abbreviated']],
                ],
                'icon-allow-overlap': true,
                'symbol-sort-key': ['get', 'worst'],
              },
            } as LayerSpecification,
          },
        ]),
  ];
}

export const CLUSTERS = 'alert-clusters';

/** Pixels within which markers are gathered, and the zoom from which each stands alone. */
const CLUSTER_RADIUS_PX = 44;
const ALONE_FROM_ZOOM = 7;

/** The whole map in the colours of the theme. No glyphs or sprites: nothing is fetched from anywhere but this server, street tiles aside. */
export function mapStyle(read: ReadToken, markers: boolean): StyleSpecification {
  const empty = { type: 'FeatureCollection' as const, features: [] };
  return {
    version: 8,
    sources: {
      states: { type: 'geojson', data: empty },
      counties: { type: 'geojson', data: empty },
      alerts: { type: 'geojson', data: empty, promoteId: 'id' },
      points: {
        type: 'geojson',
        data: empty,
        ...(markers
          ? {
              cluster: true,
              clusterRadius: CLUSTER_RADIUS_PX,
              clusterMaxZoom: ALONE_FROM_ZOOM - 1,
              clusterProperties: { worst: ['max', ['get', 'order']] },
            }
          : { promoteId: 'id' }),
      },
    },
    layers: [
      ...baseLayers(read),
      ...alertLayers(read, FROM_SHAPES, markers).map(({ spec, own }) => (own ? ({ ...spec, filter: own } as LayerSpecification) : spec)),
    ],
  };
}

/** Colours of every layer in another theme, without rebuilding sources. */
export function paintChanges(read: ReadToken, markers: boolean, tiles: boolean): { layer: string; name: string; value: unknown }[] {
  const alerts = [FROM_SHAPES, ...(tiles ? [FROM_TILES] : [])].flatMap((from) => alertLayers(read, from, markers));
  return [...baseLayers(read), ...alerts.map(({ spec }) => spec)].flatMap((layer) =>
    Object.entries(layer.paint ?? {})
      .filter(([name]) => name.endsWith('-color'))
      .map(([name, value]) => ({ layer: layer.id, name, value: value as unknown })),
  );
}

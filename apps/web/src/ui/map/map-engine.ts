import {
  type ExpressionSpecification,
  type GeoJSONSource,
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as GlMap,
  type MapGeoJSONFeature,
  Marker,
  setWorkerUrl,
  type VectorTileSource,
} from 'maplibre-gl';
// A file of this server, so that the content security policy needs no blob workers.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { loadCountyLines, loadStates } from '../../lib/base-shapes.ts';
import { areaDiff } from './feature-diff.ts';
import type { MapFeatures } from './map-features.ts';
import { type AlertLayer, alertLayers, CLUSTERS, FROM_SHAPES, FROM_TILES, mapStyle, paintChanges, type ReadToken } from './map-style.ts';
import { drawImage, PIXEL_RATIO } from './marker-images.ts';
import { EXTENTS, type MapEngine, type MapEvents, type MapHit, type MapOptions } from './map-types.ts';

/** Below this zoom county lines are not drawn, and their file is not fetched. */
const COUNTY_ZOOM = 4.4;
/** Pixels around the pointer that still count as on the thing. */
const HIT_PX = 3;

/** @throws when the device has no WebGL. */
export function createMapEngine(container: HTMLElement, options: MapOptions, read: ReadToken, events: MapEvents): MapEngine {
  const { markers = false, streetTiles = null, token = () => null } = options;
  const start = typeof options.start === 'function' ? options.start(container.clientWidth, container.clientHeight) : options.start;
  setWorkerUrl(new URL(workerUrl, location.href).href);
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = new GlMap({
    container,
    style: mapStyle(read, markers),
    ...(start
      ? { center: [start.lon, start.lat], zoom: start.zoom }
      : { bounds: EXTENTS['Lower 48'], fitBoundsOptions: { padding: { top: 14, left: 14, right: 14, bottom: 46 } } }),
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Names of places belong to the list; keys too: the list is the map's twin.
    keyboard: false,
    cooperativeGestures: false,
    minZoom: 1.5,
    maxZoom: 12,
    fadeDuration: 0,
    // Tiles of alerts are answers of the API and count as this session's.
    transformRequest: (url) => {
      const credential = url.startsWith(`${location.origin}/api/`) ? token() : null;
      return credential ? { url, headers: { Authorization: `Bearer ${credential}` } } : { url };
    },
  });
  map.touchZoomRotate.disableRotation();
  // No stop for the Tab key: its keys are off, its twin is the list.
  map.getCanvas().removeAttribute('tabindex');
  const source = (name: string) => map.getSource<GeoJSONSource>(name);
  let readNow = read;
  const images = new Set<string>();
  let shown: MapFeatures | null = null;
  let drawn: MapFeatures | null = null;
  let only: ReadonlySet<string> | null = null;
  let tiles: string | null = null;
  let ready = false;
  let still = false;
  const chosen: Record<'hover' | 'selected', string | null> = { hover: null, selected: null };
  let countiesAsked = false;
  let pin: Marker | null = null;

  map.setMissingStyleImageResolver((name) => {
    const image = drawImage(name, readNow);
    if (!image || map.hasImage(name)) return;
    images.add(name);
    map.addImage(name, image, { pixelRatio: PIXEL_RATIO });
  });

  const setState = (id: string, state: Record<string, boolean>) => {
    map.setFeatureState({ source: 'alerts', id }, state);
    if (tiles !== null && map.getSource('alert-tiles')) map.setFeatureState({ source: 'alert-tiles', sourceLayer: 'alerts', id }, state);
  };
  const mark = (state: 'hover' | 'selected', id: string | null) => {
    const old = chosen[state];
    if (old === id) return;
    chosen[state] = id;
    if (!ready) return;
    if (old !== null) setState(old, { [state]: false });
    if (id !== null) setState(id, { [state]: true });
  };
  const remark = () => {
    for (const state of ['hover', 'selected'] as const) {
      const id = chosen[state];
      if (id !== null) setState(id, { [state]: true });
    }
  };
  const draw = () => {
    if (!ready || !shown) return;
    const diff = drawn ? areaDiff(drawn.areas, shown.areas) : null;
    still = false;
    // The whole only once: it is copied to the worker, and a day of zone shapes weighs megabytes.
    if (!drawn) void source('alerts')?.setData(shown.areas);
    else if (diff) void source('alerts')?.updateData(diff);
    if (!drawn || diff || !samePoints(drawn.points, shown.points)) void source('points')?.setData(shown.points);
    drawn = shown;
  };
  const layersOf = (): AlertLayer[] =>
    [FROM_SHAPES, ...(tiles === null ? [] : [FROM_TILES])].flatMap((from) => alertLayers(readNow, from, markers));
  const filter = () => {
    if (!ready) return;
    for (const { spec, own } of layersOf()) {
      const id = spec.id.startsWith('tile-') ? FROM_TILES.id : FROM_SHAPES.id;
      const listed: ExpressionSpecification | null = only && spec.id !== CLUSTERS ? ['in', id, ['literal', [...only]]] : null;
      map.setFilter(spec.id, own && listed ? ['all', own, listed] : (own ?? listed), { validate: false });
    }
  };
  const showTiles = () => {
    if (!ready) return;
    const known = map.getSource<VectorTileSource>('alert-tiles');
    const layers = alertLayers(readNow, FROM_TILES, markers);
    if (tiles === null) {
      if (!known) return;
      for (const { spec } of layers) map.removeLayer(spec.id);
      map.removeSource('alert-tiles');
    } else if (known) {
      known.setTiles([tiles]);
    } else {
      map.addSource('alert-tiles', {
        type: 'vector',
        tiles: [tiles],
        maxzoom: 12,
        promoteId: { alerts: 'event_id', labels: 'event_id' },
      });
      for (const { spec, own } of layers) map.addLayer(own ? ({ ...spec, filter: own } as LayerSpecification) : spec, 'alert-fill');
      filter();
      remark();
    }
  };
  const askCounties = () => {
    if (countiesAsked || map.getZoom() < COUNTY_ZOOM) return;
    countiesAsked = true;
    loadCountyLines().then(
      (lines) => void source('counties')?.setData({ type: 'Feature', properties: {}, geometry: lines }),
      () => (countiesAsked = false),
    );
  };
  const hitLayers = () => ['alert-fill', 'alert-point', 'tile-fill', 'tile-point'].filter((layer) => map.getLayer(layer));
  const hitAt = ({ point, lngLat }: { point: { x: number; y: number }; lngLat: { lng: number; lat: number } }): MapHit => {
    const found: MapGeoJSONFeature[] = map.queryRenderedFeatures(
      [
        [point.x - HIT_PX, point.y - HIT_PX],
        [point.x + HIT_PX, point.y + HIT_PX],
      ],
      { layers: hitLayers() },
    );
    // A marker lies on top of what is drawn as an area.
    const rank = ({ layer, properties }: MapGeoJSONFeature): number =>
      Number(properties['order'] ?? (Number(properties['severity_rank']) + 1) * 10_000 + Number(properties['hazard_rank'])) +
      (layer.id.endsWith('-point') ? 100_000 : 0);
    const ordered = [...found].sort((a, b) => rank(b) - rank(a));
    const ids = ordered.map(({ properties }) => String(properties['event_id'] ?? properties['id']));
    return { ids: [...new Set(ids)], x: point.x, y: point.y, lon: lngLat.lng, lat: lngLat.lat };
  };
  const clusterAt = (point: { x: number; y: number }): MapGeoJSONFeature | undefined =>
    markers ? map.queryRenderedFeatures([point.x, point.y], { layers: [CLUSTERS] })[0] : undefined;
  const openCluster = async ({ properties, geometry }: MapGeoJSONFeature) => {
    const zoom = await source('points')?.getClusterExpansionZoom(Number(properties['cluster_id']));
    if (zoom === undefined || geometry.type !== 'Point') return;
    const [lon = 0, lat = 0] = geometry.coordinates;
    map.easeTo({ center: [lon, lat], zoom: Math.min(zoom, 12), duration: reduced ? 0 : 300 }, { originalEvent: true });
  };

  map.on('load', () => {
    ready = true;
    if (streetTiles) {
      map.addSource('streets', { type: 'raster', tiles: [streetTiles.url], tileSize: 256, maxzoom: streetTiles.max_zoom });
      map.addLayer(
        { id: 'streets', type: 'raster', source: 'streets', paint: { 'raster-saturation': -0.7, 'raster-opacity': 0.85 } },
        'counties',
      );
    }
    draw();
    showTiles();
    filter();
    remark();
    // The base is decoration under the alerts: without it they are still drawn.
    loadStates().then(
      (states) => void source('states')?.setData(states),
      () => undefined,
    );
    askCounties();
    events.onReady?.();
  });
  map.on('mousemove', (event) => {
    const hit = hitAt(event);
    const pressable = hit.ids.length > 0 || clusterAt(event.point) !== undefined;
    map.getCanvas().style.cursor = pressable ? 'pointer' : '';
    events.onHover(hit.ids.length > 0 ? hit : null);
  });
  map.on('mouseout', () => events.onHover(null));
  map.on('click', (event) => {
    const cluster = clusterAt(event.point);
    if (cluster) return void openCluster(cluster);
    const hit = hitAt(event);
    if (hit.ids.length > 0) events.onPick(hit);
    else events.onMiss?.();
  });
  map.on('render', () => (still = false));
  map.on('idle', () => (still = true));
  map.on('move', () => events.onMove?.());
  map.on('moveend', (event) => {
    askCounties();
    const center = map.getCenter();
    // Only what a person did goes into the address.
    if ('originalEvent' in event && event.originalEvent) events.onView({ lat: center.lat, lon: center.lng, zoom: map.getZoom() });
  });

  return {
    show(features) {
      shown = features;
      draw();
    },
    showTiles(url) {
      if (url === tiles) return;
      tiles = url;
      showTiles();
    },
    showOnly(ids) {
      only = ids;
      filter();
    },
    select: (id) => mark('selected', id),
    hover: (id) => mark('hover', id),
    fit: (bounds: LngLatBoundsLike, quick = false) =>
      void map.fitBounds(
        bounds,
        { padding: 36, maxZoom: 8, duration: quick || reduced ? 0 : 500, essential: false },
        quick ? {} : { originalEvent: true },
      ),
    goTo: ({ lat, lon, zoom }) =>
      void map.easeTo({ center: [lon, lat], zoom, duration: reduced ? 0 : 500, essential: false }, { originalEvent: true }),
    pin(at) {
      if (at === null) {
        pin?.remove();
        pin = null;
        return;
      }
      pin ??= new Marker({ element: pinElement(), anchor: 'bottom' }).setLngLat([at.lon, at.lat]).addTo(map);
      pin.setLngLat([at.lon, at.lat]);
    },
    zoomBy: (steps) => void map.easeTo({ zoom: map.getZoom() + steps, duration: reduced ? 0 : 200 }, { originalEvent: true }),
    project(lon, lat) {
      const { x, y } = map.project([lon, lat]);
      return { x, y };
    },
    isStill: () => still,
    recolour(next) {
      readNow = next;
      const apply = () => {
        for (const { layer, name, value } of paintChanges(next, markers, tiles !== null)) {
          if (map.getLayer(layer)) map.setPaintProperty(layer, name as never, value as never);
        }
        for (const name of images) {
          const image = drawImage(name, next);
          if (image && map.hasImage(name)) map.updateImage(name, image);
        }
      };
      if (ready) apply();
      else map.once('load', apply);
    },
    remove: () => map.remove(),
  };
}

/** A pin in the accent of the theme, not in the colour of any severity. */
function pinElement(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'place-pin';
  return element;
}

function samePoints(a: MapFeatures['points'], b: MapFeatures['points']): boolean {
  if (a.features.length !== b.features.length) return false;
  return a.features.every((feature, at) => {
    const other = b.features[at];
    return (
      other !== undefined &&
      feature.properties.id === other.properties.id &&
      feature.properties.order === other.properties.order &&
      feature.geometry.coordinates.join() === other.geometry.coordinates.join()
    );
  });
}

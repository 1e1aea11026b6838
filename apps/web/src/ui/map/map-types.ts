import type { MapFeatures } from './map-features.ts';
import type { ReadToken } from './map-style.ts';

/** Zoom in the steps of 512-pixel tiles: one less than maps of 256-pixel tiles count. */
export interface MapView {
  lat: number;
  lon: number;
  zoom: number;
}

export interface MapHit {
  /** Event ids, topmost first. */
  ids: readonly string[];
  /** In pixels of the map's box, and where that is. */
  x: number;
  y: number;
  lon: number;
  lat: number;
}

export interface MapEvents {
  onHover: (hit: MapHit | null) => void;
  onPick: (hit: MapHit) => void;
  /** A press where nothing is. */
  onMiss?: () => void;
  /** The view after a person moved it. */
  onView: (view: MapView) => void;
  /** On every frame of a movement: what is pinned to a place has moved. */
  onMove?: () => void;
  onReady?: () => void;
}

/** Street tiles of an OpenStreetMap-compatible server, as the operator configured them. */
export interface StreetTiles {
  url: string;
  max_zoom: number;
}

export interface MapOptions {
  /** By the size of the box in pixels; null: the whole of the lower 48. */
  start: MapView | ((widthPx: number, heightPx: number) => MapView) | null;
  /** A marker for every alert, gathered at low zoom; otherwise a spot only where an area is too small to be seen. */
  markers?: boolean;
  streetTiles?: StreetTiles | null;
  /** Session of the moment, for tiles of the API. */
  token?: () => string | null;
}

export interface MapEngine {
  show(features: MapFeatures): void;
  /** Draws alerts from vector tiles of this address instead of shapes of the page; null: not any more. */
  showTiles(url: string | null): void;
  /** Draws these events only; null: all. */
  showOnly(ids: ReadonlySet<string> | null): void;
  select(id: string | null): void;
  hover(id: string | null): void;
  /** [west, south, east, north]. `quick`: at once, and not a person's wish, so that the address does not name it. */
  fit(bounds: [number, number, number, number], quick?: boolean): void;
  goTo(view: MapView): void;
  /** Marks a place; null: none. */
  pin(at: { lat: number; lon: number } | null): void;
  zoomBy(steps: number): void;
  /** Pixels of the map's box at which a place is now. */
  project(lon: number, lat: number): { x: number; y: number };
  /** Nothing of it is being drawn, or waits to be. */
  isStill(): boolean;
  recolour(read: ReadToken): void;
  remove(): void;
}

/** [west, south, east, north] of the places a button leads to. Guam lies west of the date line. */
export const EXTENTS = {
  'Lower 48': [-124.9, 24.3, -66.8, 49.5],
  Alaska: [-187, 50.5, -129, 71.6],
  Hawaii: [-160.6, 18.7, -154.6, 22.4],
  Caribbean: [-68.2, 17.4, -64.3, 18.9],
  Pacific: [-217, -15.5, -168, 19],
} as const satisfies Record<string, [number, number, number, number]>;

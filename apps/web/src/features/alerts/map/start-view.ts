import { EXTENTS, type MapView } from '../../../ui/map/map-types.ts';

/** MAP-01. Zoom 4 is meant for tiles of 256 pixels, as street maps count it; this map counts in tiles of 512, where it is 3. */
const CENTRE = { lat: 39.8283, lon: -98.5795 };
const ZOOM = 4 - 1;
/** Pixels of the world's edge at zoom 0. */
const WORLD_PX = 512;
const MARGIN_PX = 28;

const mercator = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI);

/** Where the map begins: as the spec has it, further away where the box is too small to show the whole of the lower 48. */
export function startView(widthPx: number, heightPx: number): MapView {
  const [west, south, east, north] = EXTENTS['Lower 48'];
  const byWidth = Math.log2(Math.max(1, widthPx - MARGIN_PX) / (((east - west) / 360) * WORLD_PX));
  const byHeight = Math.log2(Math.max(1, heightPx - MARGIN_PX) / ((mercator(north) - mercator(south)) * WORLD_PX));
  return { ...CENTRE, zoom: Math.max(1.5, Math.min(ZOOM, byWidth, byHeight)) };
}

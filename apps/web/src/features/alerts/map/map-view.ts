import type { MapView } from '../../../ui/map/map-types.ts';

/** "lat,lon,zoom" of the address. */
export function readView(text: string | undefined): MapView | null {
  const [lat, lon, zoom] = (text ?? '').split(',').map(Number);
  if (lat === undefined || lon === undefined || zoom === undefined || Math.abs(lat) > 85) return null;
  return { lat, lon, zoom };
}

/** About 100 m of precision: enough for a link, short enough to read. */
export const writeView = (view: MapView): string => `${view.lat.toFixed(3)},${view.lon.toFixed(3)},${view.zoom.toFixed(2)}`;

import { readSeverities, writeSeverities } from '../../../lib/severities.ts';
import { type MapSearch } from './map-search.ts';

/** Entries of the log that pass before tiles are asked for anew: a stormy day brings several a second, a screenful is a dozen requests. */
const ENTRIES_PER_RENEWAL = 25;

/**
 * Address of the vector tiles with the filters of the map; `seq` is how far the log went, so that tiles follow it. Null: nothing is to be
 * drawn.
 */
export function tileAddress(origin: string, search: MapSearch, seq: number): string | null {
  const on = readSeverities(search.on);
  if (on.size === 0) return null;
  const query = new URLSearchParams({ active_only: 'true' });
  const severities = writeSeverities(on);
  if (severities) query.set('severity', severities);
  if (search.event) query.set('event', search.event);
  if (search.polygon) query.set('geometry_source', 'polygon');
  query.set('v', String(Math.floor(seq / ENTRIES_PER_RENEWAL)));
  return `${origin}/api/v1/alerts/tiles/{z}/{x}/{y}.mvt?${query}`;
}

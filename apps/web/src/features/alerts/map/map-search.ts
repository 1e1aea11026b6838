import { readSeverities, writeSeverities } from '../../../lib/severities.ts';
import { readAlertsSearch } from '../search-params.ts';

/** MAP-08; 0 is "All": no limit is sent, and the server's own holds. */
export const MAP_LIMITS = [25, 50, 100, 200, 500] as const;
export type MapLimit = (typeof MAP_LIMITS)[number] | 0;

/** What the address of the map says; absent = default (MAP-07): active only, every severity on, no limit. */
export interface MapSearch {
  q?: string;
  /** Severities that are on, joined by commas; "none" when all are off. */
  on?: string;
  event?: string;
  scope?: 'all';
  /** Only alerts with a polygon of their issuer: what the spec's map draws. */
  polygon?: true;
  limit?: (typeof MAP_LIMITS)[number];
  /** Event id of the selected alert. */
  alert?: string;
  details?: true;
  /** "lat,lon,zoom" */
  map?: string;
  /** Chosen place: "lat,lon", or the code of an area. */
  place?: string;
}

/** What "Reset filters" leaves. */
export const MAP_DEFAULTS: Partial<MapSearch> = {
  q: undefined,
  on: undefined,
  event: undefined,
  scope: undefined,
  polygon: undefined,
  limit: undefined,
};
export const isFiltered = ({ q, on, event, scope, polygon, limit }: MapSearch): boolean =>
  Boolean(q ?? on ?? event ?? scope ?? polygon ?? limit);

/** Which alerts are listed and drawn: everything but which of them is chosen, and where the map looks. */
const OF_THE_LIST = ['q', 'on', 'event', 'scope', 'polygon', 'limit'] as const;
export const isSameList = (a: MapSearch, b: MapSearch): boolean => OF_THE_LIST.every((name) => a[name] === b[name]);

/** Reads an address made by anyone: what is not understood is left out, never an error. */
export function readMapSearch(given: Record<string, unknown>): MapSearch {
  const { q, event, scope, alert, details, map, place } = readAlertsSearch(given);
  const search: MapSearch = {
    ...(q ? { q } : {}),
    ...(event ? { event } : {}),
    ...(scope ? { scope } : {}),
    ...(alert ? { alert } : {}),
    ...(details ? { details } : {}),
    ...(map ? { map } : {}),
    ...(place ? { place } : {}),
  };
  const on = writeSeverities(readSeverities(typeof given['on'] === 'string' ? given['on'] : undefined));
  const limit = MAP_LIMITS.find((value) => value === Number(given['limit']));
  if (on) search.on = on;
  if (given['polygon'] === true || given['polygon'] === 'true') search.polygon = true;
  if (limit) search.limit = limit;
  return search;
}

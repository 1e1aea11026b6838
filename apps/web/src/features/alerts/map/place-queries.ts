import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AlertList, alerts, Place, PlaceSearch, places, ReplyOf } from '@nwms/contract';
import type { Api } from '../../../api/call.ts';
import { ApiError } from '../../../api/errors.ts';
import { line } from '../../../api/line.ts';
import { type PlaceAddress, readPlace, writePosition } from './place-address.ts';

const SEARCH = line<typeof places.searchPlaces>('GET', '/places/search');
const REVERSE = line<typeof places.reversePlace>('GET', '/places/reverse');
const NEAR = line<typeof alerts.alertsNear>('GET', '/alerts/near');
const WITHIN = line<typeof alerts.alertsWithin>('GET', '/alerts/within');

/** The server wants two characters. */
export const LEAST_CHARACTERS = 2;
/** Alerts named at a place; of more the number is told. */
const SHOWN = 4;
/** How often the alerts of a place are asked for again; sooner when one changes. */
const AGAIN_MS = 60_000;

export const placeSearchQuery = (api: Api, q: string) =>
  queryOptions<PlaceSearch>({
    queryKey: ['places', 'search', q],
    queryFn:
      q.length >= LEAST_CHARACTERS
        ? ({ signal }) => api.call(SEARCH, { query: { q, areas: true, limit: 12 }, signal }) as Promise<PlaceSearch>
        : skipToken,
    staleTime: 3_600_000,
    retry: false,
  });

/** A place that is shown: what the address says and what is known about it. */
export interface ShownPlace {
  label: string;
  lat: number;
  lon: number;
  /** West, south, east, north of an area; null for a point. */
  bbox: [number, number, number, number] | null;
  attribution: readonly string[];
}

export const placeKey = (address: string) => ['places', 'of', address] as const;

/** A chosen row as it is shown: as it was read, not as the position would be named. */
export const shownPlace = (place: Place, attribution: readonly string[]): ShownPlace => ({
  label: place.label,
  lat: place.lat,
  lon: place.lon,
  bbox: place.bbox?.length === 4 ? (place.bbox as ShownPlace['bbox']) : null,
  attribution: place.source === 'gazetteer' ? attribution : [],
});

/** What the address names. A position is shown also when nobody can name it; an unknown code is no place. */
export const placeQuery = (api: Api, address: string | undefined) => {
  const asked = readPlace(address);
  return queryOptions<ShownPlace | null>({
    queryKey: placeKey(address ?? ''),
    queryFn: asked ? ({ signal }) => (asked.kind === 'area' ? findArea(api, asked.code, signal) : nameOf(api, asked, signal)) : skipToken,
    staleTime: Infinity,
    retry: 1,
  });
};

async function findArea(api: Api, code: string, signal: AbortSignal): Promise<ShownPlace | null> {
  const found = (await api.call(SEARCH, { query: { q: code, areas: true }, signal })) as PlaceSearch;
  const area = found.places.find(({ ugc }) => ugc === code);
  return area ? shownPlace(area, []) : null;
}

async function nameOf(api: Api, at: Extract<PlaceAddress, { kind: 'point' }>, signal: AbortSignal): Promise<ShownPlace> {
  const written = writePosition(at.lat, at.lon).replace(',', ', ');
  try {
    const found = (await api.call(REVERSE, { query: { lat: at.lat, lon: at.lon }, signal })) as ReplyOf<typeof places.reversePlace>;
    const near = found.kind === 'coordinates' ? '' : ` (near ${found.label})`;
    const attribution = found.source === 'gazetteer' && near ? found.attribution : [];
    return { label: `${written}${near}`, lat: at.lat, lon: at.lon, bbox: null, attribution };
  } catch (error) {
    // A server without names of places: the position is still one.
    if (error instanceof ApiError && error.status !== 401) return { label: written, lat: at.lat, lon: at.lon, bbox: null, attribution: [] };
    throw error;
  }
}

export interface AlertsThere {
  alerts: AlertList['alerts'];
  total: number;
  status: AlertList['freshness']['status'];
  /** The place lies in no zone of the weather service: nothing can be concluded. */
  outside: boolean;
  /** Active alerts whose area is not completely known may lie there: an empty list proves nothing. */
  unplaced: boolean;
}

/** Active alerts at a point; of an area those that touch its box, so that none of the area can be missing. */
export const alertsThereQuery = (api: Api, place: ShownPlace | null | undefined) =>
  queryOptions<AlertsThere>({
    queryKey: ['places', 'alerts', place?.lat, place?.lon, place?.bbox?.join() ?? null],
    queryFn: place
      ? async ({ signal }) => {
          const common = { active_only: true, limit: SHOWN };
          const { lat, lon, bbox } = place;
          const answer = bbox
            ? await api.call(WITHIN, { query: { ...common, bbox: bbox.join() }, signal })
            : await api.call(NEAR, { query: { ...common, lat, lon, radius_km: 0 }, signal });
          const { alerts: rows, total, freshness, warnings } = answer as unknown as AlertList;
          const outside = 'coverage' in answer && answer.coverage !== 'inside';
          const unplaced = warnings.some(({ code }) => code === 'shape_unknown');
          return { alerts: rows, total, status: freshness.status, outside, unplaced };
        }
      : skipToken,
    staleTime: 0,
    refetchInterval: AGAIN_MS,
    retry: 1,
  });

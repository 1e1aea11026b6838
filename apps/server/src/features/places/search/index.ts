import { places as placeRoutes, type QueryOf, type ReplyOf } from '@nwms/contract';
import { foldPlaceName, MATCH, readPlaceQuery, searchPlaces } from '@nwms/domain';
import { AppError } from '../../../platform/app-error.ts';
import { fieldFault } from '../../../platform/http/field-fault.ts';
import type { Serve } from '../../../platform/http/serve.ts';
import { createAreas } from './areas.ts';
import { BUILTIN_GROUPS, DEFAULT_BUILTIN } from './builtin-places.ts';
import type { PlaceSearchDeps } from './deps.ts';
import { createLoader, type Loaded } from './loader.ts';
import { positionOf } from './positions.ts';
import { presentHit, presentPosition, presentSettlement } from './present-place.ts';
import { Settlements } from './settlements.ts';

export type { PlaceSearchDeps } from './deps.ts';

export interface PlaceSearchSlice {
  registerRoutes(serve: Serve): void;
}

type SearchQuery = QueryOf<typeof placeRoutes.searchPlaces>;
type ReverseQuery = QueryOf<typeof placeRoutes.reversePlace>;

/** B6: a built-in city this near, a gazetteer place this near. */
const CITY_WITHIN_KM = 50;
const NAME_WITHIN_KM = 25;
const MOST = 15;
/** A county or zone by its UGC. */
const CODE = /^[A-Z]{2}[CZ]\d{3}$/i;
/** From so many rows on nobody would ask a geocoder. */
const ENOUGH = 3;
const DAY_S = 86_400;
const HOUR_S = 3_600;
const NO_GAZETTEER = {
  code: 'gazetteer_missing',
  message: 'This server has no gazetteer: only built-in cities, counties, zones and states are known.',
};

/** Names of places, from memory. Every place that may be meant is an answer; what is not known is not invented. */
export function createPlaceSearch(deps: PlaceSearchDeps & { now: () => number }): PlaceSearchSlice {
  const load = createLoader(deps);
  const areas = createAreas(deps.areas);
  const countryName = createCountryNames();
  const foldedCountry = createFoldedCountries(countryName);
  const presenting = (loaded: Pick<Loaded, 'settlements'>, near: { lat: number; lon: number } | null) => ({
    deps,
    settlements: loaded.settlements,
    areas: areas(),
    countryName,
    near,
  });

  async function search(query: SearchQuery): Promise<ReplyOf<typeof placeRoutes.searchPlaces>> {
    if (foldPlaceName(query.q).length < 2) throw fieldFault('q', 'format', 'q needs at least 2 letters or digits.');
    const near = positionOf(query);
    const loaded = await load();
    const what = presenting(loaded, near);
    const indexes = [loaded.settlements.index, ...(query.areas ? [what.areas.index] : [])];
    const coded = query.areas ? what.areas.byCode.get(query.q.trim().toUpperCase()) : undefined;
    const { hits, total } =
      coded !== undefined && CODE.test(query.q.trim())
        ? { hits: [{ index: what.areas.index, id: coded, match: MATCH.ownName }], total: 1 }
        : searchPlaces(indexes, readPlaceQuery(query.q, foldedCountry), {
            limit: query.limit ?? MOST,
            near,
            usOnly: query.scope !== 'world',
          });
    const places = hits.flatMap((hit) => presentHit(what, hit) ?? []);
    return {
      places,
      total,
      truncated: places.length < total,
      geocoder: total >= ENOUGH ? 'not_needed' : 'off',
      attribution: loaded.attribution ? [loaded.attribution] : [],
      warnings: loaded.attribution ? [] : [NO_GAZETTEER],
    };
  }

  async function reverse(query: ReverseQuery): Promise<ReplyOf<typeof placeRoutes.reversePlace>> {
    const at = positionOf(query);
    if (!at) throw fieldFault('lat', 'required', 'lat is missing: a position needs both lat and lon.');
    const loaded = await load();
    if (!loaded.attribution) throw new AppError('place.unavailable', { public: NO_GAZETTEER.message, retryAfterSeconds: 60 });
    const { settlements } = loaded;
    const what = presenting(loaded, at);
    const named = settlements.index.nearest(at.lat, at.lon, NAME_WITHIN_KM, (id) => !settlements.isPart(id));
    const city = settlements.index.nearest(at.lat, at.lon, CITY_WITHIN_KM, (id) => settlements.index.own[id] ?? false);
    const bare = presentPosition(deps, at, query.accuracy ?? null);
    const found = named === null ? null : presentSettlement(what, named);
    return {
      ...bare,
      // The name is a place's, the position stays the asked one.
      ...(found && {
        ...found,
        lat: at.lat,
        lon: at.lon,
        in_us_coverage: bare.in_us_coverage,
        time_zone: bare.time_zone,
        type: bare.type,
        accuracy: bare.accuracy,
      }),
      nearest_city: city === null ? null : presentSettlement(what, city),
      attribution: [loaded.attribution],
    };
  }

  /** The built-in cities need no gazetteer. */
  function popular(): ReplyOf<typeof placeRoutes.popularPlaces> {
    const settlements = new Settlements();
    const what = presenting({ settlements }, null);
    let next = 0;
    const groups = BUILTIN_GROUPS.map(({ key, title, places }) => ({
      key,
      title,
      places: places.map(() => presentSettlement(what, next++)),
    }));
    const all = groups.flatMap((group) => group.places);
    const chosen = all.find(({ name, state }) => name === DEFAULT_BUILTIN.name && state === DEFAULT_BUILTIN.state);
    if (!chosen) throw new Error('the default place is not in the list');
    return { groups, default: chosen, total: all.length };
  }
  let popularOnce: ReturnType<typeof popular> | null = null;

  return {
    registerRoutes(serve) {
      serve(placeRoutes.searchPlaces, async ({ query, reply }) => {
        const answer = await search(query);
        // A gazetteer may be there the next time.
        reply.header('Cache-Control', answer.warnings.length > 0 ? 'no-cache' : `private, max-age=${HOUR_S}`);
        return answer;
      });
      serve(placeRoutes.reversePlace, async ({ query, reply }) => {
        const answer = await reverse(query);
        reply.header('Cache-Control', `private, max-age=${DAY_S}`);
        return answer;
      });
      serve(placeRoutes.popularPlaces, ({ reply }) => {
        reply.header('Cache-Control', `private, max-age=${DAY_S}`);
        return (popularOnce ??= popular());
      });
    },
  };
}

/** English names; none for a code that nobody assigned. Made at the first question: it takes long enough to be missed at a start. */
function createCountryNames(): (code: string) => string {
  let names: Intl.DisplayNames | null = null;
  return (code) => {
    names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? '') : '';
  };
}

function createFoldedCountries(countryName: (code: string) => string): (code: string) => string {
  const folded = new Map<string, string>();
  return (code) => {
    const known = folded.get(code) ?? foldPlaceName(countryName(code));
    folded.set(code, known);
    return known;
  };
}

import type { Place } from '@nwms/contract';
import {
  foldPlaceName,
  geodesicKm,
  placeImportance,
  placeLabel,
  type PlaceHit,
  placeTag,
  settlementKind,
  shortHash,
  US_STATE_NAMES,
} from '@nwms/domain';
import timeZoneOf from '@photostructure/tz-lookup';
import type { Areas } from './areas.ts';
import type { PlaceSearchDeps } from './deps.ts';
import type { Settlements } from './settlements.ts';

export interface Position {
  lat: number;
  lon: number;
}

interface Presenting {
  deps: PlaceSearchDeps;
  settlements: Settlements;
  areas: Areas;
  countryName: (code: string) => string;
  /** Asked position, for the distance. */
  near: Position | null;
}

/** A hit as the wire has it; null for an area whose place is not known. */
export function presentHit(what: Presenting, hit: PlaceHit): Place | null {
  return hit.index === what.settlements.index ? presentSettlement(what, hit.id) : presentArea(what, hit.id);
}

export function presentSettlement({ deps, settlements, countryName, near }: Presenting, id: number): Place {
  const { index } = settlements;
  const name = index.names[id] ?? '';
  const usState = index.usStates[id] ?? null;
  const code = index.countries[id] ?? 'ZZ';
  const population = settlements.population(id);
  const at = { lat: round(index.lats[id] ?? 0), lon: round(index.lons[id] ?? 0) };
  const builtin = settlements.builtin(id);
  const geonames = settlements.geonamesId(id);
  const own = builtin && `${foldPlaceName(builtin.name)}-${builtin.state.toLowerCase()}`.replaceAll(' ', '-');
  return {
    id: own ? `plc_${own}` : `plc_${geonames ?? shortHash(`${name} ${at.lat} ${at.lon}`)}`,
    name,
    ...where(usState, index.regions[id] ?? null, code, name, countryName),
    ...at,
    kind: settlementKind(population),
    population,
    ...aroundOf(deps, at, near),
    priority: index.priorities[id] ?? 4,
    tag: placeTag(priorityOf(index.priorities[id])),
    type: builtin ? 'builtin' : 'gazetteer',
    accuracy: null,
    source: builtin ? 'builtin' : 'gazetteer',
    importance: rounded(placeImportance(population)),
    ugc: null,
    bbox: null,
  };
}

function presentArea({ deps, areas, countryName, near }: Presenting, id: number): Place | null {
  const entry = areas.entries[id];
  if (!entry) return null;
  const { index } = areas;
  const found = whereabouts(deps, entry);
  if (!found) return null;
  const name = index.names[id] ?? entry.code;
  const state = index.usStates[id] ?? null;
  return {
    id: `plc_${entry.code.toLowerCase()}`,
    name,
    ...where(entry.kind === 'state' ? null : state, null, 'US', name, countryName),
    ...(entry.kind === 'state' && { state: entry.code, state_name: name }),
    ...found.at,
    kind: entry.kind,
    population: null,
    ...aroundOf(deps, found.at, near),
    priority: index.priorities[id] ?? 3,
    tag: placeTag(priorityOf(index.priorities[id])),
    type: 'area',
    accuracy: null,
    source: 'zones',
    importance: null,
    in_us_coverage: true,
    ugc: entry.code,
    bbox: found.bbox,
  };
}

function whereabouts({ areas }: PlaceSearchDeps, { kind, code, family }: Areas['entries'][number]) {
  if (kind === 'state') {
    const bbox = areas.stateBox(code);
    if (!bbox) return null;
    const [west, south, east, north] = bbox;
    const middle = (west + (west > east ? east + 360 : east)) / 2;
    return { at: { lat: round((south + north) / 2), lon: round(middle > 180 ? middle - 360 : middle) }, bbox: bbox.map(round) };
  }
  const found = areas.whereabouts(code, family);
  return found && { at: { lat: round(found.labelPoint[1]), lon: round(found.labelPoint[0]) }, bbox: found.bbox.map(round) };
}

/** A position that no name is known for. */
export function presentPosition(deps: PlaceSearchDeps, at: Position, accuracy: number | null): Place {
  return {
    id: null,
    name: CURRENT,
    label: CURRENT,
    ...at,
    state: null,
    state_name: null,
    country: '',
    country_code: 'ZZ',
    kind: 'coordinates',
    population: null,
    ...aroundOf(deps, at, null),
    priority: 4,
    tag: 'Found',
    type: 'user_location',
    accuracy,
    source: 'device',
    importance: null,
    ugc: null,
    bbox: null,
  };
}

const CURRENT = 'Current Location';

function where(usState: string | null, region: string | null, code: string, name: string, countryName: (code: string) => string) {
  const country = countryName(code);
  return {
    label: placeLabel(name, usState ?? region, { name: country, code }),
    state: usState ?? region,
    state_name: usState === null ? region : (US_STATE_NAMES.get(usState) ?? null),
    country,
    country_code: code,
  };
}

/** What depends on the position alone. */
function aroundOf({ places }: PlaceSearchDeps, at: Position, near: Position | null) {
  return {
    distance_km: near && Math.round(geodesicKm(near.lon, near.lat, at.lon, at.lat) * 10) / 10,
    time_zone: zoneNameOf(at),
    in_us_coverage: places.coverage(at.lon, at.lat, 0) === 'inside',
  };
}

function zoneNameOf({ lat, lon }: Position): string | null {
  try {
    return timeZoneOf(lat, lon);
  } catch {
    return null;
  }
}

const priorityOf = (value: number | undefined) => (value === 1 || value === 2 || value === 3 ? value : 4);
/** Positions carry four decimals, about 10 m (trap 26). */
export const round = (degrees: number): number => Math.round(degrees * 10_000) / 10_000;
const rounded = (value: number | null): number | null => value && Math.round(value * 1000) / 1000;

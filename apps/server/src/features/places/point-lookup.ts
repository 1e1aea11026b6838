import { boxesAround, distanceKm, isMarineUgc, pointInShape, type ZoneType } from '@nwms/domain';
import Flatbush from 'flatbush';
import type { ZoneBook, ZoneVersion } from './zone-book.ts';

/** Zones of a place; the index is rebuilt at the first question after the book grew (some milliseconds). */
export interface PointLookup {
  zonesAt(lon: number, lat: number, toleranceKm: number): { code: string; type: ZoneType }[];
  coverage(lon: number, lat: number, radiusKm: number): 'inside' | 'outside' | 'partial';
}

/** Tolerance of place questions (trap 26). */
const PLACE_TOLERANCE_KM = 0.4;

export function createPointLookup(book: ZoneBook): PointLookup {
  let built: { generation: number; near: NearBox } | null = null;
  /** The last question: a place is asked for its zones and its coverage in one go. */
  let last: { generation: number; lon: number; lat: number; km: number; found: ZoneVersion[] } | null = null;

  function candidates(lon: number, lat: number, km: number): ZoneVersion[] {
    const generation = book.generation();
    if (built?.generation !== generation) built = { generation, near: buildIndex(book) };
    return built.near(lon, lat, km);
  }

  function within(lon: number, lat: number, km: number): ZoneVersion[] {
    const generation = book.generation();
    if (last && last.generation === generation && last.lon === lon && last.lat === lat && last.km === km) return last.found;
    const found = candidates(lon, lat, km).filter((version) => reaches(version, lon, lat, km));
    last = { generation, lon, lat, km, found };
    return found;
  }

  return {
    zonesAt: (lon, lat, toleranceKm) => within(lon, lat, toleranceKm).map(nameOf).sort(byCode),
    coverage(lon, lat, radiusKm) {
      if (within(lon, lat, PLACE_TOLERANCE_KM).length > 0) return 'inside';
      const isNear = candidates(lon, lat, radiusKm).some((version) => reaches(version, lon, lat, radiusKm));
      return isNear ? 'partial' : 'outside';
    },
  };
}

function nameOf({ code, family }: ZoneVersion): { code: string; type: ZoneType } {
  return { code, type: family === 'forecast' ? (isMarineUgc(code) ? 'marine' : 'public') : family };
}

function byCode(a: { code: string; type: string }, b: { code: string; type: string }): number {
  if (a.code !== b.code) return a.code < b.code ? -1 : 1;
  return a.type < b.type ? -1 : 1;
}

type NearBox = (lon: number, lat: number, km: number) => ZoneVersion[];

function reaches(version: ZoneVersion, lon: number, lat: number, km: number): boolean {
  const shape = version.matchShape();
  if (km <= 0) return pointInShape(lon, lat, shape);
  return distanceKm(lon, lat, shape, km) <= km;
}

function buildIndex(book: ZoneBook): NearBox {
  const places = book.places();
  const owners: number[] = [];
  const flat = places.flatMap((place, at) => place.boxes.map((box) => (owners.push(at), box)));
  if (flat.length === 0) return () => [];
  const index = new Flatbush(flat.length);
  for (const [west, south, east, north] of flat) index.add(west, south, east, north);
  index.finish();
  return (lon, lat, km) => {
    const seen: number[] = [];
    const versions: ZoneVersion[] = [];
    for (const [west, south, east, north] of boxesAround(lon, lat, Math.max(km, MINIMAL_REACH_KM))) {
      for (const hit of index.search(west, south, east, north)) {
        const owner = owners[hit] ?? 0;
        if (seen.includes(owner)) continue;
        seen.push(owner);
        const version = places[owner]?.version();
        if (version) versions.push(version);
      }
    }
    return versions;
  };
}

/** So that a point exactly on a box's edge is found in spite of rounding, and 180 finds -180. */
const MINIMAL_REACH_KM = 0.001;

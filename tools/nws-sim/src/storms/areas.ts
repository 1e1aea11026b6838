import type { Position, Ring } from '@nwms/domain/geo/shape';

import type { Atlas, County } from '../places/atlas.ts';
import { bboxOf, contains, distanceKm } from '../places/geometry.ts';
import type { MarineZone } from '../places/marine.ts';
import type { Office } from '../places/offices.ts';
import type { Random } from '../random.ts';
import type { Area } from './model.ts';

/** The county itself (C in its UGC). */
export function countyArea(county: County): Area {
  const label = `${county.name}, ${county.state}`;
  return { ugc: `${county.state}C${county.fips.slice(2)}`, family: 'county', label, same: [`0${county.fips}`] };
}

/** Public zone: the simulator gives every county one zone of the same number and shape. */
export function forecastArea(county: County): Area {
  return { ugc: `${county.state}Z${county.fips.slice(2)}`, family: 'forecast', label: county.name, same: [`0${county.fips}`] };
}

/**
 * Fire zone: same letter Z, another number space (trap 21). The number is the county's plus one, so that reading a fire zone as a
 * public one hits a place that does not exist or, for a few independent cities, a wrong one.
 */
export function fireArea(county: County): Area {
  return { ugc: `${county.state}Z${fireNumber(county)}`, family: 'fire', label: county.name, same: [`0${county.fips}`] };
}

export function fireNumber(county: County): string {
  return String(Number(county.fips.slice(2)) + 1).padStart(3, '0');
}

export function marineArea(zone: MarineZone): Area {
  return { ugc: zone.id, family: 'forecast', label: zone.name, same: [zone.same] };
}

/** `count` counties of an office around a random one of them, nearest first. */
export function clusterOf(atlas: Atlas, office: Office, count: number, random: Random): County[] {
  return nearestFew(atlas.countiesOf(office), count, random);
}

/** `count` marine zones of an office around a random one of them. */
export function marineCluster(atlas: Atlas, office: Office, count: number, random: Random): MarineZone[] {
  return nearestFew(atlas.marineOf(office), count, random);
}

function nearestFew<T extends { center: Position }>(places: T[], count: number, random: Random): T[] {
  const [first, ...rest] = places;
  if (!first) return [];
  const heart = random.pick([first, ...rest]).center;
  return places.toSorted((a, b) => distanceKm(a.center, heart) - distanceKm(b.center, heart)).slice(0, count);
}

/** Steps of the sampling grid inside a polygon's box; with 7 a county under more than about a fiftieth of the box is found. */
const GRID = 7;

/** Counties the ring covers: under its corners or under grid points inside it. Sorted by FIPS. */
export function countiesUnder(atlas: Atlas, ring: Ring): County[] {
  const found = new Set<County>();
  const look = (position: Position): void => {
    const county = atlas.countyAt(position);
    if (county) found.add(county);
  };
  for (const corner of ring) look(corner);
  const [west, south, east, north] = bboxOf([ring]);
  const shape = { type: 'Polygon' as const, coordinates: [ring] };
  for (let i = 1; i < GRID; i += 1) {
    for (let j = 1; j < GRID; j += 1) {
      const position: Position = [west + ((east - west) * i) / GRID, south + ((north - south) * j) / GRID];
      if (contains(shape, position)) look(position);
    }
  }
  return [...found].sort((a, b) => (a.fips < b.fips ? -1 : 1));
}

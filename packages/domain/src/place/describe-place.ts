import { foldPlaceName } from './fold-name.ts';

export type PlacePriority = 1 | 2 | 3 | 4;
export type PlaceTag = 'Primary Coverage' | 'Major City' | 'Found';

/** Inhabitants from which a US city counts as major. */
const MAJOR_FROM = 250_000;
/** Inhabitants from which a place is called a city, a town. */
const CITY_FROM = 50_000;
const TOWN_FROM = 5_000;

export interface PlaceFacts {
  /** Two letters, null outside of the United States. */
  usState: string | null;
  inUnitedStates: boolean;
  population: number | null;
  /** Capital of its state or country. */
  isCapital: boolean;
}

/** 1 North Carolina, 2 major US city, 3 other US place, 4 elsewhere. */
export function placePriority({ usState, inUnitedStates, population, isCapital }: PlaceFacts): PlacePriority {
  if (usState === 'NC') return 1;
  if (!inUnitedStates) return 4;
  return isCapital || (population ?? 0) >= MAJOR_FROM ? 2 : 3;
}

export function placeTag(priority: PlacePriority): PlaceTag {
  return priority === 1 ? 'Primary Coverage' : priority === 2 ? 'Major City' : 'Found';
}

/** 0 to 1 on a logarithmic scale that 31 million inhabitants fill; null where nobody counted. */
export function placeImportance(population: number | null): number | null {
  if (population === null) return null;
  return Math.min(1, Math.max(0, Math.log10(population + 1) / 7.5));
}

export function settlementKind(population: number | null): 'city' | 'town' | 'village' | 'place' {
  if (population === null) return 'place';
  return population >= CITY_FROM ? 'city' : population >= TOWN_FROM ? 'town' : 'village';
}

/**
 * Name, state and country as people write them. A part is left out when it is unknown or the name already says it as a whole word, and the
 * country when it is the United States.
 */
export function placeLabel(name: string, state: string | null, country: { name: string; code: string }): string {
  const parts = [name];
  const said = () => ` ${foldPlaceName(parts.join(' '))} `;
  if (state && !said().includes(` ${foldPlaceName(state)} `)) parts.push(state);
  if (country.name && country.code !== 'US' && !said().includes(` ${foldPlaceName(country.name)} `)) parts.push(country.name);
  return parts.join(', ');
}

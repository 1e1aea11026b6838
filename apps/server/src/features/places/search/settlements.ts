import { foldPlaceName, otherSpelling, placeImportance, PlaceIndex, placePriority, US_STATE_NAMES, US_TERRITORIES } from '@nwms/domain';
import { BUILTIN_GROUPS, type BuiltinPlace } from './builtin-places.ts';
import type { Gazetteer, GazetteerRow } from './gazetteer.ts';
import { regionName } from './regions.ts';

/** Names of the gazetteer where nobody lives any more. */
const GONE = new Set(['PPLH', 'PPLQ', 'PPLW']);
/** Part of a place: found by its name, but not what a position is called. */
const PART_OF_PLACE = 'PPLX';
/** A gazetteer row of the same name this near a built-in city is that city (degrees). */
const SAME_WITHIN = 0.2;
/** What the gazetteer adds to the names of some: `New York City`, `Washington, D.C.`. */
const ADDITIONS = ['', ' city', ' d c'];

/** Cities, towns and villages: the built-in ones, and the gazetteer's once it is read. */
export class Settlements {
  readonly index = new PlaceIndex();
  readonly #builtin: BuiltinPlace[] = [];
  /** Beside the columns of the index, by the same number. */
  readonly #populations: (number | null)[] = [];
  readonly #geonamesIds: (number | null)[] = [];
  readonly #parts = new Set<number>();

  constructor() {
    for (const place of BUILTIN_GROUPS.flatMap((group) => group.places)) {
      this.#builtin.push(place);
      this.#add({ ...place, usState: place.state, region: null, countryCode: 'US', isCapital: place.isCapital ?? false, own: true }, null);
    }
  }

  /** Takes the gazetteer over, letting others run between pieces. */
  async read(gazetteer: Gazetteer, pause: () => Promise<void>): Promise<void> {
    for (const piece of gazetteer.rows()) {
      for (const row of piece) this.#take(row);
      await pause();
    }
  }

  builtin = (id: number): BuiltinPlace | undefined => this.#builtin[id];
  population = (id: number): number | null => this.#populations[id] ?? null;
  geonamesId = (id: number): number | null => this.#geonamesIds[id] ?? null;
  isPart = (id: number): boolean => this.#parts.has(id);

  #take(row: GazetteerRow): void {
    if (GONE.has(row.featureCode) || row.name === '') return;
    const isTerritory = US_TERRITORIES.has(row.countryCode);
    const letters = isTerritory ? row.countryCode : row.countryCode === 'US' ? row.adminCode : null;
    const usState = letters !== null && US_STATE_NAMES.has(letters) ? letters : null;
    const same = usState === null ? -1 : this.#builtinAt(row, usState);
    if (same >= 0) {
      this.#geonamesIds[same] = row.id || null;
      // `New York City` is a name of New York, too.
      const key = foldPlaceName(row.name);
      if (key !== foldPlaceName(this.index.names[same] ?? '')) this.index.addKey(same, key);
      return;
    }
    const id = this.#add(
      {
        name: row.name,
        lat: row.lat,
        lon: row.lon,
        population: row.population,
        usState,
        region: usState === null ? regionName(row.countryCode, row.adminCode) : null,
        countryCode: isTerritory ? 'US' : row.countryCode,
        isCapital: row.featureCode === 'PPLA' || row.featureCode === 'PPLC',
        own: false,
      },
      row.id || null,
    );
    if (row.featureCode === PART_OF_PLACE) this.#parts.add(id);
  }

  #builtinAt({ name, lat, lon, featureCode }: GazetteerRow, state: string): number {
    if (featureCode === PART_OF_PLACE) return -1;
    const key = foldPlaceName(name);
    return this.#builtin.findIndex(
      (place) =>
        place.state === state &&
        Math.abs(place.lat - lat) < SAME_WITHIN &&
        Math.abs(place.lon - lon) < SAME_WITHIN &&
        ADDITIONS.some((addition) => key === foldPlaceName(place.name) + addition),
    );
  }

  #add(place: NewPlace, geonamesId: number | null): number {
    const { population, isCapital, usState, countryCode } = place;
    const key = foldPlaceName(place.name);
    const other = otherSpelling(key);
    const priority = placePriority({ usState, inUnitedStates: countryCode === 'US', population, isCapital });
    const weight = placeImportance(population) ?? 0;
    const id = this.index.add({ ...place, priority, weight }, other === null ? [key] : [key, other]);
    this.#populations.push(population);
    this.#geonamesIds.push(geonamesId);
    return id;
  }
}

interface NewPlace {
  name: string;
  lat: number;
  lon: number;
  population: number | null;
  usState: string | null;
  region: string | null;
  countryCode: string;
  isCapital: boolean;
  own: boolean;
}

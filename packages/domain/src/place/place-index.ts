import { editTest } from './one-edit.ts';
import type { Narrowing } from './place-query.ts';

/** What a hit was found by, the better first. */
export const MATCH = { ownName: 0, ownState: 1, name: 2, word: 3, typo: 4 } as const;
export type Match = (typeof MATCH)[keyof typeof MATCH];

export interface IndexedPlace {
  name: string;
  /** Two letters, null outside of the United States. */
  usState: string | null;
  /** Name of the part of the country, elsewhere. */
  region: string | null;
  countryCode: string;
  lat: number;
  lon: number;
  priority: number;
  /** 0 to 1, by which equals are ordered. */
  weight: number;
  /** Of a list of our own: found before the others. */
  own: boolean;
}

/** A beginning is searched in the bucket of its first letters; no key is ever sorted. Two letters are asked for at least. */
const BUCKET = 3;
const SHORTEST = 2;
/** Bits for the place of a word in its key; words further back are not found by themselves. */
const WORD_BITS = 6;
const WORD_MASK = (1 << WORD_BITS) - 1;

/**
 * Names by the beginnings of their words. Columns instead of objects: 135,000 places take about 30 MB, and nothing is built at once that
 * would hold up the event loop.
 */
export class PlaceIndex {
  readonly #keys: string[] = [];
  readonly #owners: number[] = [];
  /** By the first letters of whole names, and of the words behind the first. */
  readonly #starts = new Map<string, number[]>();
  readonly #words = new Map<string, number[]>();
  readonly names: string[] = [];
  readonly usStates: (string | null)[] = [];
  readonly regions: (string | null)[] = [];
  readonly countries: string[] = [];
  readonly lats: number[] = [];
  readonly lons: number[] = [];
  readonly priorities: number[] = [];
  readonly weights: number[] = [];
  readonly own: boolean[] = [];

  get size(): number {
    return this.names.length;
  }

  /** @param keys folded names it is found by, the first its own */
  add(place: IndexedPlace, keys: readonly string[]): number {
    const id = this.names.length;
    this.names.push(place.name);
    this.usStates.push(place.usState);
    this.regions.push(place.region);
    this.countries.push(place.countryCode);
    this.lats.push(place.lat);
    this.lons.push(place.lon);
    this.priorities.push(place.priority);
    this.weights.push(place.weight);
    this.own.push(place.own);
    for (const key of keys) this.addKey(id, key);
    return id;
  }

  /** Another name of a place that is here. */
  addKey(id: number, key: string): void {
    if (this.#owners.length >= MOST_KEYS) throw new Error(`more than ${MOST_KEYS} names`);
    const number = this.#owners.length;
    this.#keys.push(key);
    this.#owners.push(id);
    for (let at = 0; at >= 0 && at <= WORD_MASK; at = nextWord(key, at)) {
      const prefix = key.slice(at, at + BUCKET);
      if (prefix.length < SHORTEST) continue;
      const buckets = at === 0 ? this.#starts : this.#words;
      const entry = number * (WORD_MASK + 1) + at;
      const bucket = buckets.get(prefix);
      if (bucket) bucket.push(entry);
      else buckets.set(prefix, [entry]);
    }
  }

  /** Every place of which a word begins with the folded text, each once or twice. */
  find(text: string, narrows: Narrowing | null, found: (id: number, match: Match) => void): void {
    for (const buckets of [this.#starts, this.#words]) {
      if (text.length >= BUCKET) this.#findIn(buckets.get(text.slice(0, BUCKET)), text, narrows, found);
      else for (const [prefix, bucket] of buckets) if (prefix.startsWith(text)) this.#findIn(bucket, text, narrows, found);
    }
  }

  /** Every place whose name begins with the text but for one letter that is wrong, missing, too many, or swapped with the next. */
  findWithTypo(text: string, narrows: Narrowing | null, found: (id: number, match: Match) => void): void {
    for (const [prefix, bucket] of this.#starts) {
      const test = editTest(prefix, text);
      if (test === null) continue;
      for (const entry of bucket) {
        const number = entry / (WORD_MASK + 1);
        const key = this.#keys[number] ?? '';
        if (!test(key)) continue;
        const id = this.#owners[number] ?? 0;
        if (this.#passes(id, narrows)) found(id, MATCH.typo);
      }
    }
  }

  /** Nearest place by a flat measure, good for some tens of kilometres; null = none within. */
  nearest(lat: number, lon: number, withinKm: number, fits: (id: number) => boolean = () => true): number | null {
    const perLon = KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
    const band = withinKm / KM_PER_DEGREE;
    let best: number | null = null;
    let bestKm = withinKm;
    for (let id = 0; id < this.lats.length; id += 1) {
      const north = (this.lats[id] ?? 0) - lat;
      if (north > band || north < -band) continue;
      const km = flatKm(north, (this.lons[id] ?? 0) - lon, perLon);
      if (km > bestKm || !fits(id)) continue;
      [best, bestKm] = [id, km];
    }
    return best;
  }

  #findIn(bucket: readonly number[] | undefined, text: string, narrows: Narrowing | null, found: (id: number, match: Match) => void): void {
    for (const entry of bucket ?? []) {
      const at = entry & WORD_MASK;
      const number = (entry - at) / (WORD_MASK + 1);
      if (!this.#keys[number]?.startsWith(text, at)) continue;
      const id = this.#owners[number] ?? 0;
      if (this.#passes(id, narrows)) found(id, at > 0 ? MATCH.word : this.own[id] ? MATCH.ownName : MATCH.name);
    }
  }

  #passes(id: number, narrows: Narrowing | null): boolean {
    return narrows === null || narrows(this.usStates[id] ?? null, this.regions[id] ?? null, this.countries[id] ?? '');
  }
}

/** So that a word's place fits beside the number of its key. */
const MOST_KEYS = 2 ** (31 - WORD_BITS);
const KM_PER_DEGREE = 111.2;

const nextWord = (key: string, at: number): number => {
  const space = key.indexOf(' ', at);
  return space < 0 ? -1 : space + 1;
};

function flatKm(north: number, eastRaw: number, perLon: number): number {
  const east = Math.abs(eastRaw) > 180 ? 360 - Math.abs(eastRaw) : eastRaw;
  return Math.hypot(north * KM_PER_DEGREE, east * perLon);
}

import { MATCH, type Match, type PlaceIndex } from './place-index.ts';
import type { PlaceQuery } from './place-query.ts';
import { FOLDED_STATES } from './us-states.ts';

export interface PlaceHit {
  index: PlaceIndex;
  id: number;
  match: Match;
}

export interface PlaceSearchOptions {
  limit: number;
  /** Equals are ordered by their way from here. */
  near: { lat: number; lon: number } | null;
  /** Only the United States and what its letters are known of. */
  usOnly: boolean;
}

/** Typing errors are forgiven from this many letters on, and only where nothing is found as typed. */
const TYPO_FROM = 5;
/** Shorter beginnings of states are beginnings of too many. */
const STATE_FROM = 4;

/**
 * The places somebody may have meant, best first: by what was matched, then priority, weight, nearness. Every place that matches counts in
 * `total`; none is chosen for the reader. The first reading of the query that finds anything holds.
 */
export function searchPlaces(
  indexes: readonly PlaceIndex[],
  readings: readonly PlaceQuery[],
  options: PlaceSearchOptions,
): { hits: PlaceHit[]; total: number } {
  for (const reading of readings) {
    const best = collect(indexes, reading, options, false);
    if (best.total > 0) return best;
  }
  for (const reading of readings) {
    const best = collect(indexes, reading, options, true);
    if (best.total > 0) return best;
  }
  return { hits: [], total: 0 };
}

function collect(indexes: readonly PlaceIndex[], { name, narrows }: PlaceQuery, options: PlaceSearchOptions, typos: boolean) {
  const matches: Matches[] = [];
  if (name.length < 2 || (typos && name.length < TYPO_FROM)) return { hits: [], total: 0 };
  for (const index of indexes) {
    const best = new Uint8Array(index.size).fill(NONE);
    const ids: number[] = [];
    const note = (id: number, match: Match) => {
      if (options.usOnly && index.countries[id] !== 'US') return;
      const before = best[id] ?? NONE;
      if (before === NONE) ids.push(id);
      if (match < before) best[id] = match;
    };
    if (typos) index.findWithTypo(name, narrows, note);
    else {
      index.find(name, narrows, note);
      if (narrows === null) ownOfState(index, name, note);
    }
    matches.push({ index, ids, best });
  }
  return bestOf(matches, options);
}

/** Our own cities of a state whose name begins so, or whose letters these are. */
function ownOfState(index: PlaceIndex, name: string, note: (id: number, match: Match) => void): void {
  const states = new Set<string>();
  for (const [letters, state] of FOLDED_STATES) {
    if (name === letters.toLowerCase() || (name.length >= STATE_FROM && state.startsWith(name))) states.add(letters);
  }
  if (states.size === 0) return;
  // Our own are the first of an index.
  for (let id = 0; index.own[id]; id += 1) if (states.has(index.usStates[id] ?? '')) note(id, MATCH.ownState);
}

/** A place is found by several of its names and words: its best match counts. */
interface Matches {
  index: PlaceIndex;
  ids: readonly number[];
  /** By the number of the place. */
  best: Uint8Array;
}

const NONE = 255;

function bestOf(matches: readonly Matches[], { limit, near }: PlaceSearchOptions) {
  const best: PlaceHit[] = [];
  let total = 0;
  for (const { index, ids, best: found } of matches) {
    total += ids.length;
    for (const id of ids) {
      const hit = { index, id, match: (found[id] ?? NONE) as Match };
      const last = best.at(-1);
      if (best.length >= limit && last && compare(hit, last, near) >= 0) continue;
      let at = best.length;
      while (at > 0 && compare(hit, best[at - 1] ?? hit, near) < 0) at -= 1;
      best.splice(at, 0, hit);
      if (best.length > limit) best.pop();
    }
  }
  return { hits: best, total };
}

function compare(a: PlaceHit, b: PlaceHit, near: PlaceSearchOptions['near']): number {
  return (
    a.match - b.match ||
    (a.index.priorities[a.id] ?? 0) - (b.index.priorities[b.id] ?? 0) ||
    (b.index.weights[b.id] ?? 0) - (a.index.weights[a.id] ?? 0) ||
    (near ? awayOf(a, near) - awayOf(b, near) : 0) ||
    a.id - b.id
  );
}

/** Grows with the way over the globe; only for comparing. */
function awayOf({ index, id }: PlaceHit, near: { lat: number; lon: number }): number {
  const radians = Math.PI / 180;
  const lat = (index.lats[id] ?? 0) * radians;
  const lon = ((index.lons[id] ?? 0) - near.lon) * radians;
  const from = near.lat * radians;
  return Math.sin((lat - from) / 2) ** 2 + Math.cos(lat) * Math.cos(from) * Math.sin(lon / 2) ** 2;
}

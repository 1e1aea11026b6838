import { foldPlaceName, isMarineUgc, otherSpelling, PlaceIndex, placePriority, US_STATE_NAMES } from '@nwms/domain';
import type { AreaBook, ZoneFamily } from '../types.ts';

/** What an entry of the area index is. */
export interface AreaEntry {
  kind: 'state' | 'county' | 'zone';
  /** UGC of a county or zone, letters of a state. */
  code: string;
  family: ZoneFamily;
}

export interface Areas {
  index: PlaceIndex;
  entries: readonly AreaEntry[];
  /** Numbers of the entries by their codes. */
  byCode: ReadonlyMap<string, number>;
}

/** Among settlements an area stands where a place of about a thousand inhabitants would. */
const WEIGHT = 0.4;

/** The index of counties, forecast zones and states, made again when zones became known since. */
export function createAreas(book: AreaBook): () => Areas {
  let made: { generation: number; areas: Areas } | null = null;
  return () => {
    const generation = book.generation();
    if (made?.generation !== generation) made = { generation, areas: build(book) };
    return made.areas;
  };
}

function build(book: AreaBook): Areas {
  const index = new PlaceIndex();
  const entries: AreaEntry[] = [];
  const byCode = new Map<string, number>();
  const add = (name: string, state: string | null, entry: AreaEntry) => {
    const key = foldPlaceName(name);
    const other = otherSpelling(key);
    const priority = placePriority({ usState: state, inUnitedStates: true, population: null, isCapital: false });
    const own = entry.kind === 'state';
    // Where it lies is found out for the few that are shown: shapes are prepared then.
    const place = { name, usState: state, region: null, countryCode: 'US', lat: 0, lon: 0, priority, weight: WEIGHT, own };
    index.add(place, other === null ? [key] : [key, other]);
    byCode.set(entry.code, entries.length);
    entries.push(entry);
  };
  for (const [letters, name] of US_STATE_NAMES) add(name, letters, { kind: 'state', code: letters, family: 'county' });
  const named = book.named();
  const counties = new Set<string>();
  for (const { code, family, name, state } of named) {
    if (family !== 'county' || code.endsWith('C000')) continue;
    counties.add(`${state} ${foldPlaceName(name)}`);
    add(countyName(code, name), state, { kind: 'county', code, family });
  }
  for (const { code, family, name, state } of named) {
    if (family !== 'forecast') continue;
    // In many states zones are the counties: one row of the name is enough.
    if (!isMarineUgc(code) && counties.has(`${state} ${foldPlaceName(name)}`)) continue;
    add(name, isMarineUgc(code) ? null : state, { kind: 'zone', code, family });
  }
  return { index, entries, byCode };
}

/** States whose counties are called otherwise, or differently from one to the next. */
const NOT_COUNTIES = new Set(['AK', 'AS', 'DC', 'GU', 'MP', 'PR', 'VI']);
/** Independent cities are counties to the Census: all of Virginia's from 510 on, and these. */
const INDEPENDENT = new Set(['MDC510', 'MOC510', 'NVC510']);

/** `Polk` of the lists is `Polk County`, in Louisiana a parish; an independent city says that it is one. */
export function countyName(code: string, name: string): string {
  const state = code.slice(0, 2);
  if (NOT_COUNTIES.has(state) || /\b(county|parish|borough|city|census area|municipality)\b/i.test(name)) return name;
  if (INDEPENDENT.has(code) || (state === 'VA' && Number(code.slice(3)) >= 510)) return `${name} (independent city)`;
  return `${name} ${state === 'LA' ? 'Parish' : 'County'}`;
}

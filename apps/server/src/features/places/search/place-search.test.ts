import { foldPlaceName, otherSpelling, placeLabel, readPlaceQuery } from '@nwms/domain';
import { places, type Place, type PlaceSearch, type RouteSpec } from '@nwms/contract';
import { describe, expect, it } from 'vitest';
import { conforms } from '../../../../test/conforms.ts';
import { silentLog } from '../../../platform/log.ts';
import type { Serve } from '../../../platform/http/serve.ts';
import { createAreaBook } from '../area-book.ts';
import { createAtlas } from '../atlas.ts';
import { createZoneBook } from '../zone-book.ts';
import { countyName } from './areas.ts';
import type { PlaceSearchDeps } from './deps.ts';
import { GEONAMES, type Gazetteer, type GazetteerRow, openGazetteer } from './gazetteer.ts';
import { createPlaceSearch } from './index.ts';

const row = (name: string, countryCode: string, adminCode: string, population: number | null, lat: number, lon: number): GazetteerRow => ({
  id: Math.round(Math.abs(lat) * 1e6 + Math.abs(lon) * 100),
  name,
  countryCode,
  adminCode,
  featureCode: 'PPL',
  population,
  lat,
  lon,
});
const SPRINGFIELDS = ['IL', 'MO', 'MA', 'OH', 'OR', 'TN', 'VT'].map((state, n) =>
  row('Springfield', 'US', state, 100_000 - n, 40 - n, -80 - n),
);
const ROWS: GazetteerRow[] = [
  ...SPRINGFIELDS,
  row('New York City', 'US', 'NY', 8_804_190, 40.71427, -74.00597),
  row('Miami', 'US', 'FL', 441_003, 25.77427, -80.19366),
  row('Miami Beach', 'US', 'FL', 92_312, 25.79065, -80.13005),
  row('Saint Paul', 'US', 'MN', 300_851, 44.94441, -93.09327),
  row('Raleigh', 'US', 'MS', 1_462, 32.0335, -89.5226),
  row('Peñasco', 'US', 'NM', 589, 36.17, -105.69),
  row("O'Fallon", 'US', 'MO', 85_040, 38.81, -90.7),
  row('Mayagüez', 'PR', '097', 76_882, 18.2, -67.14),
  row('London', 'GB', 'ENG', 8_961_989, 51.50853, -0.12574),
  row('London', 'CA', '08', 346_765, 42.98339, -81.23304),
  row('London', 'US', 'KY', 8_053, 37.12898, -84.08326),
  row('Paris', 'FR', '11', 2_138_551, 48.85341, 2.3488),
];
const gazetteer = (rows: readonly GazetteerRow[] = ROWS): Gazetteer => ({
  attribution: GEONAMES,
  *rows() {
    yield [...rows];
  },
});

type Ask = (query?: Record<string, unknown>) => Promise<unknown>;

/** The three routes as functions; what the framework checks by the schema is not here. */
function routes(openIt: PlaceSearchDeps['openGazetteer']): { search: Ask; reverse: Ask; popular: Ask; opened: () => number } {
  let opened = 0;
  const atlas = createAtlas();
  const areas = createAreaBook(createZoneBook(atlas), atlas);
  const asks = new Map<string, Ask>();
  createPlaceSearch({
    log: silentLog,
    places: { coverage: (lon) => (lon < -60 ? 'inside' : 'outside') },
    areas,
    now: () => 0,
    openGazetteer: () => {
      opened += 1;
      return openIt ? openIt() : Promise.resolve(null);
    },
  }).registerRoutes(((spec: RouteSpec, handler: (input: unknown) => unknown) =>
    asks.set(spec.operation, async (query = {}) => handler({ query, reply: { header() {} } }))) as unknown as Serve);
  const ask =
    (name: string): Ask =>
    (query) =>
      asks.get(name)?.(query) ?? Promise.reject(new Error(name));
  return { search: ask('searchPlaces'), reverse: ask('reversePlace'), popular: ask('popularPlaces'), opened: () => opened };
}

const { search, reverse, opened } = routes(async () => gazetteer());
const find = async (q: string, more: Record<string, unknown> = {}) => (await search({ q, ...more })) as PlaceSearch;
const labels = async (q: string, more?: Record<string, unknown>) => (await find(q, more)).places.map(({ label }) => label);

describe('names of places', () => {
  it('are compared without case, accents, apostrophes and hyphens, in their short and long spelling', () => {
    expect(['Winston-Salem', "O'Fallon", 'Peñasco', '  ÅRHUS  ', 'St. Louis'].map(foldPlaceName)).toEqual([
      'winston salem',
      'ofallon',
      'penasco',
      'arhus',
      'st louis',
    ]);
    expect([otherSpelling('st louis'), otherSpelling('fort worth'), otherSpelling('stone')]).toEqual(['saint louis', 'ft worth', null]);
  });
  it('LOC-10: a label leaves out what the name says already, and the United States', () => {
    const us = { name: 'United States', code: 'US' };
    expect(placeLabel('Raleigh', 'NC', us)).toBe('Raleigh, NC');
    expect(placeLabel('London', 'England', { name: 'United Kingdom', code: 'GB' })).toBe('London, England, United Kingdom');
    expect(placeLabel('Quebec City', 'Quebec', { name: 'Canada', code: 'CA' })).toBe('Quebec City, Canada');
    expect(placeLabel('Singapore', null, { name: 'Singapore', code: 'SG' })).toBe('Singapore');
    expect(placeLabel('Delmar', 'DE', us)).toBe('Delmar, DE');
  });
  it('a query is read with what follows its comma as a place to narrow to, and without a comma by a whole state at its end', () => {
    const country = (code: string) => (code === 'CA' ? 'canada' : '');
    const narrows = (text: string, n = 0) => readPlaceQuery(text, country)[n]?.narrows;
    expect(narrows('Portland, or')?.('OR', null, 'US')).toBe(true);
    expect(narrows('Portland, Ore')?.('OR', null, 'US')).toBe(true);
    expect(narrows('Portland, ME')?.('OR', null, 'US')).toBe(false);
    expect(narrows('London, can')?.(null, 'Ontario', 'CA')).toBe(true);
    expect(narrows('London, ont')?.(null, 'Ontario', 'CA')).toBe(true);
    expect(readPlaceQuery('winston salem north carolina', country).map(({ name }) => name)).toContain('winston salem');
  });
  it('a county is called as its state calls it, and an independent city says that it is one', () => {
    expect(['IAC153', 'LAC071', 'VAC760', 'VAC159', 'MDC510', 'PRC127'].map((code) => countyName(code, 'X'))).toEqual([
      'X County',
      'X Parish',
      'X (independent city)',
      'X County',
      'X (independent city)',
      'X',
    ]);
  });
});

describe('the search', () => {
  it('CITY-03: built-in cities come before the gazetteer, North Carolina first; a name of many places is answered with all of them', async () => {
    expect((await labels('raleigh')).slice(0, 2)).toEqual(['Raleigh, NC', 'Raleigh, MS']);
    expect(await labels('jacksonville')).toEqual(['Jacksonville, NC', 'Jacksonville, FL']);
    const springfields = await find('Springfield');
    expect([springfields.total, new Set(springfields.places.map(({ label }) => label)).size]).toEqual([7, 7]);
    expect(springfields.places.map(({ state }) => state)).toEqual(['IL', 'MO', 'MA', 'OH', 'OR', 'TN', 'VT']);
  });
  it('CITY-04: never more rows than asked for or 15, and says how many there are', async () => {
    const many = routes(async () => gazetteer(Array.from({ length: 40 }, (_, n) => row(`Oakwood ${n}`, 'US', 'TX', n, 30 + n / 10, -95))));
    const answer = (await many.search({ q: 'oakwood' })) as PlaceSearch;
    expect([answer.places.length, answer.total, answer.truncated]).toEqual([15, 40, true]);
    expect(((await many.search({ q: 'oakwood', limit: 4 })) as PlaceSearch).places.length).toBe(4);
  });
  it('narrows by state and country, and finds both where two letters are either', async () => {
    expect(await labels('Springfield, Mo')).toEqual(['Springfield, MO']);
    expect(await labels('springfield or')).toEqual(['Springfield, OR']);
    expect(await labels('London, United K', { scope: 'world' })).toEqual(['London, England, United Kingdom']);
    expect(await labels('London, CA', { scope: 'world' })).toEqual(['London, Ontario, Canada']);
  });
  it('R-26: the United States alone unless the world is asked for; territories are of it', async () => {
    expect(await labels('london')).toEqual(['London, KY']);
    expect((await labels('london', { scope: 'world' })).length).toBe(3);
    expect(await labels('mayaguez')).toEqual(['Mayagüez, PR']);
    expect(await labels('paris')).toEqual([]);
  });
  it('takes what the gazetteer calls otherwise for the same city, and no neighbour for it', async () => {
    expect(await labels('new york c')).toEqual(['New York, NY']);
    expect(await labels('miami')).toEqual(['Miami, FL', 'Miami Beach, FL']);
    expect(await labels('st paul')).toEqual(['Saint Paul, MN']);
    expect(await labels('saint louis')).toEqual(['St. Louis, MO']);
    expect(await labels('ofallon')).toEqual(["O'Fallon, MO"]);
    expect(await labels('penasco')).toEqual(['Peñasco, NM']);
  });
  it('finds words within names and, from five letters on, forgives one typing error', async () => {
    expect(await labels('salem')).toEqual(['Winston-Salem, NC']);
    for (const q of ['ralegh', 'raleihg', 'ralleigh', 'rsleigh', 'aleigh', 'arleigh']) expect((await labels(q))[0]).toBe('Raleigh, NC');
    expect(await labels('mimi')).toEqual([]);
  });
  it('CITY-05, CITY-06: has no outside geocoder, says so, and invents nothing for a name nobody knows', async () => {
    const answer = await find('Qwertyuiop');
    expect(answer).toMatchObject({ places: [], total: 0, truncated: false, geocoder: 'off' });
    conforms(places.PlaceSearch, answer);
    conforms(places.PlaceSearch, await find('springfield', { lat: 40, lon: -90, areas: true }));
  });
  it('tells priorities and tags as the city selector shows them', async () => {
    const told = async (q: string, scope?: string) => {
      const found = (await find(q, scope ? { scope } : {})).places[0];
      return [found?.priority, found?.tag, found?.type];
    };
    expect(await told('cary')).toEqual([1, 'Primary Coverage', 'builtin']);
    expect(await told('boston')).toEqual([2, 'Major City', 'builtin']);
    expect(await told('miami beach')).toEqual([3, 'Found', 'gazetteer']);
    expect(await told('london, uk', 'world')).toEqual([4, 'Found', 'gazetteer']);
  });
  it('refuses what is no name, half a position, and positions that differ, naming the field', async () => {
    await expect(search({ q: '!!' })).rejects.toMatchObject({ code: 'request.invalid', fields: [{ name: 'q' }] });
    await expect(search({ q: 'boston', lat: 4 })).rejects.toMatchObject({ fields: [{ name: 'lon', reason: 'required' }] });
    await expect(reverse({})).rejects.toMatchObject({ fields: [{ name: 'lat', reason: 'required' }] });
    await expect(reverse({ lat: 1, latitude: 2, lon: 3 })).rejects.toMatchObject({ fields: [{ name: 'latitude', reason: 'conflict' }] });
  });
  it('R-21: takes positions under all their names', async () => {
    for (const [lat, lon] of [
      ['lat', 'lon'],
      ['latitude', 'longitude'],
      ['location_lat', 'location_lon'],
    ] as const) {
      const near = (await search({ q: 'springfield', [lat]: 34, [lon]: -86 })) as PlaceSearch;
      expect(near.places.find(({ state }) => state === 'VT')?.distance_km).toBe(0);
    }
  });
  it('reads the gazetteer once, at the first question', () => {
    expect(opened()).toBe(1);
  });
});

describe('areas', () => {
  it('counties and states are found when asked for, with where they lie', async () => {
    expect(await labels('polk county, ia')).toEqual([]);
    const county = (await find('Polk County, IA', { areas: true })).places[0] as Place;
    expect(county).toMatchObject({ label: 'Polk County, IA', kind: 'county', ugc: 'IAC153', in_us_coverage: true });
    const [west = 0, south = 0, east = 0, north = 0] = county.bbox ?? [];
    expect(county.lat > south && county.lat < north && county.lon > west && county.lon < east).toBe(true);
    expect((await find('IAC153', { areas: true })).places.map(({ label }) => label)).toEqual(['Polk County, IA']);
    expect((await find('iowa', { areas: true })).places[0]).toMatchObject({ label: 'Iowa', kind: 'state', ugc: 'IA' });
  });
  it('a state across the date line has a box that crosses it', async () => {
    const alaska = (await find('Alaska', { areas: true })).places.find(({ kind }) => kind === 'state');
    const [west = 0, , east = 0] = alaska?.bbox ?? [];
    expect(west).toBeGreaterThan(east);
  });
});

describe('a position', () => {
  it('LOC-09, LOC-10: has the name of the nearest place within 25 km and keeps its own coordinates', async () => {
    const found = (await reverse({ lat: 25.8, lon: -80.13, accuracy: 30 })) as Place & { nearest_city: Place | null };
    conforms(places.ReversePlace, found);
    expect(found).toMatchObject({ name: 'Miami Beach', lat: 25.8, lon: -80.13, type: 'user_location', accuracy: 30 });
    expect(found.nearest_city?.label).toBe('Miami, FL');
  });
  it('CITY-07: far from everything it is Current Location, and no city is near', async () => {
    expect(await reverse({ lat: 10, lon: -150 })).toMatchObject({
      name: 'Current Location',
      kind: 'coordinates',
      id: null,
      nearest_city: null,
    });
  });
});

describe('without a gazetteer', () => {
  const bare = routes(async () => null);
  it('built-in cities are found with a warning, and positions have no names: 503 place.unavailable', async () => {
    const answer = (await bare.search({ q: 'char' })) as PlaceSearch;
    expect(answer.places.map(({ label }) => label)).toEqual(['Charlotte, NC']);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['gazetteer_missing']);
    await expect(bare.reverse({ lat: 35, lon: -80 })).rejects.toMatchObject({ code: 'place.unavailable' });
  });
  it('CITY-01, CITY-07, CITY-09: about 55 built-in cities in two groups, Raleigh the default', async () => {
    const answer = (await bare.popular()) as { groups: { key: string; places: Place[] }[]; default: Place; total: number };
    conforms(places.PopularPlaces, answer);
    expect(answer.groups.map(({ key }) => key)).toEqual(['north_carolina', 'major']);
    expect(answer.groups[0]?.places.every(({ tag }) => tag === 'Primary Coverage')).toBe(true);
    expect(answer.default).toMatchObject({ name: 'Raleigh', state: 'NC', lat: 35.78, lon: -78.64 });
    expect([answer.total, new Set(answer.groups.flatMap((group) => group.places).map(({ id }) => id)).size]).toEqual([56, 56]);
  });
});

describe('the installed gazetteer', async () => {
  const real = await openGazetteer();
  if (!real) console.log('skipped: the optional gazetteer is not installed');
  const asked = routes(async () => real);
  it.skipIf(!real)('knows towns with their states, and every Springfield by its own', async () => {
    const found = (await asked.search({ q: 'Ames, IA' })) as PlaceSearch;
    expect(found.places[0]).toMatchObject({ label: 'Ames, IA', kind: 'city', source: 'gazetteer', time_zone: 'America/Chicago' });
    expect(Math.abs((found.places[0]?.lat ?? 0) - 42.03)).toBeLessThan(0.05);
    const springfields = (await asked.search({ q: 'springfield' })) as PlaceSearch;
    expect(springfields.total).toBeGreaterThan(15);
    expect(springfields.attribution).toEqual([GEONAMES]);
  });
});

import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RawFeature } from '../feature.ts';
import { loadAtlas } from '../places/atlas.ts';
import { createStormFeed } from '../storms/feed.ts';
import { type NwsSim, startNwsSim } from './server.ts';

const NOW = Date.UTC(2026, 4, 20, 18, 0, 30);
const AGENT = { 'user-agent': 'nws-sim tests (tests@example.invalid)' };

let sim: NwsSim;
let now = NOW;
beforeAll(async () => {
  sim = await startNwsSim({ feed: createStormFeed({ seed: 7, startedAt: NOW, atlas: loadAtlas() }), clock: () => now });
});
afterAll(() => sim.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(sim.url + path, { headers: { ...AGENT, ...headers }, redirect: 'manual' });
const body = async (path: string): Promise<Record<string, unknown>> => (await (await get(path)).json()) as Record<string, unknown>;
const features = async (path: string): Promise<RawFeature[]> => (await body(path))['features'] as RawFeature[];

describe('/alerts/active', () => {
  it('is a GeoJSON collection with title and updated', async () => {
    const response = await get('/alerts/active', { accept: 'application/geo+json' });
    expect(response.headers.get('content-type')).toBe('application/geo+json');
    expect(response.headers.get('vary')).toContain('Accept');
    const collection = (await response.json()) as Record<string, unknown>;
    expect(collection['type']).toBe('FeatureCollection');
    expect(collection['title']).toBe('Current watches, warnings, and advisories');
    expect(new Date(String(collection['updated'])).getTime()).toBe(Date.parse(response.headers.get('last-modified') ?? ''));
  });

  it.each(['limit=500', 'cursor=x', '_t=1', 'activ=true', 'start=2026-01-01T00:00:00Z'])(
    'refuses ?%s with 400 and problem+json',
    async (query) => {
      const response = await get(`/alerts/active?${query}`);
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({
        status: 400,
        correlationId: expect.stringMatching(/^[0-9a-f]{8}$/),
        parameterErrors: [{ parameter: `query.${query.split('=')[0] ?? ''}` }],
      });
    },
  );

  it('refuses words outside the vocabulary', async () => {
    expect((await get('/alerts/active?severity=Terrible')).status).toBe(400);
    expect((await get('/alerts/active?point=41.12345,-91')).status).toBe(400);
  });

  it('answers 403 HTML to a client without a User-Agent', async () => {
    const answer = await new Promise<{ status?: number; type?: string }>((resolve, reject) => {
      httpRequest(`${sim.url}/alerts/active`, (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' }));
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toEqual({ status: 403, type: 'text/html' });
  });

  it('filters as asked, and the parts add up to the whole', async () => {
    const all = await features('/alerts/active');
    const exercise = await features('/alerts/active?status=exercise');
    const test = await features('/alerts/active?status=test');
    expect(exercise.length + test.length).toBe(all.length);
    expect(test.length).toBeGreaterThan(0);
    const severe = await features('/alerts/active?severity=Severe,Extreme');
    expect(severe.length).toBeGreaterThan(0);
    expect(new Set(severe.map(({ properties }) => properties.severity))).toEqual(new Set(['Severe', 'Extreme']));
    const marine = await features('/alerts/active?region_type=marine');
    const land = await features('/alerts/active?region_type=land');
    expect(marine.length).toBeGreaterThan(0);
    expect(land.length).toBeGreaterThan(marine.length);
  });

  it('finds by point what covers it: polygon or zone', async () => {
    const all = await features('/alerts/active');
    const polygon = all.find(({ geometry }) => geometry?.type === 'Polygon');
    const ring = polygon?.geometry?.type === 'Polygon' ? (polygon.geometry.coordinates[0] ?? []) : [];
    const corners = ring.slice(1);
    const lat = corners.reduce((sum, [, y]) => sum + y, 0) / corners.length;
    const lon = corners.reduce((sum, [x]) => sum + x, 0) / corners.length;
    const found = await features(`/alerts/active?point=${lat.toFixed(4)},${lon.toFixed(4)}`);
    expect(found.map(({ properties }) => properties.id)).toContain(polygon?.properties.id);
    expect(found.length).toBeLessThan(all.length);
    expect(await features('/alerts/active?point=0,0')).toEqual([]);
  });

  it('finds by zone and area, in the query and in the path', async () => {
    const all = await features('/alerts/active');
    const zone =
      all
        .flatMap(({ properties }) => properties.affectedZones)[0]
        ?.split('/')
        .at(-1) ?? '';
    const byQuery = await features(`/alerts/active?zone=${zone}`);
    expect(byQuery.length).toBeGreaterThan(0);
    expect(await features(`/alerts/active/zone/${zone}`)).toEqual(byQuery);
    expect((await features(`/alerts/active/area/${zone.slice(0, 2)}`)).length).toBeGreaterThanOrEqual(byQuery.length);
  });

  it('answers 304 to its own validators and 200 after something was issued', async () => {
    const first = await get('/alerts/active');
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect((await get('/alerts/active', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/alerts/active', { 'if-modified-since': modified })).status).toBe(304);
    expect((await get('/alerts/active', { 'if-modified-since': new Date(NOW).toISOString() })).status).toBe(200);
    now += 3_600_000;
    expect((await get('/alerts/active', { 'if-none-match': etag })).status).toBe(200);
    now = NOW;
  });

  it('is gzip only where the client takes it', async () => {
    expect((await get('/alerts/active', { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
    expect((await get('/alerts/active', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
  });
});

describe('/alerts', () => {
  it('pages through everything once, by links to the same origin', async () => {
    const seen: string[] = [];
    let next: string | undefined = '/alerts?limit=200&start=2026-05-20T12:00:00Z';
    while (next !== undefined) {
      const page = (await body(next)) as { features: RawFeature[]; pagination?: { next: string } };
      seen.push(...page.features.map(({ properties }) => properties.id));
      const link: string | undefined = page.pagination?.next;
      expect(link ?? sim.url).toContain(sim.url);
      next = link?.slice(sim.url.length);
    }
    expect(seen.length).toBeGreaterThan(400);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('refuses a limit over 500 and a foreign cursor', async () => {
    expect((await get('/alerts?limit=501')).status).toBe(400);
    expect((await get('/alerts?cursor=nonsense')).status).toBe(400);
  });

  it('serves one message as GeoJSON and as CAP, and 404 for one that does not exist or not yet', async () => {
    const [feature] = await features('/alerts/active?status=exercise');
    const id = feature?.properties.id ?? '';
    expect((await body(`/alerts/${id}`))['properties']).toEqual(feature?.properties);
    const cap = await get(`/alerts/${id}`, { accept: 'application/cap+xml' });
    expect(cap.headers.get('content-type')).toBe('application/cap+xml');
    expect(await cap.text()).toContain(`<identifier>${id}</identifier>`);
    expect((await get('/alerts/urn:oid:nothing')).status).toBe(404);
    now -= 30 * 24 * 3_600_000;
    expect((await get(`/alerts/${id}`)).status).toBe(404);
    now = NOW;
  });

  it('serves Atom, types and counts', async () => {
    const atom = await get('/alerts/active', { accept: 'application/atom+xml' });
    expect(await atom.text()).toMatch(/^<\?xml[\s\S]*<entry>[\s\S]*<\/feed>\n$/);
    expect((await body('/alerts/types'))['eventTypes']).toContain('Flood Warning');
    expect((await body('/alerts/active/count'))['total']).toBe((await features('/alerts/active')).length);
  });
});

describe('places and forecasts', () => {
  it('serves zones with their dates, time zones and shapes', async () => {
    expect(await body('/zones/forecast/IAZ153')).toMatchObject({
      geometry: { type: 'Polygon' },
      properties: { id: 'IAZ153', name: 'Polk', state: 'IA', cwa: ['DMX'], timeZone: ['America/Chicago'] },
    });
    expect(await body('/zones/county/IAC153')).toMatchObject({ properties: { type: 'county' } });
    // Fire zones have numbers of their own (trap 21).
    expect(await body('/zones/fire/IAZ154')).toMatchObject({ properties: { type: 'fire', name: 'Polk' } });
    expect((await get('/zones/fire/IAZ153')).status).toBe(404);
    expect((await get('/zones/nonsense/IAZ153')).status).toBe(404);
    expect((await get('/zones?limt=3')).status).toBe(400);
    expect(await features('/zones?type=county&area=IA')).toHaveLength(99);
  });

  it('leads from a point to forecasts, stations and an observation', async () => {
    const place = (await body('/points/41.9781,-91.67'))['properties'] as Record<string, string>;
    expect(place).toMatchObject({ gridId: 'DVN', timeZone: 'America/Chicago', county: 'https://api.weather.gov/zones/county/IAC113' });
    const path = (link: string | undefined): string => (link ?? '').slice(sim.url.length);
    const daily = (await body(path(place['forecast'])))['properties'] as {
      periods: { startTime: string; endTime: string; isDaytime: boolean }[];
    };
    expect(daily.periods).toHaveLength(14);
    expect(daily.periods.slice(1).map(({ startTime }) => startTime)).toEqual(daily.periods.slice(0, -1).map(({ endTime }) => endTime));
    const hourly = (await body(path(place['forecastHourly'])))['properties'] as { periods: unknown[] };
    expect(hourly.periods).toHaveLength(156);
    const stations = (await body(path(place['observationStations'])))['observationStations'] as string[];
    const observed = (await body(`${path(stations[0])}/observations/latest`))['properties'] as {
      timestamp: string;
      temperature: { value: number };
    };
    expect(NOW - Date.parse(observed.timestamp)).toBeLessThan(3_600_000);
    expect(Math.abs(observed.temperature.value)).toBeLessThan(45);
  });

  it('redirects more than four decimals, and knows no weather at sea', async () => {
    const precise = await get('/points/41.978123,-91.67');
    expect([precise.status, precise.headers.get('location')]).toEqual([301, '/points/41.9781,-91.67']);
    expect((await get('/points/0,0')).status).toBe(404);
    expect((await get('/points/north,west')).status).toBe(400);
  });
});

it('answers unknown paths with 404 and other methods with 405', async () => {
  expect((await get('/nothing/here')).status).toBe(404);
  expect((await fetch(`${sim.url}/alerts/active`, { method: 'POST', headers: AGENT })).status).toBe(405);
});

it('remembers what was asked, with headers', async () => {
  await get('/alerts/active?event=Nothing');
  expect(sim.requests().at(-1)).toMatchObject({ method: 'GET', path: '/alerts/active', headers: AGENT, at: NOW });
  expect(sim.requests().at(-1)?.query.get('event')).toBe('Nothing');
});

import { alerts } from '@nwms/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../test/alerts-world.ts';
import { conforms } from '../../../test/conforms.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const HOUR = 3_600_000;
/** Polk county, Iowa, roughly: about 0.4 degrees wide. */
const DES_MOINES = { lat: 41.6, lon: -93.6 };
const box = (west: number, south: number, size: number): [number, number][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

interface Row {
  event_id: string;
  event: string;
  severity: string;
  is_active: boolean;
  distance_km: number | null;
  [member: string]: unknown;
}
interface List {
  alerts: Row[];
  [member: string]: unknown;
}

let world: World;
beforeEach(async () => {
  world = await createWorld({ at: T0 });
  const storm = (n: number, west: number, more: Parameters<typeof message>[0] = {}) =>
    message(
      {
        vtec: vtec('NEW', `KDMX.SV.W.000${n}`, T0, T0 + HOUR),
        id: `urn:oid:${n}`,
        sent: T0,
        ends: T0 + HOUR,
        polygon: box(west, 41.5, 0.2),
        ...more,
      },
      T0,
    );
  const flood = message(
    {
      vtec: vtec('NEW', 'KDMX.FF.W.0009', T0, T0 + HOUR),
      id: 'urn:oid:9',
      sent: T0,
      ends: T0 + HOUR,
      event: 'Flash Flood Warning',
      polygon: box(-92.0, 41.5, 0.2),
      properties: { severity: 'Extreme' },
    },
    T0,
  );
  // At the city, some 20 km east of it, some 80 km east of it, and far beyond.
  world.apply([storm(1, -93.7), storm(2, -93.35), storm(3, -92.7), flood]);
});
afterEach(() => world.close());

const cancelFirst = () =>
  world.apply([
    message(
      {
        vtec: vtec('CAN', 'KDMX.SV.W.0001', T0, T0 + HOUR),
        id: 'urn:oid:can',
        sent: T0 + 60_000,
        ends: T0 + HOUR,
        polygon: box(-93.7, 41.5, 0.2),
        properties: { messageType: 'Cancel' },
      },
      world.clock.now(),
    ),
  ]);
const ids = (body: List): string[] => body.alerts.map(({ event_id: id }) => id.slice(0, 14)).toSorted();

describe('GET /alerts', () => {
  it('API-23: filters by limit, active_only, severity and event, and says of how many', async () => {
    await world.clock.advance(120_000);
    cancelFirst();
    const all = (await world.get<List>('/alerts')).body;
    conforms(alerts.AlertList, all);
    expect(all).toMatchObject({ total: 4, limit: 1000, offset: 0, has_more: false });
    const page = (await world.get<List>('/alerts?limit=2&offset=1')).body;
    expect(page).toMatchObject({ total: 4, limit: 2, offset: 1, has_more: true });
    expect(page.alerts).toHaveLength(2);
    const active = (await world.get<List>('/alerts?active_only=true')).body;
    expect(ids(active)).toEqual(['KDMX.FF.W.0009', 'KDMX.SV.W.0002', 'KDMX.SV.W.0003']);
    expect(active.alerts.every((row) => row.is_active)).toBe(true);
    expect(ids((await world.get<List>('/alerts?severity=extreme')).body)).toEqual(['KDMX.FF.W.0009']);
    expect(ids((await world.get<List>('/alerts?event=flash%20flood%20warning')).body)).toEqual(['KDMX.FF.W.0009']);
    expect((await world.get<List>('/alerts?severity=Extreme&event=Tornado%20Warning')).body).toMatchObject({ alerts: [], total: 0 });
  });

  it('API-24: an alert has every named field, in both spellings where there are two', async () => {
    const { body } = await world.get<List>('/alerts?event=Flash%20Flood%20Warning');
    const [row] = body.alerts;
    expect(row).toMatchObject({
      id: 'urn:oid:9',
      event: 'Flash Flood Warning',
      severity: 'Extreme',
      urgency: 'Immediate',
      certainty: 'Observed',
      status: 'Actual',
      message_type: 'Alert',
      headline: 'Severe Thunderstorm Warning issued by NWS Des Moines IA',
      description: expect.stringContaining('60 mph wind gusts'),
      instruction: 'Move indoors.',
      area_desc: 'Polk, IA; Story, IA',
      effective: '2026-05-21T19:00:00Z',
      onset: '2026-05-21T19:00:00Z',
      expires: '2026-05-21T20:00:00Z',
      sent: '2026-05-21T19:00:00Z',
      updated_at: expect.stringMatching(/^2026-05-21T19:00:00/),
      geometry: { type: 'Polygon', coordinates: [expect.any(Array)] },
      location: expect.stringContaining('Polk'),
      emoji: expect.stringMatching(/./u),
      source: 'nws',
    });
    expect(row?.['timestamp']).toBe(row?.['sent']);
    // `areaDesc` is the spelling of live items alone.
    expect(Object.keys(alerts.AlertList.properties)).toContain('alerts');
    expect(row).not.toHaveProperty('areaDesc');
  });
});

describe('GET /alerts/near', () => {
  const near = async (more = '') => (await world.get<List>(`/alerts/near?lat=${DES_MOINES.lat}&lon=${DES_MOINES.lon}${more}`)).body;

  it('API-25, R-20: 25 km unless said, everything known unless active_only, and how far each is', async () => {
    const body = await near();
    conforms(alerts.NearAnswer, body);
    expect(body).toMatchObject({ radius_km: 25, center: DES_MOINES });
    expect(ids(body)).toEqual(['KDMX.SV.W.0001', 'KDMX.SV.W.0002']);
    for (const { distance_km: km } of body.alerts) expect(km).toBeLessThanOrEqual(25);
    expect(ids(await near('&radius_km=100'))).toEqual(['KDMX.SV.W.0001', 'KDMX.SV.W.0002', 'KDMX.SV.W.0003']);
    await world.clock.advance(120_000);
    cancelFirst();
    expect(ids(await near())).toEqual(['KDMX.SV.W.0001', 'KDMX.SV.W.0002']);
    expect(ids(await near('&active_only=true'))).toEqual(['KDMX.SV.W.0002']);
  });

  it('API-28, R-20: the insights page asks the same address by city, lat, lon and radius, and reads alerts', async () => {
    const body = await near('&city=Des%20Moines&radius=50&active_only=true');
    expect(body).toMatchObject({ city: 'Des Moines', radius_km: 50 });
    expect(ids(body)).toEqual(['KDMX.SV.W.0001', 'KDMX.SV.W.0002']);
    expect(await near('&radius=50&radius_km=60')).toMatchObject({ error: 'request.invalid', fields: [{ name: 'radius' }] });
  });
});

it('API-26: GET /alerts/within takes west, south, east, north, and refuses what is no box', async () => {
  const within = async (bbox: string) => (await world.get<List>(`/alerts/within?bbox=${bbox}`)).body;
  const iowa = await within('-96.6,40.4,-90.1,43.5');
  conforms(alerts.WithinAnswer, iowa);
  expect(iowa.alerts).toHaveLength(4);
  expect(ids(await within('-92.1,41.4,-91.5,42'))).toEqual(['KDMX.FF.W.0009']);
  // Latitude first finds another part of the world, or none at all.
  expect(await within('40.4,-96.6,43.5,-90.1')).toMatchObject({ error: expect.stringMatching(/^(geo|request)\./) });
  expect(await within('-96.6,40.4,-90.1')).toMatchObject({ error: expect.stringMatching(/^(geo|request)\./) });
  expect((await world.get<List>('/alerts/within')).body).toMatchObject({ error: 'request.invalid', fields: [{ name: 'bbox' }] });
});

it('API-32, TICK-08: the ticker answers a plain request, and holds the most dangerous first', async () => {
  const { status, body } = await world.get<alerts.Ticker>('/intelligence/weather-insights/breaking-news-ticker');
  conforms(alerts.Ticker, body);
  expect([status, body.total_active, body.breaking_alerts.length]).toEqual([200, 4, 4]);
  const ranks = body.breaking_alerts.map(({ hazard_rank: rank }) => rank);
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../test/alerts-world.ts';
import { fakeClock } from '@nwms/testkit';
import { createFormats } from './formats/index.ts';
import { AT_ONCE } from './query/read-events.ts';
import type { AlertArchive } from './types.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const HOUR = 3_600_000;
const EVENTS = AT_ONCE + 250;
const RANGE = `from=${new Date(T0 - 48 * HOUR).toISOString()}&to=${new Date(T0).toISOString()}`;

/** Most events that one call of the archive handed over. */
let largest = 0;
const watched = (archive: AlertArchive): AlertArchive => {
  const noting = async <F extends { events: unknown[] }>(found: Promise<F>) => {
    const handed = await found;
    largest = Math.max(largest, handed.events.length);
    return handed;
  };
  return {
    ...archive,
    find: (bounds) => noting(archive.find(bounds)),
    asOf: (at, bounds) => noting(archive.asOf(at, bounds)),
    events: (ids, at) => noting(archive.events(ids, at)),
  };
};

const AT = `at=${new Date(T0 + 2 * HOUR).toISOString()}`;
const QUESTIONS = [
  `/alerts?${RANGE}`,
  `/alerts?${RANGE}&limit=100&offset=1100&order_by=-area`,
  `/alerts?${RANGE}&detail=slim&order_by=in_force_until`,
  `/alerts?${RANGE}&event=Tornado%20Warning`,
  `/alerts?${RANGE}&view=messages&order_by=-sent&limit=500&offset=600`,
  `/alerts?${RANGE}&format=csv`,
  `/alerts?${RANGE}&format=ndjson`,
  `/alerts?${RANGE}&format=geojson&limit=50`,
  `/alerts/stats?${RANGE}`,
  `/alerts?${AT}&${RANGE}&limit=80&offset=1000`,
  `/alerts/within?bbox=-100,30,-80,50&limit=70&offset=1000&${RANGE}`,
  `/alerts/near?lat=41.6&lon=-93.6&radius_km=200&limit=70&${RANGE}`,
];

// Of no world: a file is named after the day it was made.
const formats = createFormats({ clock: fakeClock(T0), baseUrl: 'https://alerts.example' });
let recent: World;
let old: World;
beforeAll(async () => {
  const storms = Array.from({ length: EVENTS }, (_, index) => {
    const sent = T0 - 40 * HOUR + index * 60_000;
    const key = `KDMX.SV.W.${String(index + 1).padStart(4, '0')}`;
    const [lon, lat] = [-94 + (index % 97) / 97, 41 + (index % 89) / 89];
    const polygon: [number, number][] = [
      [lon, lat],
      [lon + 0.2, lat],
      [lon, lat + 0.2],
      [lon, lat],
    ];
    const event = index % 7 === 0 ? 'Tornado Warning' : 'Severe Thunderstorm Warning';
    return { key, sent, polygon, event };
  });
  const filled = async (days: number) => {
    const world = await createWorld({ at: T0, archive: watched, deps: { formats } });
    for (const { key, ...storm } of storms) {
      const issue = (action: string, sent: number) =>
        message({ ...storm, sent, id: `urn:oid:${key}.${action}`, vtec: vtec(action, key, storm.sent, storm.sent + HOUR), ends: storm.sent + HOUR }, sent); // prettier-ignore
      world.apply([issue('NEW', storm.sent), issue('CON', storm.sent + 600_000)]);
    }
    await world.clock.advance(days * 24 * HOUR);
    return world;
  };
  recent = await filled(1);
  old = await filled(30);
}, 120_000);
afterAll(async () => {
  await recent.close();
  await old.close();
});

/** Without when it was made. */
const textOf = async (world: World, url: string): Promise<string> => {
  const { statusCode, body } = await world.app.inject({ url: `/api/v1${url}` });
  expect(statusCode).toBe(200);
  return body.replaceAll(/"(as_of|freshness)":("[^"]*"|\{[^}]*\})/g, '');
};

describe('a question about the past that finds thousands of events', () => {
  it.each(QUESTIONS)('P16: answers from the record as from memory, a thousand at a time: %s', async (url) => {
    largest = 0;
    expect(await textOf(old, url)).toBe(await textOf(recent, url));
    expect(largest).toBeLessThanOrEqual(AT_ONCE);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';

import type { Feed, RawFeature } from '../feature.ts';
import { type Atlas, loadAtlas } from '../places/atlas.ts';
import { hash32 } from '../random.ts';
import { createStormFeed } from './feed.ts';

const NOON = Date.UTC(2026, 4, 20, 18);
const HOUR_MS = 3_600_000;

let atlas: Atlas;
let feed: Feed;
/** Everything sent in the six days before NOON (longer than any system lives), and the last day and a half of it. */
let recent: RawFeature[];
let sent: RawFeature[];
beforeAll(() => {
  atlas = loadAtlas();
  feed = createStormFeed({ seed: 7, startedAt: NOON, atlas });
  recent = feed.issuedBetween(NOON - 6 * 24 * HOUR_MS, NOON);
  sent = recent.filter(({ properties }) => time(properties.sent) > NOON - 36 * HOUR_MS);
});

const text = (source: Feed, at: number): string => JSON.stringify(source.activeAt(at));
const time = (value: string | null): number => (value === null ? Number.NaN : Date.parse(value));

describe('the world is a function of seed and instant', () => {
  it('gives the same bytes whatever was asked before', () => {
    const asked = [NOON + 3 * HOUR_MS, NOON - 30 * HOUR_MS, NOON, NOON + 31_000].map((at) => text(feed, at));
    const fresh = [NOON + 3 * HOUR_MS, NOON - 30 * HOUR_MS, NOON, NOON + 31_000].map((at) =>
      text(createStormFeed({ seed: 7, startedAt: at, atlas }), at),
    );
    expect(fresh).toEqual(asked);
  });

  it('gives another world for another seed', () => {
    expect(text(createStormFeed({ seed: 8, startedAt: NOON, atlas }), NOON)).not.toBe(text(feed, NOON));
  });

  it('pins one instant of seed 7 to known bytes, on every machine', () => {
    const ids = feed.activeAt(NOON).features.map(({ properties }) => `${properties.id} ${properties.sent} ${properties.ends}`);
    expect(hash32(...ids)).toMatchInlineSnapshot(`2213683691`);
  });

  it('finds every listed message by its identifier', () => {
    for (const feature of feed.activeAt(NOON).features) expect(feed.byId(feature.properties.id)).toEqual(feature);
    expect(feed.byId('urn:nwms:sim:7:storm-0-80l-XYZ-0.001.1')).toBeUndefined();
    expect(feed.byId('urn:oid:2.49.0.1.840.0.none')).toBeUndefined();
  });

  it('refuses a speed or a number of alerts it was not made for', () => {
    expect(() => createStormFeed({ seed: 1, startedAt: NOON, speed: 601, atlas })).toThrow(RangeError);
    expect(() => createStormFeed({ seed: 1, startedAt: NOON, targetActive: 99, atlas })).toThrow(RangeError);
  });
});

describe('how much is active', () => {
  it.each([
    [100, 100, 170],
    [220, 170, 280],
    [600, 400, 600],
  ])('aiming at %i keeps between %i and %i listed from the first instant on', (targetActive, low, high) => {
    const busy = createStormFeed({ seed: 11, startedAt: NOON, targetActive, atlas });
    for (let step = 0; step < 30; step += 1) {
      const count = busy.activeAt(NOON + step * 0.7 * HOUR_MS).features.length;
      expect(count).toBeGreaterThanOrEqual(low);
      expect(count).toBeLessThanOrEqual(high);
    }
  });

  it('looks back far enough: no message outlives the bound of its family', () => {
    const known = new Set(recent.map(({ properties }) => properties.id));
    for (const { properties } of feed.activeAt(NOON).features) expect(known.has(properties.id)).toBe(true);
  });
});

describe('speed', () => {
  it.each([10, 60, 600])('at %ix times still agree with the clock of the reader', (speed) => {
    const fast = createStormFeed({ seed: 7, startedAt: NOON, speed, atlas });
    for (let step = 0; step < 20; step += 1) {
      const now = NOON + step * 7_300;
      const { features, updated } = fast.activeAt(now);
      expect(features.length).toBeGreaterThan(100);
      expect(updated).toBeLessThanOrEqual(now);
      for (const { properties } of features) {
        expect(time(properties.sent)).toBeLessThanOrEqual(now);
        expect(time(properties.ends ?? properties.expires)).toBeGreaterThanOrEqual(now - 1_000);
      }
    }
  });

  it('gives other identifiers at other speeds, so that two worlds never share one', () => {
    const fast = createStormFeed({ seed: 7, startedAt: NOON, speed: 60, atlas });
    const ids = new Set(feed.activeAt(NOON).features.map(({ properties }) => properties.id));
    expect(fast.activeAt(NOON).features.some(({ properties }) => ids.has(properties.id))).toBe(false);
  });
});

describe('every message', () => {
  const offending = (wrong: (feature: RawFeature) => boolean): string[] => sent.filter(wrong).map(({ properties }) => properties.id);

  it('says that it is an exercise', () => {
    expect(sent.length).toBeGreaterThan(2000);
    expect(
      offending(({ properties }) => !['Exercise', 'Test'].includes(properties.status) || !properties.sender.includes('example.invalid')),
    ).toEqual([]);
    const opening = /^EXERCISE: simulated weather, not a real alert\./;
    expect(offending(({ properties }) => properties.event !== 'Test Message' && !opening.test(properties.description ?? ''))).toEqual([]);
  });

  it('agrees with its own VTEC: end with ends, a begin to come with onset', () => {
    const coded = sent.filter(({ properties }) => properties.parameters['VTEC']);
    const parts = ({ properties }: RawFeature) => /\.(\d{6}T\d{4}Z)-(\d{6}T\d{4}Z)\/$/.exec(properties.parameters['VTEC']?.[0] ?? '') ?? [];
    expect(coded.map(({ properties }) => (properties.ends === null ? null : time(properties.ends)))).toEqual(
      coded.map((feature) => vtecInstant(parts(feature)[2] ?? '')),
    );
    const coming = coded.filter((feature) => (vtecInstant(parts(feature)[1] ?? '') ?? 0) > time(feature.properties.sent));
    expect(coming.map(({ properties }) => time(properties.onset))).toEqual(coming.map((feature) => vtecInstant(parts(feature)[1] ?? '')));
  });

  it('has areas that exist, with a shape, under the address it names', () => {
    const urls = [...new Set(sent.flatMap(({ properties }) => properties.affectedZones))];
    expect(urls.length).toBeGreaterThan(500);
    const shapeless = urls.filter((url) => {
      const [type = '', id = ''] = url.split('/').slice(-2);
      return !feed.zone(type, id)?.geometry;
    });
    expect(shapeless).toEqual([]);
  });

  it('refers only to messages that were sent before it', () => {
    const all = new Set(recent.map(({ properties }) => `${properties.id},${properties.sent}`));
    const named = sent.flatMap(({ properties }) => {
      const expired =
        properties.parameters['expiredReferences']?.[0]?.split(' ').map((triple) => triple.slice(triple.indexOf(',') + 1)) ?? [];
      return [...properties.references.map((reference) => `${reference.identifier},${reference.sent}`), ...expired].map((name) => ({
        name,
        by: time(properties.sent),
      }));
    });
    expect(named.length).toBeGreaterThan(1000);
    expect(named.filter(({ name }) => !all.has(name))).toEqual([]);
    expect(named.filter(({ name, by }) => time(name.slice(name.lastIndexOf(',') + 1)) >= by)).toEqual([]);
  });

  it('is never given twice by the truth list, although the active list repeats some', () => {
    const ids = sent.map(({ properties }) => properties.id);
    expect(new Set(ids).size).toBe(ids.length);
    const repeats = Array.from({ length: 40 }, (_, step) => feed.activeAt(NOON - step * HOUR_MS).features).filter(
      (features) => new Set(features).size < features.length,
    );
    expect(repeats.length).toBeGreaterThan(0);
  });
});

describe('the variety of a day and a half', () => {
  const CASES: [name: string, test: (feature: RawFeature) => boolean][] = [
    ['a tornado emergency', ({ properties }) => properties.parameters['tornadoDamageThreat']?.[0] === 'CATASTROPHIC'],
    [
      'made-up marine numbers of Alaska',
      ({ properties }) => /^\/O\.NEW\.PA..\.(GL|SC|SR|UP)\..\.[3-9]\d{3}/.test(properties.parameters['VTEC']?.[0] ?? ''),
    ],
    [
      'a cancel labelled Alert without references',
      ({ properties }) =>
        properties.urgency === 'Past' &&
        properties.messageType === 'Alert' &&
        properties.references.length === 0 &&
        'expiredReferences' in properties.parameters,
    ],
    ['a flood warning until further notice', ({ properties }) => properties.ends === null && 'VTEC' in properties.parameters],
    [
      'an air quality alert of unknown severity',
      ({ properties }) => properties.severity === 'Unknown' && properties.event === 'Air Quality Alert',
    ],
    ['a statement with a polygon', ({ geometry, properties }) => geometry !== null && properties.event === 'Special Weather Statement'],
    [
      'a county message without UGC, onset and URN',
      ({ properties }) => !properties.id.startsWith('urn:') && properties.geocode.UGC.length === 0 && properties.onset === null,
    ],
    ['the monitoring message', ({ properties }) => properties.status === 'Test' && properties.event === 'Test Message'],
    ['a test in the VTEC class', ({ properties }) => properties.parameters['VTEC']?.[0]?.startsWith('/T.') ?? false],
    ['fire zones', ({ properties }) => properties.affectedZones.some((url) => url.includes('/fire/'))],
  ];

  it.each(CASES)('has %s', (_name, test) => {
    expect(sent.some(test)).toBe(true);
  });

  it.each(['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'UPG', 'CAN', 'EXP', 'COR'])('has the action %s', (action) => {
    expect(sent.some(({ properties }) => properties.parameters['VTEC']?.[0]?.startsWith(`/O.${action}.`))).toBe(true);
  });

  it.each(['GUZ', 'PRZ', 'HIZ', 'ASZ', 'AKZ', 'PKZ', 'LMZ', 'GMZ'])('reaches %s', (place) => {
    expect(sent.some(({ properties }) => properties.geocode.UGC.some((ugc) => ugc.startsWith(place)))).toBe(true);
  });

  it('has a sea zone across 180 degrees, in two polygons', () => {
    expect(atlas.marineZones.filter(({ shape }) => shape.type === 'MultiPolygon').map(({ id }) => id)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^PKZ/)]),
    );
  });
});

/** Null for the open form. */
function vtecInstant(value: string): number | null {
  if (value.startsWith('000000')) return null;
  const [year = '', month = '', day = '', hour = '', minute = ''] = [0, 2, 4, 7, 9].map((at) => value.slice(at, at + 2));
  return Date.UTC(2000 + Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

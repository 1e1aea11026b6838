import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { sharedData } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';

import type { RawFeature } from '../feature.ts';
import { loadAtlas } from '../places/atlas.ts';
import { bareFeature } from './bare-feature.ts';
import { createReplayFeed } from './feed.ts';
import { readCapture } from './read-capture.ts';
import { shiftFeature } from './shift.ts';

const MINUTE_MS = 60_000;
const STARTED_AT = Date.UTC(2026, 10, 21, 9, 30, 12);

function sample(): RawFeature {
  const feature = bareFeature(
    {
      id: 'urn:oid:1.001.1',
      event: 'Freeze Warning',
      sent: '2025-12-31T22:50:00-05:00',
      onset: '2026-01-01T02:00:00-05:00',
      ends: '2026-01-01T09:00:00-05:00',
      headline: 'Freeze Warning issued December 31 at 10:50PM EST until January 1 at 9:00AM EST by NWS Jacksonville FL',
      references: [{ '@id': 'x', identifier: 'urn:oid:0.001.1', sender: 's', sent: '2025-12-31T08:52:00-05:00' }],
      parameters: {
        VTEC: ['/O.CON.KJAX.FZ.W.0026.000000T0000Z-260101T1400Z/'],
        WMOidentifier: ['WWUS72 KJAX 010350'],
        eventEndingTime: ['2026-01-01T14:00:00+00:00'],
        expiredReferences: ['s,urn:oid:a.001.2,2025-12-30T01:23:00-05:00 s,urn:oid:b.001.1,2025-12-30T13:19:00-05:00'],
        eventMotionDescription: ['2026-01-01T03:50:00-00:00...storm...217DEG...54KT...42.05,-95.3'],
        NWSheadline: ['FREEZE WARNING REMAINS IN EFFECT'],
      },
    },
    null,
  );
  return { ...feature, properties: { ...feature.properties, expires: '2026-01-01T06:00:00-05:00' } };
}

describe('shiftFeature', () => {
  it('moves every time and keeps every offset, over the end of a year', () => {
    const { properties } = shiftFeature(sample(), 24 * 60 * MINUTE_MS + 5 * MINUTE_MS);
    expect(properties).toMatchObject({
      sent: '2026-01-01T22:55:00-05:00',
      onset: '2026-01-02T02:05:00-05:00',
      expires: '2026-01-02T06:05:00-05:00',
      ends: '2026-01-02T09:05:00-05:00',
      headline: 'Freeze Warning issued January 1 at 10:55PM EST until January 2 at 9:05AM EST by NWS Jacksonville FL',
      references: [{ sent: '2026-01-01T08:57:00-05:00' }],
      parameters: {
        VTEC: ['/O.CON.KJAX.FZ.W.0026.000000T0000Z-260102T1405Z/'],
        WMOidentifier: ['WWUS72 KJAX 020355'],
        eventEndingTime: ['2026-01-02T14:05:00+00:00'],
        expiredReferences: ['s,urn:oid:a.001.2,2025-12-31T01:28:00-05:00 s,urn:oid:b.001.1,2025-12-31T13:24:00-05:00'],
        eventMotionDescription: ['2026-01-02T03:55:00-00:00...storm...217DEG...54KT...42.05,-95.3'],
        NWSheadline: ['FREEZE WARNING REMAINS IN EFFECT'],
      },
    });
  });

  it('is undone by shifting back', () => {
    for (const minutes of [1, 61, 60 * 24 * 400, -7, -60 * 24 * 31]) {
      const there = shiftFeature(sample(), minutes * MINUTE_MS);
      expect(shiftFeature(there, -minutes * MINUTE_MS).properties.parameters).toEqual(sample().properties.parameters);
      expect(shiftFeature(there, -minutes * MINUTE_MS).properties.sent).toBe(sample().properties.sent);
    }
  });
});

describe('readCapture', () => {
  it.each(['', 'null', '[1', '<html></html>', '<feed><entry>', '7'])('refuses %j instead of reading it as "no alerts"', (text) => {
    expect(() => readCapture(Buffer.from(text), 'sample')).toThrow(SyntaxError);
  });

  it('reads an empty collection as what it is', () => {
    expect(readCapture(Buffer.from('{"type":"FeatureCollection","features":[],"updated":"2026-08-20T07:40:14+00:00"}'), 'x')).toEqual({
      features: [],
      updated: Date.UTC(2026, 7, 20, 7, 40, 14),
    });
  });

  it('reads Atom with CAP members', () => {
    const xml = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><updated>2025-08-22T15:46:32+00:00</updated><entry>
      <id>https://api.weather.gov/alerts/urn:oid:1.001.1</id><title>Flood Advisory issued by NWS Tampa Bay Ruskin FL</title><cap:event>Flood Advisory</cap:event>
      <cap:sent>2025-08-22T11:46:00-04:00</cap:sent><cap:status>Actual</cap:status><cap:polygon>32.79,-79.89 32.91,-79.83 32.82,-79.69 32.79,-79.89</cap:polygon>
      <cap:areaDesc>A &amp; B</cap:areaDesc><cap:geocode><valueName>UGC</valueName><value>SCC019</value></cap:geocode><cap:parameter><valueName>VTEC</valueName><value>/O.NEW.KTBW.FA.Y.0001.250822T1546Z-250822T1800Z/</value></cap:parameter></entry></feed>`;
    const { features, updated } = readCapture(Buffer.from(xml), 'x');
    expect(updated).toBe(Date.UTC(2025, 7, 22, 15, 46, 32));
    expect(features[0]).toMatchObject({
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-79.89, 32.79],
            [-79.83, 32.91],
            [-79.69, 32.82],
            [-79.89, 32.79],
          ],
        ],
      },
      properties: {
        id: 'urn:oid:1.001.1',
        areaDesc: 'A & B',
        senderName: 'NWS Tampa Bay Ruskin FL',
        affectedZones: ['https://api.weather.gov/zones/county/SCC019'],
        parameters: { VTEC: [expect.stringContaining('KTBW')] },
      },
    });
  });
});

// name, messages in the recording, messages with a VTEC end; counted in the recordings themselves.
const CAPTURES: [name: string, count: number, timed: number][] = [
  ['active-us-2025-12-15T2155Z.json.gz', 529, 511],
  ['active-us-2024-12-08.json.gz', 444, 429],
  ['active-iowa-2024-05-21T1934Z.json', 48, 46],
  ['active-hawaii-empty-2026-08-20.json', 0, 0],
  ['pynws-alerts_active_zone.json', 1, 1],
  ['pynws-alerts_active_zone_second.json', 2, 2],
  ['synthetic-event-types.json', 152, 0],
  ['active-us-2015-06-26.cap11-derived.geojson.gz', 484, 0],
  ['log-us-2025-10-16_21.reduced.json.gz', 2791, 0],
  ['log-missouri-2020-03-12_15.reduced.json.gz', 292, 0],
  ['atom/active-us-2025-08-22T1546Z.atom.xml.gz', 295, 268],
  ['atom/active-us-2025-08-22T1744Z.atom.xml.gz', 316, 278],
  ['atom/nws-atom-cap11-example.xml.gz', 163, 0],
];

describe('recordings', () => {
  const atlas = loadAtlas();
  const here = CAPTURES.filter(([name]) => sharedData(`alerts/${name}`) !== null);
  if (here.length < CAPTURES.length) console.warn(`skipped: ${CAPTURES.length - here.length} recordings are not on this machine`);

  it.skipIf(here.length === 0).each(here)('%s keeps its %i messages, and VTEC keeps agreeing with ends', (name, count, timed) => {
    const capture = readFileSync(sharedData(`alerts/${name}`) ?? '');
    const feed = createReplayFeed({ capture, name: basename(name), startedAt: STARTED_AT, relative: true, atlas });
    const snapshot = feed.activeAt(STARTED_AT);
    expect(snapshot.features).toHaveLength(count);
    expect(STARTED_AT - snapshot.updated).toBeGreaterThanOrEqual(0);
    expect(STARTED_AT - snapshot.updated).toBeLessThan(MINUTE_MS);
    const agreeing = snapshot.features.filter(
      ({ properties }) => properties.ends !== null && vtecEnd(properties.parameters?.['VTEC']?.[0]) === Date.parse(properties.ends),
    );
    expect(agreeing).toHaveLength(timed);
    // Same distances between the times of a message as in the recording, same offsets.
    const recorded = readCapture(capture, name).features;
    expect(snapshot.features.map(spans)).toEqual(recorded.map(spans));
    const sent = feed.issuedBetween(0, Number.MAX_SAFE_INTEGER);
    expect(sent.length).toBeLessThanOrEqual(count);
    expect(sent.every(({ properties }) => feed.byId(properties.id) !== undefined)).toBe(true);
  });

  it.skipIf(here.length === 0)(
    'lets messages go at their end, keeps or rewrites the status, and never asks more than the recording knows',
    () => {
      const name = 'active-us-2025-12-15T2155Z.json.gz';
      const capture = readFileSync(sharedData(`alerts/${name}`) ?? '');
      const feed = createReplayFeed({ capture, name, startedAt: STARTED_AT, relative: true, status: 'Exercise', atlas });
      const later = STARTED_AT + 6 * 60 * MINUTE_MS;
      expect(new Set(feed.activeAt(STARTED_AT).features.map(({ properties }) => properties.status))).toEqual(new Set(['Exercise']));
      const over = feed
        .activeAt(STARTED_AT)
        .features.filter(({ properties }) => Date.parse(properties.ends ?? properties.expires) <= later);
      expect(over.length).toBeGreaterThan(50);
      expect(feed.activeAt(later).features).toHaveLength(
        529 - over.filter(({ properties }) => Date.parse(properties.ends ?? properties.expires) > STARTED_AT).length,
      );
      const still = createReplayFeed({ capture, name, startedAt: STARTED_AT, relative: false, atlas });
      expect(still.activeAt(0).features).toEqual(readCapture(capture, name).features);
    },
  );

  it.skipIf(sharedData('zones/public-zones-18mr25.simplified.geojson.gz') === null)(
    'serves recorded zone shapes, and county shapes for what is not recorded',
    () => {
      const zonesDir = sharedData('zones') ?? '';
      const feed = createReplayFeed({ capture: Buffer.from('{"features":[]}'), name: 'x', startedAt: 0, relative: false, zonesDir, atlas });
      expect(feed.zone('forecast', 'MTZ301')?.properties).toMatchObject({ state: 'MT', timeZone: ['America/Denver'] });
      expect(feed.zone('forecast', 'LMZ740')?.geometry).toBeTruthy();
      expect(feed.zonesAt([-91.67, 41.978])).toMatchObject({ county: 'IAC113', forecast: 'IAZ052' });
      expect(feed.zone('county', 'IAC153')?.properties.name).toBe('Polk');
    },
  );
});

function vtecEnd(vtec: string | undefined): number | null {
  const [, y, mo, d, h, mi] = /-(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z\/$/.exec(vtec ?? '') ?? [];
  return y === undefined || y + (mo ?? '') + (d ?? '') === '000000'
    ? null
    : Date.UTC(2000 + Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi));
}

function spans({ properties }: RawFeature): string {
  const base = Date.parse(properties.sent);
  const times = [properties.effective, properties.onset, properties.expires, properties.ends];
  return [properties.sent.slice(19), ...times.map((value) => (value ? `${Date.parse(value) - base}${value.slice(19)}` : '-'))].join(' ');
}

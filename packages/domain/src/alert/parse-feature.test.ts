import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, featureContent } from '../text/canonical-json.ts';
import { bench } from './fixture.ts';
import { parseFeature, weatherGovUrl } from './parse-feature.ts';

const context = { source: 'nws' as const, receivedAt: Date.UTC(2024, 4, 21, 19, 34), contentHash: 'ab' };
const ID = 'urn:oid:2.49.0.1.840.0.ec697a7e3e7d106516aa91b3e6496b24aaec70fb.001.1';

function feature(properties: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `https://api.weather.gov/alerts/${ID}`,
    type: 'Feature',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-93.5, 41],
          [-93, 41],
          [-93, 41.5],
          [-93.5, 41],
        ],
      ],
    },
    properties: {
      '@id': `https://api.weather.gov/alerts/${ID}`,
      id: ID,
      areaDesc: 'Polk, IA; Story, IA',
      geocode: { SAME: ['019153', '119169'], UGC: ['IAC153', 'IAC169'] },
      affectedZones: ['https://api.weather.gov/zones/county/IAC153', 'https://api.weather.gov/zones/county/IAC169'],
      references: [{ '@id': 'x', identifier: 'urn:a', sender: 'w-nws.webmaster@noaa.gov', sent: '2024-05-21T14:00:00-05:00' }],
      sent: '2024-05-21T14:30:00-05:00',
      effective: '2024-05-21T14:30:00-05:00',
      onset: '2024-05-21T14:30:00-05:00',
      expires: '2024-05-21T15:15:00-05:00',
      ends: '2024-05-21T15:15:00-05:00',
      status: 'Actual',
      messageType: 'Update',
      category: 'Met',
      severity: 'Severe',
      certainty: 'Observed',
      urgency: 'Immediate',
      event: 'Severe Thunderstorm Warning',
      sender: 'w-nws.webmaster@noaa.gov',
      senderName: 'NWS Des Moines IA',
      headline: 'Severe Thunderstorm Warning issued May 21',
      description: 'HAZARD...60 mph wind gusts.',
      instruction: 'Move inside.',
      response: 'Shelter',
      parameters: {
        WMOidentifier: ['WUUS53 KDMX 211930'],
        VTEC: ['/O.NEW.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/'],
        maxWindGust: ['60 MPH'],
        maxHailSize: ['Up to 1.75'],
        windThreat: ['RADAR INDICATED'],
        thunderstormDamageThreat: ['CONSIDERABLE'],
        eventMotionDescription: ['2024-05-21T19:30:00-00:00...storm...240DEG...35KT...41.1,-93.5 41.0,-93.4'],
        expiredReferences: [
          'w-nws.webmaster@noaa.gov,urn:b,2024-05-21T13:00:00-05:00 202307,TX Medina County,MedinaCo,IINFO_7,2024-05-21T12:00:00-05:00',
        ],
        CMAMtext: ['short'],
        CMAMlongtext: ['long'],
      },
      eventCode: { SAME: ['SVR'], NationalWeatherService: ['SVW'] },
      ...properties,
    },
    ...rest,
  };
}

function parsed(input: unknown) {
  const result = parseFeature(input, context);
  if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
  return result.message;
}

describe('a whole feature', () => {
  it('reads every member, in UTC and metric units', () => {
    expect(parsed(feature())).toMatchObject({
      id: ID,
      bulletin: 'ec697a7e3e7d106516aa91b3e6496b24aaec70fb',
      sent: Date.UTC(2024, 4, 21, 19, 30),
      sentOffsetMinutes: -300,
      office: 'KDMX',
      eventCode: 'SVW',
      zones: [
        { code: 'IAC153', type: 'county', partial: false },
        { code: 'IAC169', type: 'county', partial: true },
      ],
      references: [
        { id: 'urn:a', kind: 'reference', sent: Date.UTC(2024, 4, 21, 19) },
        { id: 'urn:b', kind: 'expired_reference', sender: 'w-nws.webmaster@noaa.gov' },
        { id: 'IINFO_7', kind: 'expired_reference', sender: '202307,TX Medina County,MedinaCo' },
      ],
      tags: {
        maxWindGustKmh: 97,
        maxHailSizeMm: 44.5,
        windThreat: 'radar_indicated',
        thunderstormDamageThreat: 'considerable',
        motion: {
          at: Date.UTC(2024, 4, 21, 19, 30),
          towardDegrees: 60,
          speedKmh: 65,
          points: [
            [-93.5, 41.1],
            [-93.4, 41],
          ],
        },
      },
      wea: { handling: null, text: 'long' },
      sourceUrl: `https://api.weather.gov/alerts/${ID}`,
      isTest: false,
      testSuspected: false,
    });
  });

  it('trap 21: the type of a zone comes from its URL, a marine prefix makes a forecast zone marine', () => {
    const zones = parsed(
      feature({
        geocode: { UGC: ['ORZ608', 'GMZ335', 'IAZ048'] },
        affectedZones: [
          'https://api.weather.gov/zones/fire/ORZ608',
          'https://api.weather.gov/zones/forecast/GMZ335',
          'https://api.weather.gov/zones/forecast/IAZ048',
        ],
      }),
    ).zones;
    expect(zones.map((z) => z.type)).toEqual(['fire', 'marine', 'public']);
  });

  it('trap 10: a county message with SAME codes only is located by them', () => {
    const m = parsed(feature({ id: 'IINFO_2026_77', geocode: { SAME: ['048325'] }, affectedZones: [], onset: null, parameters: {} }));
    expect(m).toMatchObject({
      id: 'IINFO_2026_77',
      office: null,
      zones: [{ code: 'SAME048325', type: 'county', partial: false }],
      onset: null,
      bulletin: null,
    });
  });

  it.each([
    ['damage threat CATASTROPHIC', { tornadoDamageThreat: ['CATASTROPHIC'] }, 'tornado'],
    ['the office says so', { NWSheadline: ['TORNADO EMERGENCY FOR GREENFIELD'] }, 'tornado'],
    ['flash flood tag', { flashFloodDamageThreat: ['CATASTROPHIC'] }, 'flash_flood'],
    ['nothing', {}, null],
  ])('trap 29: emergency: %s', (_name, parameters, emergency) => {
    expect(parsed(feature({ event: 'Tornado Warning', parameters })).tags.emergency).toBe(emergency);
  });

  it.each([
    ['VTEC class T', { parameters: { VTEC: ['/T.NEW.PAAQ.TS.W.9013.240521T1930Z-240521T2015Z/'] } }, true],
    ['test-only wording', { description: 'THIS_MESSAGE_IS_FOR_TEST_PURPOSES_ONLY' }, true],
    ['keep-alive', { id: 'urn:oid:2.49.0.1.840.0-KEEPALIVE-53757' }, true],
    ['a weekly test', { event: 'Required Weekly Test' }, true],
    ['a real one', {}, false],
  ])('trap 31: test message: %s', (_name, properties, isTest) => {
    expect(parsed(feature(properties)).isTest).toBe(isTest);
  });

  it.each([
    ['header line', { description: '...THIS IS A TEST...\nTornado' }, true],
    ['first line', { description: 'TEST TEST TEST' }, true],
    ['a wrapped line that begins with test', { description: 'Now is the time to\ntest your smoke alarm and your radio.' }, false],
    ['headline', { headline: 'TEST Tornado Warning' }, true],
    ['advice to test something', { description: 'Please test your smoke alarm and the latest forecast.' }, false],
    ['unreadable status', { status: 42 }, true],
  ])('A5: push is held, the alert stays Actual: %s', (_name, properties, testSuspected) => {
    expect(parsed(feature(properties))).toMatchObject({ testSuspected, isTest: false, status: 'Actual' });
  });

  it('W11: only https on weather.gov or below becomes a link', () => {
    const bad = [
      'http://api.weather.gov/a',
      'https://weather.gov.evil.com/',
      'https://evil.com/weather.gov',
      'https://a@api.weather.gov/',
      'https://api.weather.gov\\@evil.com',
      'javascript:alert(1)',
      'https://notweather.gov/',
      'https://api.weather.gov:99/',
      7,
    ];
    for (const url of bad) expect(weatherGovUrl([url])).toBeNull();
    expect(weatherGovUrl([null, 'https://api.weather.gov/alerts/x'])).toBe('https://api.weather.gov/alerts/x');
  });

  it('trap 17, 24: Guam writes +10:00 and lies beyond 140 east; shapes past 180 stay as written', () => {
    const ring = [
      [179.5, 51],
      [180.5, 51],
      [180.5, 52],
      [179.5, 51],
    ];
    const m = parsed(
      feature(
        { sent: '2026-05-15T02:35:00+10:00', geocode: { UGC: ['GUZ001', 'PMZ151'] }, affectedZones: [] },
        { geometry: { type: 'Polygon', coordinates: [ring] } },
      ),
    );
    expect(m).toMatchObject({ sent: Date.UTC(2026, 4, 14, 16, 35), sentOffsetMinutes: 600, polygon: { coordinates: [ring] } });
    expect(m.zones.map((z) => z.type)).toEqual(['unknown', 'marine']);
  });

  it('an import is received when it was sent', () => {
    const result = parseFeature(feature(), { ...context, source: 'import' });
    expect(result.ok && result.message.receivedAt).toBe(Date.UTC(2024, 4, 21, 19, 30));
  });
});

describe('A6: poison', () => {
  it.each([
    ['null', null, 'not_an_object'],
    ['an array', [], 'not_an_object'],
    ['no properties', { id: 'x' }, 'properties_missing'],
    ['no id', feature({ id: undefined }, { id: null }), 'id_missing'],
    ['an endless id', feature({ id: 'x'.repeat(300) }), 'id_missing'],
    ['no event', feature({ event: '  ' }), 'event_missing'],
    ['no sent', feature({ sent: 'yesterday' }), 'sent_missing'],
    ['no place at all', feature({ geocode: null, affectedZones: null, areaDesc: '' }, { geometry: null }), 'area_missing'],
  ])('%s is refused by name: %s', (_name, input, reason) => {
    expect(parseFeature(input, context)).toMatchObject({ ok: false, reason });
  });

  it.each([
    [
      'a broken polygon',
      {},
      {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [1, 2],
              [Number.NaN, 3],
              [4, 5],
              [1, 2],
            ],
          ],
        },
      },
      { polygon: null },
    ],
    [
      'a half polygon',
      {},
      {
        geometry: {
          type: 'MultiPolygon',
          coordinates: [
            [
              [
                [1, 2],
                [2, 3],
                [4, 5],
                [1, 2],
              ],
            ],
            [[[1, 'x']]],
          ],
        },
      },
      { polygon: null },
    ],
    ['unknown severity', { severity: 'Terrible' }, {}, { severity: 'Unknown' }],
    [
      'times that are none',
      { onset: 'CALL 5-1-1', expires: 17, ends: '2024-02-31T00:00:00Z' },
      {},
      { onset: null, expires: null, ends: null },
    ],
    ['parameters as text', { parameters: 'none' }, {}, { vtec: [], office: null }],
    ['a VTEC that is none', { parameters: { VTEC: ['/O.XYZ.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/', 'junk'] } }, {}, { vtec: [] }],
    ['NUL and lone surrogates', { headline: 'a\u0000b\ud800c' }, {}, { headline: 'ab\ufffdc' }],
  ])('%s is dropped, the alert stays', (_name, properties, rest, expected) => {
    expect(parsed(feature(properties, rest))).toMatchObject({ id: ID, ...expected });
  });

  it('10 MB of text is cut, in time', () => {
    const huge = 'A '.repeat(5_000_000);
    const start = performance.now();
    const m = parsed(
      feature({
        description: huge,
        areaDesc: huge,
        parameters: { expiredReferences: [huge], eventMotionDescription: [huge], NWSheadline: [huge] },
      }),
    );
    expect(m.description?.length).toBeLessThanOrEqual(100_000);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('__proto__ and constructor are plain data', () => {
    const text = JSON.stringify(feature()).replace('"areaDesc"', '"__proto__":{"event":"X","polluted":true},"constructor":1,"areaDesc"');
    expect(parsed(JSON.parse(text)).event).toBe('Severe Thunderstorm Warning');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const strange = fc.oneof(
    fc.constantFrom(
      null,
      undefined,
      true,
      0,
      -1,
      Number.NaN,
      Infinity,
      '',
      '\u0000',
      '\ud800',
      [],
      {},
      [[]],
      [null],
      { id: {} },
      '9'.repeat(5000),
    ),
    fc.jsonValue({ maxDepth: 4 }),
    fc.string({ unit: 'binary' }),
  );

  it('any JSON value gives a message or a reason, and what is a message the machine can apply', () => {
    const outcomes = { ok: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(feature()['properties'] as object), ...Object.keys(feature())),
        strange,
        strange,
        (name, value, other) => {
          const input = feature(name in feature() ? {} : { [name]: value }, name in feature() ? { [name]: value } : {});
          const parameters = (input['properties'] as Record<string, unknown> | null)?.['parameters'];
          if (parameters && typeof parameters === 'object' && !Array.isArray(parameters))
            Object.assign(parameters, { VTEC: other, maxWindGust: other, NWSheadline: other });
          const result = parseFeature(input, context);
          outcomes[result.ok ? 'ok' : 'refused']++;
          if (!result.ok) return;
          JSON.stringify(result.message);
          expect(bench().apply([result.message])).toHaveLength(1);
        },
      ),
      { numRuns: 3000 },
    );
    expect(outcomes.ok).toBeGreaterThan(500);
    expect(outcomes.refused).toBeGreaterThan(50);
    fc.assert(
      fc.property(strange, (value) => {
        expect(parseFeature(value, context)).toHaveProperty('ok');
      }),
    );
  });
});

describe('content', () => {
  it('does not depend on member order nor on feature-level members', () => {
    const a = feature();
    const b = {
      properties: Object.fromEntries(Object.entries(a['properties'] as object).reverse()),
      geometry: a['geometry'],
      id: 'https://other',
      '@context': [],
    };
    expect(featureContent(a)).toBe(featureContent(b));
    expect(featureContent(feature({ headline: 'x' }))).not.toBe(featureContent(a));
  });

  it('canonical JSON is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: 1, a: [undefined, Number.NaN], c: undefined })).toBe('{"a":[null,null],"b":1}');
  });
});

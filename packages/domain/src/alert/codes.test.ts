import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message, NO_TAGS } from './fixture.ts';
import { shortLocation } from './location.ts';
import { windKmh, hailMm, parseMotion } from './parse-tags.ts';
import { textParts } from './text-parts.ts';
import { ALERT_TYPES, FAMILIES, hazardRank, typeOf, typeOfVtec } from './types.ts';
import { fipsOfCountyUgc, fipsOfSame, isMarineUgc, stateOfSame, stateOfUgc, statesOf, zoneTypeOf } from './ugc.ts';
import { SEVERITIES } from './vocabulary.ts';
import { parseVtec, parseVtecEventId, vtecEventId } from './vtec.ts';

const rank = (event: string, tags: Partial<typeof NO_TAGS> = {}) => hazardRank(message({ event, tags: { ...NO_TAGS, ...tags } }));

describe('types registry', () => {
  it('is a total order: every rank and every code once, within 0 to 1000', () => {
    const ranks = ALERT_TYPES.map((type) => type.hazardRank);
    const codes = ALERT_TYPES.map((type) => type.eventCode).filter((code) => code !== null);
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(new Set(codes).size).toBe(codes.length);
    expect(ranks.every((value) => value > 0 && value < 1000)).toBe(true);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect(ALERT_TYPES.length).toBeGreaterThanOrEqual(130);
  });

  it('has a known family, severity, colour and emoji for every type', () => {
    for (const type of ALERT_TYPES) {
      expect(FAMILIES).toContain(type.family);
      expect(SEVERITIES).toContain(type.defaultSeverity);
      expect(type.color).toMatch(/^#[0-9a-f]{6}$/);
      expect(type.emoji).not.toBe('');
      expect(['W', 'A', 'Y', 'S', null]).toContain(type.significance);
    }
  });

  it('keeps the anchors', () => {
    const anchors: [string, number][] = [
      ['Tornado Warning', 900],
      ['Extreme Wind Warning', 880],
      ['Tsunami Warning', 860],
      ['Severe Thunderstorm Warning', 700],
      ['Flash Flood Warning', 680],
      ['Snow Squall Warning', 660],
      ['Ice Storm Warning', 600],
      ['Flood Warning', 520],
      ['Red Flag Warning', 500],
      ['Air Quality Alert', 180],
      ['Special Weather Statement', 150],
    ];
    expect(anchors.map(([event]) => [event, rank(event)])).toEqual(anchors);
    for (const event of ['Winter Storm Warning', 'High Wind Warning', 'Excessive Heat Warning', 'Extreme Heat Warning'])
      expect(Math.abs(rank(event) - 560)).toBeLessThanOrEqual(20);
  });

  it('ranks every watch 250 (give or take 5) below its warning', () => {
    for (const watch of ALERT_TYPES.filter((type) => type.significance === 'A')) {
      const code = { FAA: 'FAW', FFA: 'FFW' }[watch.eventCode ?? ''] ?? `${watch.eventCode?.slice(0, 2)}W`;
      const warning = ALERT_TYPES.find((type) => type.eventCode === code);
      expect({ watch: watch.event, off: Math.abs((warning?.hazardRank ?? 0) - watch.hazardRank - 250) > 5 }).toEqual({
        watch: watch.event,
        off: false,
      });
    }
  });

  it('tags only raise, up to 1000', () => {
    expect(rank('Tornado Warning', { tornadoDetection: 'observed' })).toBe(920);
    expect(rank('Tornado Warning', { tornadoDetection: 'observed', tornadoDamageThreat: 'considerable' })).toBe(960);
    expect(rank('Tornado Warning', { emergency: 'tornado' })).toBe(1000);
    expect(rank('Flash Flood Warning', { emergency: 'flash_flood' })).toBe(870);
    expect(rank('Severe Thunderstorm Warning', { thunderstormDamageThreat: 'considerable' })).toBe(760);
    expect(rank('Severe Thunderstorm Warning', { thunderstormDamageThreat: 'destructive' })).toBe(820);
    for (const type of ALERT_TYPES)
      expect(rank(type.event, { tornadoDamageThreat: 'considerable', tornadoDetection: 'observed' })).toBeGreaterThanOrEqual(
        rank(type.event),
      );
  });

  it('trap 27: an unknown event has rank 100 and family other; a known code beats a new name; LEW means what its name says', () => {
    expect(typeOf({ event: 'Sharknado Warning', eventCode: 'SNW' })).toMatchObject({
      hazardRank: 100,
      family: 'other',
      event: 'Sharknado Warning',
    });
    expect(typeOf({ event: 'Really Extreme Heat Warning', eventCode: 'XHW' }).family).toBe('heat');
    expect(typeOf({ event: 'Law Enforcement Warning', eventCode: 'LEW' }).family).toBe('civil');
    expect(typeOf({ event: 'Lake Effect Snow Warning', eventCode: 'LEW' }).family).toBe('winter');
    expect(typeOf({ event: 'flood watch', eventCode: 'FLA' })).toMatchObject({ event: 'Flood Watch', color: '#2e8b57' });
    expect(typeOfVtec('WS', 'W')?.event).toBe('Winter Storm Warning');
  });
});

describe('VTEC', () => {
  it('reads a string and writes its key back', () => {
    const v = parseVtec('/O.NEW.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/');
    expect(v).toMatchObject({
      class: 'O',
      action: 'NEW',
      office: 'KDMX',
      phenomenon: 'SV',
      significance: 'W',
      etn: 106,
      beginsAt: Date.UTC(2024, 4, 21, 19, 30),
    });
    expect(v && vtecEventId(v, 2024)).toBe('KDMX.SV.W.0106.2024');
    expect(v && parseVtecEventId(vtecEventId(v, 2024, 3))).toEqual({ key: 'KDMX.SV.W.0106', year: 2024, generation: 3 });
  });

  it('trap 14: zeros are no times', () => {
    expect(parseVtec('/O.CON.KSEW.FF.W.0001.000000T0000Z-000000T0000Z/')).toMatchObject({ beginsAt: null, endsAt: null });
  });

  it.each([
    '',
    '/O.NEW.KDMX.SV.W.0000.240521T1930Z-240521T2015Z/',
    '/O.NEW.KDMX.SV.W.0106.241321T1930Z-240521T2015Z/',
    '/00000.0.ER.000000T0000Z.000000T0000Z.000000T0000Z.OO/',
    '/O.BAD.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/',
  ])('refuses %s', (text) => expect(parseVtec(text)).toBeNull());

  it('never throws, and whatever it reads it can write back', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\/[OTEX]\.(NEW|CAN)\.[A-Z]{4}\.[A-Z]{2}\.[WAYS]\.\d{4}\.\d{6}T\d{4}Z-\d{6}T\d{4}Z\/$/)),
        (text) => {
          const v = parseVtec(text);
          expect(v === null || parseVtecEventId(vtecEventId(v, 2026))?.key === vtecEventId(v, 2026).slice(0, -5)).toBe(true);
        },
      ),
    );
  });
});

describe('UGC and SAME', () => {
  it('tells states, territories and marine areas apart', () => {
    expect(
      ['IAC153', 'GUZ001', 'PRC127', 'ASZ001', 'MPZ002', 'GMZ335', 'PKZ011', 'XXZ001', 'SAME019153', 'SAME077335'].map(stateOfUgc),
    ).toEqual(['IA', 'GU', 'PR', 'AS', 'MP', null, null, null, 'IA', null]);
    expect(statesOf([{ code: 'IAC153' }, { code: 'GMZ335' }, { code: 'IAZ048' }, { code: 'ALZ001' }])).toEqual(['AL', 'IA']);
    // The county letters of Pennsylvania or Minnesota are no sea; Panama City and Puerto Rico neither.
    expect(['PSZ150', 'PAC001', 'AMZ100', 'LMZ740', 'MNZ001'].map(isMarineUgc)).toEqual([true, false, true, true, false]);
  });

  it('trap 22: SAME and county UGC meet in the FIPS code', () => {
    expect([
      fipsOfSame('119153'),
      fipsOfCountyUgc('IAC153'),
      fipsOfCountyUgc('IAZ153'),
      fipsOfSame('077335'),
      stateOfSame('006037'),
    ]).toEqual(['19153', '19153', null, null, 'CA']);
  });

  it('trap 21: type of a zone without URL is unknown, not guessed', () => {
    expect([
      zoneTypeOf(null, 'ORZ608'),
      zoneTypeOf(null, 'ORC017'),
      zoneTypeOf(null, 'PZZ100'),
      zoneTypeOf('https://api.weather.gov/zones/offshore/PZZ800', 'PZZ800'),
    ]).toEqual(['unknown', 'county', 'marine', 'offshore']);
  });
});

describe('tags', () => {
  it.each([
    ['60 MPH', 97],
    ['Up to 50 MPH', 80],
    ['34 KTS', 63],
    ['>34 knots', 63],
    ['100 km/h', 100],
    ['none', null],
    ['0 MPH', null],
  ])('wind %s = %s km/h', (text, value) => expect(windKmh(text)).toBe(value));
  it.each([
    ['1.75', 44.5],
    ['Up to .75', 19.1],
    ['0.00', null],
    ['', null],
  ])('hail %s in = %s mm', (text, value) => expect(hailMm(text)).toBe(value));
  it.each([
    '',
    'x',
    '2024-05-21T19:30:00-00:00...storm...400DEG...35KT...41.1,-93.5',
    '2024-05-21T19:30:00-00:00...storm...240DEG...fast...41.1,-93.5',
    '2024-05-21T19:30:00-00:00...storm...240DEG...35KT...here',
  ])('an unreadable motion is no motion: %s', (text) => expect(parseMotion(text)).toBeNull());
});

describe('texts', () => {
  it('reads bullets and headings', () => {
    const description =
      '* WHAT...Heavy snow. Winds could gust\nover 70 mph.\n\n* WHERE...The Divide.\n\n* WHEN...Tonight.\n\n* IMPACTS...Travel could be difficult.\n\n* ADDITIONAL DETAILS...More.';
    expect(textParts(description, 'Stay home.')).toEqual({
      what: 'Heavy snow. Winds could gust over 70 mph.',
      where: 'The Divide.',
      when: 'Tonight.',
      impacts: 'Travel could be difficult.',
      additional: 'More.',
    });
    expect(
      textParts(
        'At 153 PM...\n\nHAZARD...Flash flooding.\n\nSOURCE...Radar.\n\nIMPACT...Life threatening.\n\nLocations impacted include...\nBoone and Ames.',
        null,
      ),
    ).toEqual({
      what: 'Flash flooding.',
      where: 'Boone and Ames.',
      when: null,
      impacts: 'Life threatening.',
      additional: 'Radar.',
    });
    expect(textParts('No headings here.', null)).toBeNull();
    expect(textParts(null, null)).toBeNull();
  });

  it('stays fast and whole on any text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => void textParts(`* WHAT...${text}`, text)));
    const start = performance.now();
    textParts('* '.repeat(100_000), null);
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('a place line has at most 80 characters and counts what it leaves out', () => {
    expect(shortLocation('King, WA')).toBe('King, WA');
    expect(shortLocation('East Glacier Park Region; Southern Rocky Mountain Front; Northern High Plains; Toole; Liberty')).toBe(
      'East Glacier Park Region; Southern Rocky Mountain Front +3 more',
    );
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 120 })), (places) => {
        expect(shortLocation(places.join('; ')).length).toBeLessThanOrEqual(80);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlace, typedPosition, writePlace, writePosition } from './place-address.ts';
import type { AlertsThere } from './place-queries.ts';
import { thereWords } from './there-words.ts';

describe('the place of an address', () => {
  test('a position is read as people type it, latitude first, and never one off the globe', () => {
    for (const text of ['35.78,-78.64', '35.78, -78.64', ' 35.78 -78.64 ', '+35.78;-78.64', '35.78° -78.64°'])
      expect(typedPosition(text)).toEqual({ lat: 35.78, lon: -78.64 });
    for (const text of ['', '35.78', 'Raleigh', '91,0', '0,181', '35.78,-78.64,7', '1e1,2', '35..7,1'])
      expect(typedPosition(text)).toBeNull();
  });
  test('an area is read by its code, anything else is no place and no error', () => {
    expect(readPlace('IAC153')).toEqual({ kind: 'area', code: 'IAC153' });
    expect(readPlace('IA')).toEqual({ kind: 'area', code: 'IA' });
    for (const text of [undefined, '', 'iac153', 'IAX153', '<b>', '35.78,-78.64,Chicago']) expect(readPlace(text)).toBeNull();
  });
  test('what is written is read again, to 10 m', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }), (lat, lon) => {
        const at = typedPosition(writePosition(lat, lon));
        expect(Math.abs((at?.lat ?? Infinity) - lat)).toBeLessThanOrEqual(0.00006);
        expect(Math.abs((at?.lon ?? Infinity) - lon)).toBeLessThanOrEqual(0.00006);
      }),
    );
    expect(writePlace({ ugc: 'IAC153', lat: 1, lon: 2 })).toBe('IAC153');
    expect(writePlace({ ugc: null, lat: 35.78, lon: -78.64 })).toBe('35.7800,-78.6400');
  });
});

describe('alerts at a place', () => {
  const answer = (over: Partial<AlertsThere> = {}): AlertsThere => ({
    alerts: [],
    total: 0,
    status: 'live',
    outside: false,
    unplaced: false,
    ...over,
  });
  const fresh = { failed: false, pageLevel: 'fresh', area: false } as const;
  test('R-23: "No alerts" for a fresh, successful, empty answer of a covered place, and for nothing else', () => {
    const levels = ['fresh', 'stale', 'unknown'] as const;
    const statuses = ['live', 'simulated', 'stale', 'unknown'] as const;
    for (const pageLevel of levels)
      for (const status of statuses)
        for (const failed of [true, false])
          for (const outside of [true, false])
            for (const area of [true, false])
              for (const unplaced of [true, false])
                for (const total of [0, 3]) {
                  const { words } = thereWords(answer({ status, outside, unplaced, total }), { failed, pageLevel, area });
                  const current = pageLevel === 'fresh' && (status === 'live' || status === 'simulated') && !failed;
                  expect(words.startsWith('No alerts')).toBe(current && !outside && !unplaced && total === 0);
                }
    for (const pageLevel of levels) expect(thereWords(undefined, { ...fresh, failed: true, pageLevel }).words).toContain('cannot tell');
    expect(thereWords(undefined, fresh).words).toBe('Looking for alerts there …');
  });
  test('alerts that are known are told also when they may be out of date, and that they may be', () => {
    expect(thereWords(answer({ total: 1 }), fresh).words).toBe('1 active alert here.');
    expect(thereWords(answer({ total: 2 }), { ...fresh, area: true }).words).toBe('2 active alerts in or around it.');
    expect(thereWords(answer({ total: 2 }), { ...fresh, pageLevel: 'stale' })).toMatchObject({ tone: 'warn' });
  });
  test('R-26: outside of the weather service nothing is concluded', () => {
    expect(thereWords(answer({ outside: true }), fresh).words).toContain('nothing can be told');
  });
});

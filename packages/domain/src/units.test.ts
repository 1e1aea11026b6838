import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  celsiusOf,
  fahrenheitOf,
  hpaOfInhg,
  inhgOfHpa,
  kmhOfMph,
  kmhOfMs,
  measureIn,
  mphOfKmh,
  mphOfMs,
  numberIn,
  readUnitSystem,
  type Quantity,
  UNIT_SYSTEMS,
  unitOf,
} from './units.ts';

const QUANTITIES: Quantity[] = ['temperature', 'wind', 'pressure', 'precipitation', 'visibility'];

test('UNIT-01: the preference is metric or imperial, nothing else, metric unless said', () => {
  expect(['metric', 'imperial', 'Imperial', '', null, undefined, 7, {}].map(readUnitSystem)).toEqual([
    'metric',
    'imperial',
    'metric',
    'metric',
    'metric',
    'metric',
    'metric',
    'metric',
  ]);
});

describe('values as people read them', () => {
  test.each([
    ['UNIT-02', 'temperature', 22.2, '22°C', '72°F'],
    ['UNIT-02', 'temperature', -40, '-40°C', '-40°F'],
    ['UNIT-02', 'temperature', -0.4, '0°C', '31°F'],
    ['UNIT-03', 'wind', 100, '100 km/h', '62 mph'],
    ['UNIT-03', 'wind', 19.4, '19 km/h', '12 mph'],
    ['UNIT-04', 'pressure', 1013.25, '1013 hPa', '29.92 inHg'],
    ['UNIT-05', 'precipitation', 25.4, '25.4 mm', '1.0 in'],
    ['UNIT-05', 'precipitation', 0, '0.0 mm', '0.0 in'],
    ['UNIT-05', 'visibility', 16.09344, '16.1 km', '10.0 mi'],
  ] as const)('%s: %s of %s reads %s and %s', (_row, quantity, value, metric, imperial) => {
    expect(measureIn(quantity, value, 'metric')).toBe(metric);
    expect(measureIn(quantity, value, 'imperial')).toBe(imperial);
  });

  test('UNIT-06: a missing value is N/A in every quantity and system, never zero', () => {
    for (const quantity of QUANTITIES)
      for (const system of UNIT_SYSTEMS)
        for (const missing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
          expect(measureIn(quantity, missing, system)).toBe('N/A');
          expect(numberIn(quantity, missing, system)).toBe('N/A');
        }
  });

  test('units are those of the settings', () => {
    expect(QUANTITIES.map((quantity) => unitOf(quantity, 'metric'))).toEqual(['°C', 'km/h', 'hPa', 'mm', 'km']);
    expect(QUANTITIES.map((quantity) => unitOf(quantity, 'imperial'))).toEqual(['°F', 'mph', 'inHg', 'in', 'mi']);
  });

  test('no value reads as minus zero', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUANTITIES), fc.double({ min: -1, max: 1, noNaN: true }), (quantity, value) =>
        UNIT_SYSTEMS.forEach((system) => expect(numberIn(quantity, value, system)).not.toMatch(/^-0(\.0{0,2})?$/)),
      ),
    );
  });
});

describe('conversions', () => {
  test('UNIT-03: 2.237 turns metres per second into miles per hour, and agrees with the way over km/h', () => {
    expect(mphOfMs(10)).toBeCloseTo(22.37, 10);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 120, noNaN: true }),
        (ms) => Math.abs(mphOfMs(ms) - mphOfKmh(kmhOfMs(ms))) <= 0.0002 * ms + 1e-9,
      ),
    );
  });

  test('UNIT-04: both pressure factors lead back to the value they came from', () => {
    fc.assert(
      fc.property(fc.double({ min: 850, max: 1100, noNaN: true }), (hpa) => {
        expect(hpaOfInhg(inhgOfHpa(hpa))).toBeCloseTo(hpa, 1);
      }),
    );
  });

  test('temperature and speed lead back to the value they came from', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 60, noNaN: true }), (value) => {
        expect(celsiusOf(fahrenheitOf(value))).toBeCloseTo(value, 9);
        expect(kmhOfMph(mphOfKmh(value))).toBeCloseTo(value, 9);
      }),
    );
  });
});

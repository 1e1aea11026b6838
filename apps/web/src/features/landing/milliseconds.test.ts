import { expect, test } from 'vitest';
import { decimal, milliseconds } from './milliseconds.ts';

test('figures are written as the browser would write them in American use', () => {
  for (const value of [0, 0.05, 0.5, 7, 8.44, 99.99, 999, 1000, 12_480, 1_234_567.891, -4_321.5]) {
    for (const decimals of [0, 1, 2]) {
      const expected = new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals }).format(value);
      // Exact halves apart: there the browser rounds away from zero, and binary fractions are hardly ever exact.
      if (Math.abs(((value * 10 ** decimals) % 1) - 0.5) > 1e-9) expect(decimal(value, decimals)).toBe(expected);
    }
  }
});

test('milliseconds have as many digits as say something', () => {
  expect([0.618, 8.44, 14.2, 1_500].map(milliseconds)).toEqual(['0.62', '8.4', '14', '1,500']);
});

import { expect, test } from 'vitest';
import { decimal, milliseconds } from './milliseconds.ts';

test.each([0, 1, 2])('figures with at most %i decimals are written as the browser would write them in American use', (decimals) => {
  const { format } = new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals });
  for (const value of [0, 0.07, 0.4, 7, 8.44, 99.99, 999, 1000, 12_480, 1_234_567.891, -4_321.6]) {
    expect(decimal(value, decimals)).toBe(format(value));
  }
});

test('milliseconds have as many digits as say something', () => {
  expect([0.618, 8.44, 14.2, 1_500].map(milliseconds)).toEqual(['0.62', '8.4', '14', '1,500']);
});

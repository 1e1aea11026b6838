import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireTime } from './wire-time.ts';

const byDate = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

describe('times on the wire', () => {
  it('are what a date object says, for any instant it can hold', () => {
    const anywhere = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
    const ours = fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2120, 0, 1) });
    const same = fc.property(fc.oneof(ours, anywhere), (at) => wireTime(at) === byDate(at));
    expect(fc.check(same, { numRuns: 20_000 }).counterexample).toBeNull();
  });

  it('have every day of four hundred years, leap days and turns of centuries among them', () => {
    const wrong: number[] = [];
    for (let day = Date.UTC(1799, 11, 31); day < Date.UTC(2201, 0, 2); day += 86_400_000)
      for (const at of [day - 1, day]) if (wireTime(at) !== byDate(at)) wrong.push(at);
    expect(wrong).toEqual([]);
    for (const edge of [Date.UTC(10_000, 0, 1), new Date('0001-01-01T00:00:00Z').getTime()])
      for (const at of [edge - 1, edge]) expect(wireTime(at)).toBe(byDate(at));
  });
});

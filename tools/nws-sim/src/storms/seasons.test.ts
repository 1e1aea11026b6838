import { describe, expect, it } from 'vitest';

import { loadAtlas } from '../places/atlas.ts';
import { createStormFeed } from './feed.ts';
import { heaviestSeason, seasonWeight } from './seasons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DES_MOINES = -93.6;
/** Mean weight of a family over a month of the sun's hours. */
const inMonth = (code: string, month: number) => {
  const hours = Array.from({ length: 28 * 24 }, (_, hour) => seasonWeight(code, Date.UTC(2026, month, 1) + hour * HOUR_MS, DES_MOINES));
  return hours.reduce((sum, weight) => sum + weight, 0) / hours.length;
};
const [JANUARY, MAY, JULY, SEPTEMBER] = [0, 4, 6, 8];

describe('the calendar of simulated weather', () => {
  it('has snow in winter, tornadoes in spring, heat in summer and hurricanes in early autumn', () => {
    for (const [code, high, low] of [
      ['ws', JANUARY, JULY],
      ['storm', MAY, JANUARY],
      ['xh', JULY, JANUARY],
      ['hu', SEPTEMBER, JANUARY],
    ] as const) {
      expect(inMonth(code, high)).toBeGreaterThan(1.5);
      expect(inMonth(code, low)).toBeLessThan(0.4);
    }
  });

  it('leaves the mean of a year as it is, and no hour is above the heaviest', () => {
    for (const code of ['storm', 'ws', 'hu', 'fg', 'flw', 'tst']) {
      const weights = Array.from({ length: 365 * 8 }, (_, n) => seasonWeight(code, Date.UTC(2026, 0, 1) + n * 3 * HOUR_MS, DES_MOINES));
      expect(weights.reduce((sum, weight) => sum + weight, 0) / weights.length).toBeCloseTo(1, 1);
      expect(Math.max(...weights)).toBeLessThanOrEqual(heaviestSeason(code) + 1e-9);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    }
  });

  it('shows in what is issued, stays an exercise, and gives the same bytes to every asker', () => {
    const atlas = loadAtlas();
    const feed = (at: number) => createStormFeed({ seed: 7, startedAt: at, targetActive: 60, seasons: 'calendar', atlas });
    const events = (month: number) => {
      const at = Date.UTC(2026, month, 15);
      const issued = feed(at).issuedBetween(at - DAY_MS, at);
      expect(issued.every(({ properties }) => properties.status === 'Exercise' || properties.status === 'Test')).toBe(true);
      return new Set(issued.map(({ properties }) => properties.event));
    };
    const [winter, summer] = [events(JANUARY), events(JULY)];
    expect([winter.has('Winter Weather Advisory'), winter.has('Heat Advisory')]).toEqual([true, false]);
    expect([summer.has('Winter Weather Advisory'), summer.has('Heat Advisory')]).toEqual([false, true]);
    const at = Date.UTC(2026, SEPTEMBER, 10);
    expect(JSON.stringify(feed(at).activeAt(at))).toBe(JSON.stringify(feed(at - 40 * DAY_MS).activeAt(at)));
  });
});

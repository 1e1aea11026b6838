import { describe, expect, it } from 'vitest';
import { seededRandom } from '../stats/bootstrap.ts';
import { dailyGrowthRate, forecastRequests, growthPercent, growthTrend } from './index.ts';

describe('growth and forecast', () => {
  const weekly = [0.5, 1.2, 1.3, 1.3, 1.2, 1, 0.5];
  const series = (days: number, growth: number, random: () => number = () => 0.5) =>
    Array.from({ length: days }, (_, i) => Math.round(1_000 * (1 + growth) ** i * (weekly[i % 7] ?? 1) * (0.95 + 0.1 * random())));
  it('finds the growth under the week', () => {
    expect(dailyGrowthRate({ counts: series(28, 0.02), firstWeekday: 0 })).toBeCloseTo(2, 0);
    expect(dailyGrowthRate({ counts: series(7, 0), firstWeekday: 0 })).toBeNull();
    expect(dailyGrowthRate({ counts: Array.from({ length: 20 }, () => 4), firstWeekday: 0 })).toBeNull();
    expect([5.01, 0.01, 0, -4.99, -5].map(growthTrend)).toEqual(['rapid', 'steady', 'stable', 'stable', 'declining']);
    expect([growthPercent(15, 10), growthPercent(1, 0)]).toEqual([50, null]);
  });
  it('repeats a steady week exactly and keeps the shape of the days', () => {
    const forecast = forecastRequests({ counts: series(35, 0), firstWeekday: 0 });
    const week = 1_000 * weekly.reduce((sum, share) => sum + share, 0);
    expect(Math.abs((forecast?.week ?? 0) / week - 1)).toBeLessThan(0.01);
    expect(forecast?.daily.length).toBe(30);
    expect(forecast?.confidence).toBeGreaterThan(0.98);
  });
  it('API-22: gives every day the share of its own weekday: the first is tomorrow, the day after the running one', () => {
    // Six Sundays and what follows them, up to yesterday, a Saturday. Today is a Sunday.
    const forecast = forecastRequests({ counts: series(42, 0), firstWeekday: 0 });
    for (const [i, { expected }] of forecast?.daily.entries() ?? [])
      expect(Math.abs(expected / (1_000 * (weekly[(i + 1) % 7] ?? 1)) - 1), `day ${i}`).toBeLessThan(0.02);
  });
  it('tells no number with under 14 days and no bar with under 27', () => {
    expect(forecastRequests({ counts: series(13, 0), firstWeekday: 0 })).toBeNull();
    const short = forecastRequests({ counts: series(26, 0), firstWeekday: 0 });
    expect([short?.weekInterval, short?.confidence, short?.daily[0]?.low]).toEqual([null, null, null]);
    expect(forecastRequests({ counts: series(27, 0), firstWeekday: 0 })?.weekInterval?.level).toBe(0.8);
  });
  /** How many of a hundred forecasts held: of the week, of all single days. */
  const held = (make: (days: number, random: () => number) => number[]) => {
    const found = { week: 0, days: 0 };
    const runs = 150;
    for (let run = 0; run < runs; run += 1) {
      const all = make(56 + 1 + 30, seededRandom(run + 1));
      const forecast = forecastRequests({ counts: all.slice(0, 56), firstWeekday: 0 });
      const actual = all.slice(57);
      const week = actual.slice(0, 7).reduce((sum, count) => sum + count, 0);
      const isIn = (count: number, bar: { low: number | null; high: number | null } | null | undefined) =>
        Number(count >= (bar?.low ?? Infinity) && count <= (bar?.high ?? -Infinity));
      found.week += isIn(week, forecast?.weekInterval);
      for (const [i, day] of forecast?.daily.entries() ?? []) found.days += isIn(actual[i] ?? -1, day);
    }
    return { week: (100 * found.week) / runs, days: (100 * found.days) / runs / 30 };
  };
  const noise = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  it.each([
    ['even', (days: number, random: () => number) => series(days, 0.004 * (random() - 0.5), random)],
    [
      'noisy',
      (days: number, random: () => number) =>
        Array.from({ length: days }, (_, i) => Math.round(1_000 * (weekly[i % 7] ?? 1) * Math.exp(0.3 * noise(random)))),
    ],
    ['next to none', (days: number, random: () => number) => Array.from({ length: days }, () => (random() < 0.25 ? 1 : 0))],
  ] as const)('API-22: its eighty-percent bars hold weeks and single days in about that share of series: %s', (_name, make) => {
    const { week, days } = held(make);
    expect(week).toBeGreaterThan(68);
    expect(week).toBeLessThan(97);
    expect(days).toBeGreaterThan(72);
    expect(days).toBeLessThan(97);
  });
});

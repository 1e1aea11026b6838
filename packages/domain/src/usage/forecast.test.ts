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
    expect((forecast?.daily[1]?.expected ?? 0) / (forecast?.daily[0]?.expected ?? 1)).toBeCloseTo(1.2 / 0.5, 1);
    expect(forecast?.confidence).toBeGreaterThan(0.98);
  });
  it('tells no number with under 14 days and no bar with under 27', () => {
    expect(forecastRequests({ counts: series(13, 0), firstWeekday: 0 })).toBeNull();
    const short = forecastRequests({ counts: series(26, 0), firstWeekday: 0 });
    expect([short?.weekInterval, short?.confidence, short?.daily[0]?.low]).toEqual([null, null, null]);
    expect(forecastRequests({ counts: series(27, 0), firstWeekday: 0 })?.weekInterval?.level).toBe(0.8);
  });
  it('its 80 % bar holds the week in about that share of noisy series', () => {
    let held = 0;
    const runs = 150;
    for (let run = 0; run < runs; run += 1) {
      const random = seededRandom(run + 1);
      const all = series(63, 0.004 * (random() - 0.5), random);
      const forecast = forecastRequests({ counts: all.slice(0, 56), firstWeekday: 0 });
      const actual = all.slice(56).reduce((sum, count) => sum + count, 0);
      const { low = 0, high = 0 } = forecast?.weekInterval ?? {};
      if (actual >= low && actual <= high) held += 1;
    }
    expect(held / runs).toBeGreaterThan(0.65);
    expect(held / runs).toBeLessThan(0.97);
  });
});

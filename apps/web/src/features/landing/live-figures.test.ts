import { describe, expect, test } from 'vitest';
import { barShare, liveFigures, SEVERITY_MAXIMA } from './live-figures.ts';
import { healthFixture } from './landing-fixture.ts';

describe('figures of the start page', () => {
  test('LAND-05: without health data the figures are fixed, and marked as demo', () => {
    const first = liveFigures(null);
    expect(first).toEqual(liveFigures(null));
    expect(first).toMatchObject({ demo: true, uptime: { value: '99.9%' } });
    expect([first.severities, first.active]).toEqual([null, null]);
  });

  test('LAND-01: measured figures are shown as measured, and what is not measured is not zero', () => {
    const figures = liveFigures(
      healthFixture({ metrics: { requests_today: 1234, requests_per_minute: 3, avg_response_time_ms: null, users_online: null } }),
    );
    expect(figures).toMatchObject({ demo: false, requests: { value: '1,234' }, response: { value: null }, users: { value: null } });
  });

  test('uptime says its window, is never rounded up and is never assumed', () => {
    const uptime = (percent: number | null, window_days: number) =>
      liveFigures(healthFixture({ uptime: { percent, window_days, since: 'x' } })).uptime;
    expect(uptime(99.996, 30)).toEqual({ value: '99.99%', note: 'of stored probes, last 30 days' });
    expect(uptime(100, 0.01).note).toBe('of stored probes, last 14 min');
    expect(uptime(97.5, 3.4).note).toBe('of stored probes, last 3 days');
    expect(uptime(null, 0).value).toBeNull();
  });

  test('an average of 100 ms and over is not good', () => {
    const good = (avg_response_time_ms: number) =>
      liveFigures(healthFixture({ metrics: { requests_today: 1, requests_per_minute: 1, avg_response_time_ms, users_online: 1 } })).response
        .good;
    expect([good(99.9), good(100)]).toEqual([true, false]);
  });

  test('zero alerts before the first poll are not told as none', () => {
    const health = healthFixture();
    health.checks.data_freshness.status = 'unknown';
    expect(liveFigures(health)).toMatchObject({ severities: null, active: null });
  });

  test('LAND-06: the bars are full at 5, 50, 30 and 20', () => {
    expect(SEVERITY_MAXIMA).toEqual({ Extreme: 5, Severe: 50, Moderate: 30, Minor: 20 });
    expect([barShare('Extreme', 5), barShare('Severe', 25), barShare('Moderate', 90), barShare('Minor', 0)]).toEqual([1, 0.5, 1, 0]);
  });
});

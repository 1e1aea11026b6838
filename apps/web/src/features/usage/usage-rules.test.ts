import type { UsageGeographic, UsageOverview, UsageRealtime } from '@nwms/contract';
import { describe, expect, test } from 'vitest';
import { POLICIES } from '../../api/intervals.ts';
import type { Services } from '../../api/services.ts';
import { geoInsights } from './geo-insights.ts';
import {
  diversityOf,
  engagementOf,
  fillOf,
  forecastWords,
  growthOf,
  isPowerUser,
  limitPages,
  PEAK_HOUR_FULL,
  TOTAL_FULL,
  whyMissing,
} from './monitoring/monitoring-words.ts';
import { realtimeOf } from './queries.ts';
import { requestsAt } from './requests-link.ts';
import { askedOf, filterWords, startOf } from './requests-panel.tsx';
import { busiestRing, dailyTrends, endpointBars, minuteLine, requestTrends } from './usage-charts.ts';
import {
  DEFAULT_DAYS,
  DEFAULT_MINUTES,
  isOpen,
  PERIODS,
  readRequestFilter,
  readUsageSearch,
  type UsageSearch,
  WINDOWS,
} from './usage-search.ts';
import { BUSY, cut, endpointTone, errorTone, growthWords, responseTone, SHORT, slowestNote } from './usage-words.ts';

describe('the address', () => {
  test('ANLY-01: periods of 1, 7, 30 and 90 days, 7 unless given', () => {
    expect(PERIODS).toEqual([
      { value: 1, label: '24h' },
      { value: 7, label: '7d' },
      { value: 30, label: '30d' },
      { value: 90, label: '90d' },
    ]);
    expect(DEFAULT_DAYS).toBe(7);
    expect(readUsageSearch({ days: '30', principal: 'key' })).toMatchObject({ days: 30, principal: 'key' });
    expect(readUsageSearch({ days: '5', principal: 'all', minutes: '7', auto: 'on' })).toEqual({});
  });

  test('RTIM-01, RTIM-02: windows of 15 to 120 minutes, 60 unless given; asked every 10 s', () => {
    expect(WINDOWS).toEqual([15, 30, 60, 120]);
    expect(DEFAULT_MINUTES).toBe(60);
    expect(POLICIES.realtime).toEqual({ every: 10, stale: 5, retries: 1 });
    expect(readUsageSearch({ minutes: 120, auto: 'off' })).toMatchObject({ minutes: 120, auto: 'off' });
  });

  test('NET-15: real-time questions are asked only for a positive number of minutes', () => {
    const services = { budget: { take: () => true }, random: () => 0 } as unknown as Services;
    const isAsked = (minutes: unknown) => realtimeOf(services, { minutes } as UsageSearch).enabled;
    expect([15, 60, undefined].map(isAsked)).toEqual([true, true, true]);
    expect([0, -5, Number.NaN].map(isAsked)).toEqual([false, false, false]);
    expect(['0', '-5', 'x', ''].map((minutes) => readUsageSearch({ minutes }).minutes)).toEqual(Array(4).fill(undefined));
  });

  test('filters of single requests are read as what they can mean', () => {
    expect(readRequestFilter({ endpoint: '/api/v1/alerts', method: 'GET', status: '404', country: 'ZZ' })).toMatchObject({
      status: 404,
      country: 'ZZ',
    });
    expect(isOpen(readRequestFilter({ status: 'x', country: 'Germany', error: 'DROP TABLE' }))).toBe(false);
  });

  test('R-27: accounts and their limits are paged, and what the server does not reach is said', () => {
    expect(limitPages(3, 50)).toEqual({ total: 3, count: 1, isCut: false });
    expect(limitPages(10_050, 50)).toEqual({ total: 10_050, count: 201, isCut: false });
    expect(limitPages(12_000, 50)).toEqual({ total: 10_050, count: 201, isCut: true });
    expect(['2', '1', '0', '-1', '1.5', 'x', '5000'].map((page) => readUsageSearch({ page }).page)).toEqual([
      2,
      ...Array(6).fill(undefined),
    ]);
  });

  test('a figure leads to the requests it was counted from: same period, same kind of caller, the one minute, the one key', () => {
    const now = Date.parse('2025-12-15T14:05:00Z');
    const { search } = requestsAt({ country: 'US' }, { days: 30, principal: 'key' });
    expect(search).toEqual({ country: 'US', days: 30, principal: 'key' });
    const asked = askedOf(readRequestFilter(search), readUsageSearch(search), now);
    expect(asked).toMatchObject({ country: 'US', principal: 'key', from: '2025-11-16T00:00:00.000Z' });
    expect(asked.to).toBeUndefined();
    const minute = readRequestFilter({ minute: '2025-12-15T14:03', key_id: 'key_1' });
    expect(askedOf(minute, {}, now)).toMatchObject({ from: '2025-12-15T14:03:00.000Z', to: '2025-12-15T14:04:00.000Z', key_id: 'key_1' });
    expect(askedOf(minute, {}, now)).not.toHaveProperty('minute');
    expect(filterWords(minute, 'key')).toBe('key key_1, 2025-12-15 14:03 UTC, by API keys');
    expect(['2025-12-15T14:99', '2025-02-30', 'x'].map((text) => readRequestFilter({ minute: text }).minute)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('the list of requests begins where the figures do', () => {
    const now = Date.parse('2025-12-15T14:05:00Z');
    expect(startOf(1, now)).toBe('2025-12-14T15:00:00.000Z');
    expect(startOf(7, now)).toBe('2025-12-09T00:00:00.000Z');
  });
});

test('MON-01, NET-12: monitoring is asked every 30 s, the overview every 5 min, the others every 1 or 2', () => {
  const every = (
    ['monitoring', 'analyticsOverview', 'endpoints', 'business', 'errors', 'performance', 'userAgents', 'geographic'] as const
  ).map((name) => POLICIES[name].every);
  expect(every).toEqual([30, 300, 60, 60, 60, 60, 120, 120]);
});

describe('thresholds', () => {
  test('ANLY-08, R-33: under 100 ms is positive, 100 is not', () => {
    expect([99.9, 100, null].map(responseTone)).toEqual(['ok', 'plain', 'plain']);
  });

  test('ANLY-08, R-33: error rates under 5% are positive, over 5 yellow, over 10 red', () => {
    expect([0, 4.99, 5, 5.01, 10, 10.01, null].map(errorTone)).toEqual(['ok', 'ok', 'plain', 'warn', 'warn', 'bad', 'plain']);
  });

  test('ANLY-08: endpoints over 500 ms are amber, over 1000 ms red', () => {
    expect([500, 501, 1000, 1001, null].map(endpointTone)).toEqual(['plain', 'warn', 'warn', 'bad', 'plain']);
  });

  test('ANLY-09: endpoint names are cut to 15 characters, busiest ones to 30', () => {
    expect([SHORT, BUSY]).toEqual([15, 30]);
    expect(cut('/alerts/stats', SHORT)).toBe('/alerts/stats');
    expect(cut('/intelligence/severity-trends', SHORT)).toHaveLength(15);
    const spec = endpointBars([{ endpoint: '/api/v1/intelligence/severity-trends', method: 'GET', n: 4 }], {
      name: 'n',
      value: ({ n }) => n,
    });
    expect(spec.kind === 'bar' && [spec.data.ticks?.[0], spec.data.labels[0]]).toEqual([
      '/intelligence/…',
      'GET /intelligence/severity-trends',
    ]);
  });

  test('MON-07: bars are full at 3000 requests per hour and at 10000 requests', () => {
    expect([PEAK_HOUR_FULL, TOTAL_FULL]).toEqual([3000, 10_000]);
    expect([fillOf(1500, PEAK_HOUR_FULL), fillOf(99_999, TOTAL_FULL)]).toEqual([50, 100]);
  });

  test('MON-08: diversity, engagement and power users', () => {
    expect([0.11, 0.1, 0.06, 0.05].map(diversityOf)).toEqual(['high', 'medium', 'medium', 'low']);
    expect([101, 100, 51, 50, null].map(engagementOf)).toEqual(['high', 'good', 'good', null, null]);
    expect([50, 51].map(isPowerUser)).toEqual([false, true]);
  });

  test('MON-09: growth over 5 is rapid, over 0 steady, over -5 stable, else declining', () => {
    expect([5.1, 5, 0.1, 0, -4.9, -5, null].map(growthOf)).toEqual(['rapid', 'steady', 'steady', 'stable', 'stable', 'declining', null]);
  });
});

describe('R-23: what is not known is said, never shown as zero', () => {
  test('figures say why they are missing', () => {
    const gaps = [{ field: 'predictions.next_week_requests', reason: 'short_history' as const, have: 3, need: 14 }];
    expect(whyMissing(gaps, 'predictions.next_week_requests')).toBe('history too short: 3 of 14 days');
    expect(whyMissing(gaps, 'confidence_score')).toBe('not known yet');
    expect(forecastWords(null, null)).toBeNull();
    expect(forecastWords(12_400, { low: 10_100, high: 14_900, level: 0.8 })).toBe('12,400 (80% interval 10,100 to 14,900)');
  });

  test('growth without a recorded time before is not 0%', () => {
    const words = (growth_percent: number | null, days: number, before: number | null) =>
      growthWords({
        growth_percent,
        analysis_period: { days },
        previous: before === null ? null : { total_requests: before },
      } as UsageOverview);
    expect(words(null, 7, null)).toBe('the 7 days before are not fully recorded');
    // Recorded, and nobody asked: no share of nothing, and nothing that is missing.
    expect(words(null, 7, 0)).toBe('no request in the 7 days before');
    expect(words(12.5, 1, 8)).toBe('+12.5% against the 24 hours before');
    expect(words(-3, 30, 100)).toBe('−3% against the 30 days before');
  });

  test('PERF-02: the slowest endpoints say how many requests they had', () => {
    expect(slowestNote([{ request_count: 5 }, { request_count: 90 }])).toBe('By average in ms, of those with five requests or more');
    expect(slowestNote([{ request_count: 4 }, { request_count: 1 }])).toBe('By average in ms; no endpoint has five requests yet');
  });

  test('MON-05: history is told in days, and what nothing is said of has its own words', () => {
    expect(whyMissing([{ field: 'a', reason: 'short_history', have: 0.25, need: 1 }], 'a')).toBe('history too short: 0.25 of 1 day');
    expect(whyMissing([], 'a', 'none fails')).toBe('none fails');
  });
});

describe('charts', () => {
  const overview = {
    analysis_period: { days: 1 },
    daily_trends: [{ date: '2025-12-15', requests: 9 }],
    hourly_trends: [{ hour: '2025-12-15T13:00:00Z', requests: 4 }],
  } as unknown as UsageOverview;

  test('ANLY-04: one day is drawn by hours, more by days', () => {
    const day = requestTrends(overview);
    expect(day.kind === 'line' && [day.data.ticks, day.data.series[0]?.values]).toEqual([['13:00'], [4]]);
    const week = requestTrends({ ...overview, analysis_period: { ...overview.analysis_period, days: 7 } });
    expect(week.kind === 'line' && [week.data.ticks, week.data.series[0]?.values]).toEqual([['Dec 15'], [9]]);
  });

  test('ANLY-12: the row of the last 24 hours is not called by the name of a day', () => {
    expect(dailyTrends({ ...overview, daily_trends: overview.daily_trends }).data).toMatchObject({ labels: ['The last 24 hours'] });
    const week = { ...overview, analysis_period: { ...overview.analysis_period, days: 7 } };
    expect(dailyTrends(week).data).toMatchObject({ labels: ['2025-12-15'], ticks: ['Dec 15'] });
  });

  test('R-23: days before recording began are gaps that say so; hours without a request are another kind', () => {
    const days = [
      { date: '2025-12-14', requests: null, avg_response_time_ms: null },
      { date: '2025-12-15', requests: 9, avg_response_time_ms: 12 },
      { date: '2025-12-16', requests: 0, avg_response_time_ms: null },
    ];
    const of = (daily_trends: object[]) => ({ ...overview, analysis_period: { days: 7 }, daily_trends }) as unknown as UsageOverview;
    expect(requestTrends(of(days)).data).toMatchObject({ series: [{ values: [null, 9, 0] }], gap: 'not recorded' });
    expect(dailyTrends(of(days)).data).toMatchObject({ gap: 'not recorded, or no request' });
    expect(dailyTrends(of(days.slice(1))).data).toMatchObject({ gap: 'no request' });
    expect(requestTrends(of(days.slice(1))).data).not.toHaveProperty('gap');
  });

  test('RTIM-03: lines show the last 10 minutes, the running one named', () => {
    const rows = Array.from({ length: 15 }, (_, at) => ({ timestamp: `2025-12-15T13:${10 + at}:00Z`, requests: at, partial: at === 14 }));
    const spec = minuteLine({ requests_per_minute: rows } as unknown as UsageRealtime, { name: 'n', value: (row) => row.requests });
    expect(spec.kind === 'line' && spec.data.series[0]?.values).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(spec.kind === 'line' && spec.data.labels.at(-1)).toBe('13:24, still running');
  });
});

test('RTIM-04: shares of the busiest endpoints are shares of all requests', () => {
  const endpoints = ['a', 'b', 'c', 'd', 'e', 'f'].map((endpoint, at) => ({ endpoint, requests: 10 - at }));
  const spec = busiestRing({ top_endpoints: endpoints, totals: { requests: 100 } } as unknown as UsageRealtime);
  expect(spec.kind === 'doughnut' && [spec.data.labels, spec.data.series[0]?.values]).toEqual([
    ['a', 'b', 'c', 'd', 'e', 'All others'],
    [10, 9, 8, 7, 6, 60],
  ]);
});

describe('GEO-03', () => {
  const geo = (parts: Partial<UsageGeographic>): UsageGeographic =>
    ({ country_stats: [], city_stats: [], located_percent: null, total_requests: 0, ...parts }) as UsageGeographic;

  test('insights are made of the figures and never guess a place', () => {
    const country_stats = [
      { country: 'Unknown', country_code: 'ZZ', requests: 120, unique_ips: 4, percent: 60 },
      { country: 'Canada', country_code: 'CA', requests: 80, unique_ips: 3, percent: 40 },
    ];
    expect(geoInsights(geo({ country_stats, located_percent: 40, total_requests: 200 }))).toEqual([
      'Canada sends 40% of all requests, the only country known.',
      '60% of the requests come from private or unlisted addresses. They are counted as Unknown, never guessed.',
    ]);
    expect(geoInsights(geo({}))).toEqual([]);
  });
});

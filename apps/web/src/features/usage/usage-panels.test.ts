import type { AlertStats, Health, UsageInsights, UsageUsers } from '@nwms/contract';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { AlertFigures, SystemHealth } from './dashboard-blocks.tsx';
import { ForecastFacts, HealthScore, OpenAlerts, Recommendations, UsageFigures, UsagePatterns } from './monitoring/insight-panels.tsx';
import { UsersOverview } from './monitoring/people-panels.tsx';
import { OverviewCards } from './overview-cards.tsx';

/** What is read of a component, without its markup. */
const read = <P extends object>(component: FunctionComponent<P>, props: P): string =>
  renderToStaticMarkup(createElement(component, props))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const health = {
  status: 'healthy',
  response_time_ms: 12,
  checks: { data_freshness: { status: 'ok', active_alerts: 178 } },
} as unknown as Health;

describe('ANLY-06: system health', () => {
  test('is Healthy or Issues as the server says', () => {
    expect(read(SystemHealth, { health, old: false })).toContain('Status Healthy Active alerts 178 Response time 12 ms');
    expect(read(SystemHealth, { health: { ...health, status: 'degraded' }, old: false })).toContain('Status Issues');
  });

  test('R-23: is neither when the server did not answer', () => {
    const words = read(SystemHealth, { health, old: true });
    expect(words).toContain('Not known');
    expect(words).not.toContain('Healthy');
  });
});

test('ANLY-02, R-23: while nothing is known the cards claim nothing', () => {
  const words = read(OverviewCards, { overview: undefined, view: { is: 'loading' }, dimmed: false });
  expect(words).toBe('Total Requests Unique Users by IP Avg Response Time Error Rate');
});

test('ANLY-07: alert statistics have the total and every severity, Severe red and Moderate yellow', () => {
  const stats = { total: 12, by_severity: { Extreme: 1, Severe: 4, Moderate: 5, Minor: 2, Unknown: 0 } } as unknown as AlertStats;
  expect(read(AlertFigures, { stats })).toBe('Total 12 Extreme 1 Severe 4 Moderate 5 Minor 2 Unknown 0');
  const markup = renderToStaticMarkup(createElement(AlertFigures, { stats }));
  expect(markup).toMatch(/Severe<\/dt><dd[^>]*><span[^>]*color:var\(--bad\)/);
  expect(markup).toMatch(/Moderate<\/dt><dd[^>]*><span[^>]*color:var\(--moderate\)/);
});

const insights = {
  analysis_period: { days: 7, start: '', end: '' },
  system_insights: {
    system_health_score: 87,
    health_components: { availability: 1, latency: 0.5, freshness: 1, dependencies: null },
    peak_hour: 15,
    peak_hour_requests: 1500,
    lowest_hour: 4,
    total_requests: 12_400,
    unique_users: 90,
    busiest_endpoint: 'GET /api/v1/intelligence/severity-trends/of-all-the-events',
    slowest_endpoint: 'GET /api/v1/alerts',
    error_prone_endpoint: null,
    daily_growth_rate: 2.5,
    avg_requests_per_user: 137.8,
    power_users_count: 3,
  },
  recommendations: [],
  alerts: [],
  predictions: {
    next_week_requests: null,
    next_month_requests: null,
    growth_trend: null,
    intervals: { next_week: null, next_month: null },
    daily: [],
    method: 'seasonal-damped-v1',
    basis_days: 3,
  },
  confidence_score: null,
  insufficient: [
    { field: 'predictions', reason: 'short_history', have: 3, need: 14 },
    { field: 'confidence_score', reason: 'short_history', have: 3, need: 27 },
  ],
} as unknown as UsageInsights;

describe('MON-05: what the rules make of the figures', () => {
  test('ANLY-09, MON-07: patterns with their scales, the busiest endpoint within 30 characters', () => {
    const words = read(UsagePatterns, { insights, total: 12_400 });
    expect(words).toContain('Peak hour, 15:00 UTC 1,500');
    expect(words).toContain('full at 3,000');
    expect(words).toContain('full at 10,000');
    expect(words).toContain(`Busiest endpoint ${'GET /intelligence/severity-trends/of-all-the-events'.slice(0, 29)}…`);
    expect(words).toContain('none with 10 requests or more fails');
  });

  test('R-23: with too few requests nobody says that nothing fails', () => {
    const few = { field: 'system_insights.error_prone_endpoint', reason: 'few_samples', have: 9, need: 10 } as const;
    const words = read(UsagePatterns, { insights: { ...insights, insufficient: [...insights.insufficient, few] }, total: 9 });
    expect(words).toContain('Error-prone endpoint too few requests: 9 of 10');
    expect(words).not.toContain('none');
  });

  test('MON-08, MON-09: engagement and growth have their labels', () => {
    expect(read(UsageFigures, { insights, visitors: 90 })).toContain('Requests per user 137.8 high engagement Growth per day 2.5% steady');
  });

  test('the health score says what it is made of, and what is not known of it', () => {
    const words = read(HealthScore, { insights });
    expect(words).toMatch(/^87 of 100/);
    expect(words).toContain('Dependencies — not known yet');
  });

  test('MON-10: priorities and severities are words; nothing found is said', () => {
    const recommendation = { id: 'a', priority: 'high' as const, category: 'x', title: 'T', description: 'D', impact: 'I', evidence: {} };
    expect(read(Recommendations, { items: [recommendation] })).toBe('high T D I');
    expect(read(Recommendations, { items: [] })).toBe('No rule found anything to recommend.');
    const alert = { id: 'b', severity: 'critical' as const, message: 'M', since: '2025-12-15T14:05:00Z', evidence: {} };
    expect(read(OpenAlerts, { alerts: [alert] })).toBe('critical M since 12-15 14:05 UTC');
    expect(read(OpenAlerts, { alerts: [] })).toBe('No alert of the system is open.');
    // "none" is told of a fresh answer only.
    expect(read(OpenAlerts, { alerts: [], old: true })).toContain('We cannot tell right now');
  });

  test('a forecast that cannot be made says what it lacks, and shows no number', () => {
    const words = read(ForecastFacts, { insights });
    expect(words).toContain('Next 7 days history too short: 3 of 14 days');
    expect(words).toContain('Confidence history too short: 3 of 27 days');
    expect(words).not.toMatch(/days 0|NaN|%/);
  });
});

test('MON-04: visitors of nobody are no visitors, said in the words of the spec', () => {
  expect(read(UsersOverview, { users: { total_users: 0, user_types: [] } as unknown as UsageUsers })).toBe(
    'No user activity data available',
  );
});

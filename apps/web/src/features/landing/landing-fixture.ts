import type { Health } from '@nwms/contract';

/** A healthy server with figures of every kind. */
export function healthFixture(change: Partial<Health> = {}): Health {
  return {
    status: 'healthy',
    response_time_ms: 0.6,
    timestamp: '2026-11-21T14:00:00.000Z',
    checks: {
      data_freshness: {
        status: 'ok',
        active_alerts: 175,
        in_force: 160,
        by_severity: { Extreme: 2, Severe: 104, Moderate: 40, Minor: 27, Unknown: 2 },
        data_as_of: '2026-11-21T13:59:50.000Z',
        upstream_age_seconds: 10,
        feed: 'nws',
        simulated: false,
        reason: null,
      },
      database: { status: 'ok', latency_ms: 0.4 },
      live: { status: 'ok', connections: 3 },
      jobs: { status: 'ok' },
    },
    metrics: { requests_today: 100, requests_per_minute: 4, avg_response_time_ms: 8, users_online: 3 },
    uptime: { percent: 100, window_days: 30, since: '2026-10-22T00:00:00.000Z' },
    ...change,
  };
}

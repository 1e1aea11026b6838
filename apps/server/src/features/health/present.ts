import type { Freshness, Health } from '@nwms/contract';

export interface HealthFacts {
  now: number;
  freshness: Freshness;
  counts: { active: number; inForce: number; bySeverity: NonNullable<Health['checks']['data_freshness']['by_severity']> } | null;
  database: { ok: boolean; latencyMs: number | null };
  liveConnections: number;
  jobsOk: boolean;
  shuttingDown: boolean;
  /** As recorded; null while that is not known. */
  requestsToday: number | null;
  meter: { requestsPerMinute: number | null; averageMs: number | null; usersOnline: number };
  uptime: { percent: number | null; windowDays: number; since: number | null };
}

const FRESH = { live: 'ok', simulated: 'ok', stale: 'stale', unknown: 'unknown' } as const;

/** Measured values or null, never invented. */
export function presentHealth(facts: HealthFacts): Health {
  const { freshness, counts, database } = facts;
  const dataStatus = FRESH[freshness.status];
  const round = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)));
  return {
    status: overall(facts, dataStatus),
    response_time_ms: 0,
    timestamp: new Date(facts.now).toISOString(),
    checks: {
      data_freshness: {
        status: dataStatus,
        active_alerts: counts?.active ?? null,
        in_force: counts?.inForce ?? null,
        by_severity: counts?.bySeverity ?? null,
        data_as_of: freshness.data_as_of,
        upstream_age_seconds: freshness.upstream_age_seconds,
        feed: freshness.feed,
        simulated: freshness.simulated,
        reason: freshness.reason,
      },
      database: { status: database.ok ? 'ok' : 'down', latency_ms: round(database.latencyMs, 2) },
      live: { status: facts.shuttingDown ? 'down' : 'ok', connections: facts.liveConnections },
      jobs: { status: facts.jobsOk ? 'ok' : 'degraded' },
    },
    metrics: {
      requests_today: facts.requestsToday,
      requests_per_minute: round(facts.meter.requestsPerMinute, 1),
      avg_response_time_ms: round(facts.meter.averageMs, 1),
      users_online: facts.meter.usersOnline + facts.liveConnections,
    },
    uptime: {
      percent: round(facts.uptime.percent, 2),
      window_days: facts.uptime.windowDays,
      since: facts.uptime.since === null ? null : new Date(facts.uptime.since).toISOString(),
    },
  };
}

/** healthy: data current and everything works. unhealthy: nothing can be concluded from the data, or stopping. degraded: between. */
function overall(facts: HealthFacts, dataStatus: 'ok' | 'stale' | 'unknown'): Health['status'] {
  if (facts.shuttingDown || dataStatus === 'unknown') return 'unhealthy';
  return dataStatus === 'ok' && facts.database.ok && facts.jobsOk ? 'healthy' : 'degraded';
}

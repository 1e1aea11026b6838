import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Alerts, AlertStorage } from '../features/alerts/index.ts';
import {
  createMetrics,
  createReadiness,
  createUptime,
  createUptimeStore,
  registerHealthRoutes,
  type RequestMeter,
} from '../features/health/index.ts';
import type { Live } from '../features/live/index.ts';
import type { Usage } from '../features/usage/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/types.ts';
import type { watchDatabase } from '../platform/db/watch.ts';
import type { Identity } from '../platform/http/identity.ts';
import type { Serve } from '../platform/http/serve.ts';
import { healthDetail } from './health-detail.ts';
import { mountMetrics } from './http.ts';
import type { IngestRole } from './ingest-role.ts';
import { metricSources } from './metric-sources.ts';

export interface HealthDeps {
  clock: Clock;
  app: FastifyInstance;
  serve: Serve;
  identity: Identity;
  database: Database;
  watch: ReturnType<typeof watchDatabase>;
  alerts: Alerts;
  storage: AlertStorage;
  live: Live;
  ingest: IngestRole;
  usage: Usage;
  meter: RequestMeter;
  metricsToken: string | null;
  version: string;
  shuttingDown(): boolean;
}

/** What the product tells of itself: health, readiness, uptime, metrics. */
export function createHealth(deps: HealthDeps) {
  const { clock, app, serve, identity, database, watch, alerts, storage, live, ingest, usage, meter, metricsToken, version, shuttingDown } =
    deps;
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();
  const healthy = () => ['live', 'simulated'].includes(ingest.freshness().status) && watch.state().ok;
  const uptime = createUptime({ clock, store: createUptimeStore(database.app), healthy });

  const metrics = createMetrics(metricSources({ alerts, storage, live, ingest, watch, loopDelay, usage }));
  mountMetrics(app, metrics, metricsToken);
  registerHealthRoutes(serve, {
    clock,
    freshness: () => ingest.freshness(),
    upstream: () => ingest.upstream(),
    alertCounts: () => alerts.counts(),
    database: () => watch.state(),
    liveConnections: () => live.connections(),
    jobsOk: () => true,
    waitingFor: createReadiness({ clock, loaded: alerts.loaded }),
    shuttingDown,
    meter,
    requestsToday: () => usage.requestsToday(),
    uptime,
    detailFor: healthDetail({ clock, identity, database, storage, live, ingest, loopDelay, version }),
  });
  const trouble = () => {
    if (!watch.state().ok) return 'The database does not answer.';
    const { status } = ingest.freshness();
    return status === 'live' || status === 'simulated' ? null : `Weather data is ${status}.`;
  };
  return {
    metrics,
    /** What an administrator should know at once; null = nothing. */
    trouble,
    start: () => uptime.start(),
    stop() {
      uptime.stop();
      loopDelay.disable();
    },
  };
}

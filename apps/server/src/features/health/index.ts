import type { Freshness, Health, UpstreamHealth } from '@nwms/contract';
import { health as contract } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { RequestMeter } from './meter.ts';
import { presentHealth, type HealthFacts } from './present.ts';
import type { Uptime } from './uptime.ts';

export { createRequestMeter, type RequestMeter } from './meter.ts';
export { createUptime, type Uptime, type UptimeStore } from './uptime.ts';
export { createReadiness } from './readiness.ts';
export { createMetrics, type MetricSources, type Metrics } from './metrics.ts';
export { createUptimeStore } from './store.ts';

/** Probes are handed in: this slice owns nothing but the way they are told. All must answer from memory. */
export interface HealthDeps {
  clock: Clock;
  freshness(): Freshness;
  upstream(): UpstreamHealth;
  /** Null while nothing was ever loaded. */
  alertCounts(): HealthFacts['counts'];
  /** Last measured database round trip; null latency = not answering. */
  database(): { ok: boolean; latencyMs: number | null };
  liveConnections(): number;
  jobsOk(): boolean;
  /** What readiness still waits for; empty = ready. */
  waitingFor(): string[];
  shuttingDown(): boolean;
  meter: RequestMeter;
  /** Recorded requests of this UTC day; null while not known. */
  requestsToday(): number | null;
  uptime: Uptime;
  /** What administrators see more; null for everybody else. Must not wait long. */
  detailFor?(request: FastifyRequest): Promise<Health['admin'] | null>;
}

const NO_STORE = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };

export function registerHealthRoutes(serve: Serve, deps: HealthDeps): void {
  serve(contract.getHealth, async ({ request }) => {
    const detail = (await deps.detailFor?.(request)) ?? null;
    const startedAt = deps.clock.monotonicMs();
    const body = presentHealth({
      now: deps.clock.now(),
      freshness: deps.freshness(),
      counts: deps.alertCounts(),
      database: deps.database(),
      liveConnections: deps.liveConnections(),
      jobsOk: deps.jobsOk(),
      shuttingDown: deps.shuttingDown(),
      requestsToday: deps.requestsToday(),
      meter: deps.meter.summary(),
      uptime: deps.uptime.summary(),
    });
    body.response_time_ms = Math.round((deps.clock.monotonicMs() - startedAt) * 100) / 100;
    return {
      kind: 'raw',
      status: deps.shuttingDown() ? 503 : 200,
      headers: NO_STORE,
      body: JSON.stringify(detail ? { ...body, admin: detail } : body),
    };
  });
  serve(contract.getReady, () => {
    const waiting = deps.shuttingDown() ? ['shutting down'] : deps.waitingFor();
    const body = waiting.length > 0 ? { ready: false, waiting_for: waiting } : { ready: true };
    return { kind: 'raw', status: waiting.length > 0 ? 503 : 200, headers: NO_STORE, body: JSON.stringify(body) };
  });
  serve(contract.getLive, () => ({ live: true as const }));
  serve(contract.getUpstreamHealth, () => deps.upstream());
}

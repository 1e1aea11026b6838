import type { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Alerts } from '../features/alerts/index.ts';
import type { MetricSources } from '../features/health/index.ts';
import type { IngestRole } from './ingest-role.ts';
import type { Live } from '../features/live/index.ts';

interface Parts {
  alerts: Alerts;
  storage: { log: { latestSeq(): number } };
  live: Live;
  ingest: IngestRole;
  watch: { state(): { latencyMs: number | null } };
  loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  usage: { losses(): { total: number }; waiting(): number };
}

/** What the metrics read at scrape time. */
export function metricSources({ alerts, storage, live, ingest, watch, loopDelay, usage }: Parts): MetricSources {
  return {
    upstreamAgeSeconds: () => ingest.freshness().upstream_age_seconds,
    alertsByStateAndSeverity: () => {
      const groups = Map.groupBy(alerts.board.rows(), (row) => `${row.alert.state} ${row.alert.severity}`);
      return [...groups].map(([key, rows]) => ({ state: key.split(' ')[0] ?? '', severity: key.split(' ')[1] ?? '', count: rows.length }));
    },
    logSeq: () => storage.log.latestSeq(),
    liveConnections: () => [{ transport: 'all', count: live.connections() }],
    polls: () => ingest.metrics().polls,
    quarantined: () => ingest.metrics().quarantined,
    seenDelaySeconds: () => {
      const { p50, p90, p99 } = ingest.upstream().seen_delay_seconds;
      return Object.entries({ 0.5: p50, 0.9: p90, 0.99: p99 }).flatMap(([quantile, value]) =>
        value === null ? [] : [{ quantile, value }],
      );
    },
    usageLost: () => usage.losses().total,
    usageWaiting: () => usage.waiting(),
    eventLoopDelaySeconds: () => loopDelay.percentile(99) / 1e9,
    databaseSeconds: () => {
      const { latencyMs } = watch.state();
      return latencyMs === null ? null : latencyMs / 1000;
    },
  };
}

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the gauges read at scrape time, from memory. */
export interface MetricSources {
  upstreamAgeSeconds(): number | null;
  alertsByStateAndSeverity(): { state: string; severity: string; count: number }[];
  logSeq(): number;
  liveConnections(): { transport: string; count: number }[];
  polls(): { result: string; count: number }[];
  quarantined(): { reason: string; count: number }[];
  seenDelaySeconds(): { quantile: string; value: number }[];
  /** Requests that were not recorded since the start, and those that wait to be written. */
  usageLost(): number;
  usageWaiting(): number;
  eventLoopDelaySeconds(): number;
  databaseSeconds(): number | null;
}

export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void;
  inFlight(change: 1 | -1): void;
  text(): Promise<{ contentType: string; body: string }>;
}

/** Prometheus metrics. Labels are bounded sets: route templates, methods, statuses; never ids or addresses. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'nwms_http_requests_total',
    help: 'Finished requests',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'nwms_http_request_seconds',
    help: 'Time to answer',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const inFlight = new Gauge({ name: 'nwms_http_in_flight', help: 'Requests being answered', registers });

  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    read: (set: (labels: Record<string, string>, value: number) => void) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        read((labels, value) => this.set(labels, value));
      },
    });
  gauge('nwms_upstream_age_seconds', 'Age of the data', [], (set) => {
    const age = sources.upstreamAgeSeconds();
    if (age !== null) set({}, age);
  });
  gauge('nwms_alerts', 'Events on the board', ['state', 'severity'], (set) => {
    for (const { state, severity, count } of sources.alertsByStateAndSeverity()) set({ state, severity }, count);
  });
  gauge('nwms_log_seq', 'Last number of the event log', [], (set) => set({}, sources.logSeq()));
  gauge('nwms_live_connections', 'Open live connections', ['transport'], (set) => {
    for (const { transport, count } of sources.liveConnections()) set({ transport }, count);
  });
  gauge('nwms_upstream_polls_total', 'Polls by result', ['result'], (set) => {
    for (const { result, count } of sources.polls()) set({ result }, count);
  });
  gauge('nwms_quarantined_total', 'Features that could not be read, by reason', ['reason'], (set) => {
    for (const { reason, count } of sources.quarantined()) set({ reason }, count);
  });
  gauge('nwms_seen_delay_seconds', 'Time from sent to first seen', ['quantile'], (set) => {
    for (const { quantile, value } of sources.seenDelaySeconds()) set({ quantile }, value);
  });
  gauge('nwms_usage_lost_total', 'Requests that were not recorded', [], (set) => set({}, sources.usageLost()));
  gauge('nwms_usage_waiting', 'Requests that wait to be recorded', [], (set) => set({}, sources.usageWaiting()));
  gauge('nwms_event_loop_delay_seconds', '99th percentile of the event loop delay', [], (set) => set({}, sources.eventLoopDelaySeconds()));
  gauge('nwms_db_seconds', 'Last database round trip', [], (set) => {
    const value = sources.databaseSeconds();
    if (value !== null) set({}, value);
  });

  return {
    request(route, method, status, duration) {
      requests.inc({ route, method, status: String(status) });
      seconds.observe({ route }, duration);
    },
    inFlight: (change) => inFlight.inc(change),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

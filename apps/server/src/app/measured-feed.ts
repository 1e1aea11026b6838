import type { Alerts } from '../features/alerts/index.ts';
import type { Ingest } from '../features/ingest/index.ts';
import type { TrendsDeps } from '../features/trends/index.ts';

/** What recommendations are measured by: delays of the last day, and active alerts without a shape. Null before anything was loaded. */
export function measuredFeed(alerts: Alerts, ingest: Pick<Ingest, 'upstream'>): ReturnType<TrendsDeps['measured']> {
  if (!alerts.loaded()) return null;
  const { p90, n } = ingest.upstream().seen_delay_seconds;
  const active = alerts.board.rows().filter((row) => row.countable && row.alert.is_active);
  return {
    delayP90Seconds: p90,
    delayCount: n,
    active: active.length,
    withoutShape: active.filter((row) => row.alert.geometry_source === 'none').length,
  };
}

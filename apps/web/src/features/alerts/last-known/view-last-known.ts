import type { SlimAlert } from '@nwms/contract';
import type { LastKnown } from '../../../lib/last-known.ts';

export interface LastKnownView {
  /** Instant of the data by the server's clock; null when it never said. */
  asOfMs: number | null;
  /** Age of the data by then and the time since on this device; null when the first is not known. */
  ageSeconds: number | null;
  simulated: boolean;
  /** The most dangerous first. `hasRunOut`: the end it was sent with has passed; it may have been prolonged since. */
  lines: readonly { alert: SlimAlert; hasRunOut: boolean }[];
}

/** What may be said at `nowMs` of alerts that were kept. Nothing of it is ever called present, and none of it none. */
export function viewLastKnown({ alerts, freshness, receivedAtMs }: LastKnown, nowMs: number): LastKnownView {
  const asOfMs = freshness.data_as_of === null ? null : Date.parse(freshness.data_as_of);
  const sinceSeconds = Math.max(0, (nowMs - receivedAtMs) / 1000);
  const lines = alerts
    .map((alert) => ({ alert, hasRunOut: alert.in_force_until !== null && Date.parse(alert.in_force_until) <= nowMs }))
    .sort((a, b) => Number(a.hasRunOut) - Number(b.hasRunOut) || b.alert.hazard_rank - a.alert.hazard_rank);
  return {
    asOfMs,
    ageSeconds: freshness.upstream_age_seconds === null ? null : freshness.upstream_age_seconds + sinceSeconds,
    simulated: freshness.simulated,
    lines,
  };
}

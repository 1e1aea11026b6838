import type { Freshness } from '@nwms/contract';

/** What the page knows about its data, and when (by this device's clock) it was told. */
export interface FreshnessNote {
  freshness: Freshness;
  receivedAtMs: number;
}

export interface FreshnessView {
  /** `unknown` also before anything was ever loaded. */
  level: 'fresh' | 'stale' | 'unknown';
  simulated: boolean;
  /** Instant of the last good data by the server's clock. */
  asOfMs: number | null;
  ageSeconds: number | null;
  reason: Freshness['reason'];
}

/** Ages after which data is stale or unknown: the server's own limits, for when the server itself is silent. */
const STALE_AFTER_SECONDS = 180;
const UNKNOWN_AFTER_SECONDS = 1800;

/**
 * How far the data can be relied on at `nowMs`. Never better than the server said, and worse when the server has been silent:
 * the age grows with this device's elapsed time, so a wrong clock here does not change it.
 */
export function viewFreshness(note: FreshnessNote | undefined, nowMs: number): FreshnessView {
  if (!note) return { level: 'unknown', simulated: false, asOfMs: null, ageSeconds: null, reason: null };
  const { freshness } = note;
  const silentSeconds = Math.max(0, (nowMs - note.receivedAtMs) / 1000);
  const asOfMs = freshness.data_as_of === null ? null : Date.parse(freshness.data_as_of);
  const ageSeconds = freshness.upstream_age_seconds === null ? null : freshness.upstream_age_seconds + silentSeconds;
  return {
    level: levelOf(freshness, ageSeconds, silentSeconds),
    simulated: freshness.simulated,
    asOfMs,
    ageSeconds,
    reason: freshness.reason,
  };
}

function levelOf(freshness: Freshness, ageSeconds: number | null, silentSeconds: number): FreshnessView['level'] {
  if (freshness.status === 'unknown' || ageSeconds === null) return 'unknown';
  const silent = silentSeconds > STALE_AFTER_SECONDS;
  if (ageSeconds > UNKNOWN_AFTER_SECONDS && (silent || freshness.status === 'stale')) return 'unknown';
  return silent || freshness.status === 'stale' ? 'stale' : 'fresh';
}

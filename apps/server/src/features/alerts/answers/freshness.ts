import type { Freshness } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import { ownTime } from '../wire-time.ts';

/** Exact at answer time, on 200 and 304 alike; what is unknown is left out. */
export function freshnessHeaders(freshness: Freshness): Record<string, string> {
  const headers: Record<string, string> = { 'NWMS-Data-Status': freshness.status };
  if (freshness.data_as_of !== null) headers['NWMS-Data-As-Of'] = freshness.data_as_of;
  if (freshness.upstream_age_seconds !== null) headers['NWMS-Data-Age'] = String(freshness.upstream_age_seconds);
  if (freshness.reason !== null) headers['NWMS-Data-Reason'] = freshness.reason;
  return headers;
}

/** Freshness of an answer about an earlier instant: as good as the polls that covered it. */
export function freshnessAsOf(now: Freshness, at: Instant, covered: boolean, clockNow: Instant): Freshness {
  return {
    data_as_of: ownTime(at),
    upstream_age_seconds: Math.max(0, Math.round((clockNow - at) / 1000)),
    status: covered ? (now.simulated ? 'simulated' : 'live') : 'unknown',
    reason: covered ? 'as_of_query' : 'coverage_gap',
    feed: now.feed,
    simulated: now.simulated,
  };
}

import type { Freshness } from '@nwms/contract';
import { type FreshnessCause, type FreshnessRule, formatTimestamp, freshnessOf } from '@nwms/domain';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { Cause, IngestState } from './state.ts';
import type { IngestConfig } from './types.ts';

const CAUSES: Record<Cause, FreshnessCause> = {
  never_polled: null,
  starting: 'starting',
  poll_failing: 'poll_failing',
  shrink_quarantined: 'shrink_quarantined',
  paused: 'paused',
};

/**
 * Freshness for the wire. Ages use the later of wall clock and trusted time: while they disagree, too old is the safe error. Computed at each
 * call; the identical object comes back while nothing in it changed, so that callers may keep what they make of it.
 */
export function createFreshness(
  config: IngestConfig,
  state: Pick<IngestState, 'facts'>,
  clock: Pick<SteadyClock, 'latestNow'>,
): () => Freshness {
  let last: { rule: FreshnessRule; wire: Freshness } | null = null;
  return () => {
    const { lastAcceptedAt, lastChangeAt, cause } = state.facts();
    const rule = freshnessOf({
      feed: config.feed,
      now: clock.latestNow(),
      lastAcceptedAt,
      lastChangeAt,
      pollSeconds: config.pollSeconds,
      frozenAfterSeconds: config.frozenAfterSeconds,
      cause: cause === null ? null : CAUSES[cause],
    });
    if (!last || !isSame(last.rule, rule)) last = { rule, wire: wireOf(rule, config.feed) };
    return last.wire;
  };
}

function isSame(a: FreshnessRule, b: FreshnessRule): boolean {
  return a.ageSeconds === b.ageSeconds && a.dataAsOf === b.dataAsOf && a.status === b.status && a.reason === b.reason;
}

function wireOf({ status, reason, dataAsOf, ageSeconds }: FreshnessRule, feed: IngestConfig['feed']): Freshness {
  return Object.freeze({
    data_as_of: dataAsOf === null ? null : formatTimestamp(dataAsOf),
    upstream_age_seconds: ageSeconds,
    status,
    reason,
    feed,
    simulated: feed !== 'nws',
  });
}

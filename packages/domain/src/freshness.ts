import type { Instant } from './alert/vocabulary.ts';
import { SECOND_MS } from './time/timestamp.ts';

export type FreshnessStatus = 'live' | 'stale' | 'unknown' | 'simulated';
/** Why polls bring nothing, as the collector knows it. */
export type FreshnessCause = 'poll_failing' | 'shrink_quarantined' | 'starting' | 'paused' | null;
export type FreshnessReason = Exclude<FreshnessCause, null> | 'upstream_frozen' | 'never_polled';

export interface FreshnessInput {
  feed: 'nws' | 'simulator' | 'replay';
  now: Instant;
  /** Start of the last poll accepted as good (200 with sound content, or 304); null when nothing was ever loaded. */
  lastAcceptedAt: Instant | null;
  /** Start of the last accepted poll whose content differed from the one before. */
  lastChangeAt: Instant | null;
  pollSeconds: number;
  /** A national list that stands still for longer is frozen, however often it is served (A3). */
  frozenAfterSeconds: number;
  cause: FreshnessCause;
}

export interface FreshnessRule {
  status: FreshnessStatus;
  reason: FreshnessReason | null;
  dataAsOf: Instant | null;
  /** Whole seconds by our clock alone, never negative. */
  ageSeconds: number | null;
}

/** Recent = at most 3 minutes or four polls ago. */
const RECENT_SECONDS = 180;
const RECENT_POLLS = 4;
/** Older data is `unknown`: nothing may be concluded from it. */
const STALE_SECONDS = 1800;

/** How far data can be relied on. An empty list means "none" only with live or simulated. */
export function freshnessOf(input: FreshnessInput): FreshnessRule {
  const { feed, now, lastAcceptedAt, cause } = input;
  if (lastAcceptedAt === null) return { status: 'unknown', reason: cause ?? 'never_polled', dataAsOf: null, ageSeconds: null };
  const secondsSince = (at: Instant) => Math.max(0, Math.floor((now - at) / SECOND_MS));
  const recent = secondsSince(lastAcceptedAt) <= Math.max(RECENT_SECONDS, RECENT_POLLS * input.pollSeconds);
  const lastChangeAt = input.lastChangeAt ?? lastAcceptedAt;
  // A replay may stand still; the real national list does not.
  const frozen = feed === 'nws' && secondsSince(lastChangeAt) > input.frozenAfterSeconds;
  const dataAsOf = frozen ? Math.min(lastChangeAt, lastAcceptedAt) : lastAcceptedAt;
  const ageSeconds = secondsSince(dataAsOf);
  if (recent && !frozen) return { status: feed === 'nws' ? 'live' : 'simulated', reason: liveReason(cause), dataAsOf, ageSeconds };
  const status = ageSeconds <= STALE_SECONDS ? 'stale' : 'unknown';
  return { status, reason: cause ?? (recent ? 'upstream_frozen' : 'poll_failing'), dataAsOf, ageSeconds };
}

/** A held-back shrink is told even while the data is fresh; other causes only once it is not. */
function liveReason(cause: FreshnessCause): FreshnessReason | null {
  return cause === 'shrink_quarantined' ? cause : null;
}

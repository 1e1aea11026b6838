import type { Instant } from '@nwms/domain';
import type { FreshnessFacts } from './state.ts';

/** A stretch of time in which no good poll happened, or upstream stood still. Public record behind "none as of T". */
export interface Gap {
  id: number;
  /** Start of the last good poll before the gap. */
  from: Instant;
  /** Start of the first good poll after it; null while it lasts. */
  to: Instant | null;
  /** Stable word: poll_failing, upstream_frozen, shrink_quarantined, process_down, paused. */
  cause: string;
  /** True once everything issued inside the gap was fetched from the upstream history. */
  backfilled: boolean;
}

/**
 * Cause of the row that stands for the week before the first list: not a gap, but how far its reading has come. `to` is up to when everything
 * since `from` is stored, `backfilled` that it reaches the first list.
 */
export const BEFORE_FIRST_START = 'before_first_start';

/** A poll that brought nothing usable. Good polls are recorded by `AlertWriter.applySnapshot` (its `poll`) in the transaction of what they brought. */
export interface FailedPoll {
  startedAt: Instant;
  /** Stable word, e.g. http_503, timeout, bad_json, older_snapshot, shrink_quarantined, store_failed. */
  reason: string;
}

/** The last accepted poll, as stored. */
export interface GoodPoll {
  startedAt: Instant;
  outcome: 'ok' | 'unchanged';
  upstreamUpdatedAt: Instant | null;
  /** How many messages the accepted list held. */
  listedCount: number;
}

/** One upstream feature that could not be read. The same (upstreamId, contentHash) again only counts up. */
export interface QuarantinedFeature {
  at: Instant;
  upstreamId: string | null;
  /** Hex SHA-256 of `raw` before it was cut. */
  contentHash: string;
  /** Stable code from the parser, e.g. sent_missing. */
  reason: string;
  detail: string;
  /** The feature's JSON text, cut to 64 KiB. */
  raw: string;
}

/** What ingest keeps over restarts; implemented in `store.ts` on the `log` part. Every call is its own small transaction. */
export interface IngestStore {
  recordFailedPoll(poll: FailedPoll): Promise<void>;
  /** Newest poll with outcome ok or unchanged, null before the first one. */
  lastGoodPoll(): Promise<GoodPoll | null>;
  /** Start of the newest poll with outcome ok (content changed). */
  lastChangeAt(): Promise<Instant | null>;
  /** Start of the oldest poll on record that brought a list, null before the first one. */
  firstGoodPollAt(): Promise<Instant | null>;
  /** Counts since `since`; failed = FailedPoll rows. */
  pollCounts(since: Instant): Promise<{ ok: number; unchanged: number; failed: number }>;
  /** Opens a gap and returns its id. */
  openGap(gap: { from: Instant; cause: string }): Promise<number>;
  /** Ends a gap. Called a second time with `backfilled: true` when the fetch of what was missed succeeded later. */
  closeGap(id: number, end: { to: Instant; backfilled: boolean }): Promise<void>;
  /** Gaps that last still, are not backfilled yet, or ended after `since`; ascending by `from`. */
  gaps(since: Instant): Promise<Gap[]>;
  quarantine(feature: QuarantinedFeature): Promise<void>;
  /** Distinct features quarantined or seen again since `since`. */
  quarantinedSince(since: Instant): Promise<number>;
}

/** What the ingesting process tells those that follow it. */
export interface IngestStatus extends FreshnessFacts {
  /** Newest log entry when the rest was true. */
  latestSeq: number;
  /** Delays between issue and first sight in the last 24 h, seconds. */
  seenDelays: { p50: number | null; p90: number | null; p99: number | null; n: number };
}

export interface IngestStatusStore {
  /** Does nothing when a process with a higher `term` has spoken: an ingester that was replaced is not heard any more. */
  save(term: number, beat: Instant, status: IngestStatus): Promise<void>;
  read(): Promise<{ term: number; beat: Instant; status: IngestStatus } | null>;
}

export interface IngestConfig {
  feed: 'nws' | 'simulator' | 'replay';
  /** Origin of the feed, e.g. https://api.weather.gov. */
  baseUrl: string;
  /** E-mail or URL for the User-Agent (trap 34). */
  contact: string;
  pollSeconds: number;
  /** A national list that did not change for this long is not called live any more (A3). */
  frozenAfterSeconds: number;
}

/** Counters since start, for metrics; all labels are bounded sets. */
export interface IngestMetrics {
  polls: { result: string; count: number }[];
  quarantined: { reason: string; count: number }[];
  /** Messages stored since start. */
  stored: number;
  histories: { done: number; failed: number };
  clock: { suspectedJumpMs: number; upstreamSkewMs: number | null; jumps: number };
  /** Length of the last round. */
  lastRoundMs: number | null;
}

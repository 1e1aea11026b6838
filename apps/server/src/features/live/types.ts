import type { ErrorCode, Freshness, LiveAlert, LiveErrorCode } from '@nwms/contract';
import type { Instant } from '@nwms/domain';

/** A filter as given: the members of the list's filters (2.2); what is not allowed live was refused before. */
export type FilterInput = Readonly<Record<string, unknown>>;

/** Does the alert, as it stands in a log entry, match? Pure; called once per entry and distinct filter, never per connection. */
export type AlertMatcher = (alert: LiveAlert) => boolean;

export type CompiledFilter = { ok: true; matches: AlertMatcher } | { ok: false; detail: string };

/** What the live feed needs of the board: the alerts of now, and the meaning of filters. */
export interface LiveBoard {
  /**
   * Wire JSON (`LiveAlert`) of every active countable alert that matches, worst first, and the log number they are current to.
   * `filter` is what `compileFilter` returned for the same connection (null: everything).
   */
  snapshot(filter: AlertMatcher | null): { seq: number; alerts: readonly string[] };
  compileFilter(filter: FilterInput): CompiledFilter;
}

/** Who a connection belongs to, once credentials exist. */
export interface Principal {
  kind: 'key' | 'session';
  /** Id of the key or session. */
  id: string;
  userId: string;
  /** What of it was presented: a key outlives its secrets, a connection does not outlive the one it came with. */
  credential: string;
  /** The connection ends with live.auth_expired then (LV32); null: never by itself. */
  expiresAt: Instant | null;
}

/** A credential as presented, unverified. */
export interface Credential {
  kind: 'bearer' | 'api-key';
  value: string;
}

export type VerifyCredential = (credential: Credential) => Promise<Principal | null>;

/** LV33: asks whether `cost` units fit the allowance. */
export type ChargeLive = (
  who: { principal: Principal | null; address: string },
  cost: number,
) => Promise<{ ok: true } | { ok: false; retryAfterSeconds: number }>;

/** How a WebSocket handshake ended: 101, or refused with a code of the API. */
export interface Handshake {
  status: number;
  error: ErrorCode | null;
  principal: Principal | null;
}

export interface LiveLimits {
  /** LV26: open connections. */
  perAddress: number;
  perKey: number;
  perUser: number;
  /** Of this process, whoever opens them; more is turned away with 503. */
  total: number;
  /** LV26: handshakes per address in 60 s. */
  attemptsPerMinute: number;
  /** LV27. */
  maxMessageBytes: number;
  maxFragments: number;
  maxBufferedChunks: number;
  messagesPerSecond: number;
  messageBurst: number;
  /** LV28: bytes waiting for one reader before it counts as slow; replays stay below `pacedBytes`. */
  slowBytes: number;
  pacedBytes: number;
  drainSeconds: number;
  /** A replay that cannot send anything for this long counts as slow, too. */
  stuckReplaySeconds: number;
  /** LV29. */
  pingSeconds: number;
  silenceSeconds: number;
  /** LV30. */
  idleSeconds: number;
  /** LV34: stop is spread over this, and everything is gone after `goneSeconds`. */
  stopSpreadSeconds: number;
  goneSeconds: number;
  /** LV12. */
  filterValues: number;
  filterVertices: number;
}

/** Figures of the rules named beside them in `LiveLimits`; 16 KiB, 16 fragments and 64 chunks are what kept memory flat under unfinished fragments. */
export const DEFAULT_LIMITS: LiveLimits = {
  perAddress: 20,
  perKey: 10,
  perUser: 30,
  total: 50_000,
  attemptsPerMinute: 60,
  maxMessageBytes: 16 * 1024,
  maxFragments: 16,
  maxBufferedChunks: 64,
  messagesPerSecond: 10,
  messageBurst: 20,
  slowBytes: 1024 * 1024,
  pacedBytes: 256 * 1024,
  drainSeconds: 5,
  stuckReplaySeconds: 30,
  pingSeconds: 30,
  silenceSeconds: 75,
  idleSeconds: 60,
  stopSpreadSeconds: 3,
  goneSeconds: 5,
  filterValues: 20,
  filterVertices: 100,
};

export type FreshnessNow = () => Freshness;

/** Why a connection ends: the code decides close number and text (contract LIVE_ERRORS). */
export interface Ending {
  code: LiveErrorCode;
  detail?: string;
  retryAfterSeconds?: number;
}

/** A message of a client that was not accepted. */
export interface Refusal {
  code: LiveErrorCode;
  detail: string | null;
  id: string | null;
}

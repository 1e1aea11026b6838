import type { DEVICE_TYPES, PRINCIPAL_KINDS } from '@nwms/contract/usage-parts';
import type { Instant } from '@nwms/domain';

export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];
export type Device = (typeof DEVICE_TYPES)[number];
export type CacheOutcome = 'not_modified' | 'ready' | 'none';

/** Who made a request: by the credential that came with it, good or not; the account where one is known. */
export interface Caller {
  type: PrincipalKind;
  keyId: string | null;
  userId: string | null;
  /** What counts as one caller, in clear: an IPv4 address, or the /64 of an IPv6 address. It is hashed and goes no further. */
  address: string;
}

/** A counted request as the HTTP side knows it. Everything else is worked out off the hot path. */
export interface FinishedRequest {
  at: Instant;
  /** Route template below the root, or `(unmatched)`. */
  endpoint: string;
  method: string;
  status: number;
  /** Stable code of the error answered. */
  error: string | null;
  /** Null for streams, which end when their reader goes. */
  ms: number | null;
  bytes: number;
  caller: Caller;
  userAgent: string;
  cache: CacheOutcome;
  alerts: number;
  geographic: boolean;
  timeFiltered: boolean;
  cost: number;
  requestId: string;
}

/** What a User-Agent says. `agent`: name of the crawler or program; null for browsers. */
export interface Agent {
  device: Device;
  browser: string | null;
  os: string | null;
  agent: string | null;
}

export interface Place {
  /** ISO 3166-1 alpha-2, `ZZ` = unknown. */
  country: string;
  region: string | null;
  city: string | null;
}

/** What the record says of a request beside when, how long and how much. `...Next`: hashed with the key of the coming period. */
export interface Described extends Pick<FinishedRequest, 'endpoint' | 'method' | 'status' | 'error' | 'cache'>, Agent, Place {
  principal: PrincipalKind;
  keyId: string | null;
  userId: string | null;
  visitor: string;
  visitorNext: string;
  address: string;
  addressNext: string;
}

/** The same with what it is counted by. One object for all requests that have it in common: nearly all work is done once for them. */
export interface Traits extends Readonly<Described> {
  /** Everything a request is counted by. */
  readonly kinds: readonly (readonly [kind: Kind, name: string])[];
  readonly endpointName: string;
  readonly place: string;
  /** An account is asked for as a whole and by kind of caller; nobody has one kind only. */
  readonly scopes: readonly string[];
  /** The addresses as numbers, for counting different ones. */
  readonly element: number;
  readonly elementNext: number;
}

/** One row of the record: a request without its address. */
export interface UsageRow extends Pick<
  FinishedRequest,
  'at' | 'ms' | 'bytes' | 'alerts' | 'geographic' | 'timeFiltered' | 'cost' | 'requestId'
> {
  traits: Traits;
}

/** Sizes of roll-ups as they are stored. */
export const MINUTE = 0;
export const HOUR = 1;
export const DAY = 2;
export const TEN_DAYS = 3;

/** What is counted by. `counter`: things that are not requests, by name. */
export const KINDS = [
  'all',
  'endpoint',
  'status',
  'error',
  'country',
  'city',
  'device',
  'browser',
  'os',
  'bot',
  'client',
  'counter',
] as const;
export type Kind = (typeof KINDS)[number];

/** Things counted beside requests. */
export type CounterName = 'tiles' | 'alerts_streamed' | 'push_sent' | 'webhooks_delivered' | 'ai_answers';

/** What is summed in a roll-up, in the order of its columns. */
export const COUNTS = [
  'requests',
  'errors',
  'server_errors',
  'timed',
  'ms',
  'ms_max',
  'error_timed',
  'error_ms',
  'bytes',
  'gets',
  'not_modified',
  'alerts',
  'geographic',
  'time_filtered',
  'last_at',
] as const;

/** One stored roll-up; blobs as encoded. */
export interface RollupRow {
  size: number;
  start: number;
  kind: string;
  name: string;
  principal: string;
  part: string;
  rolled: number;
  requests: number;
  errors: number;
  server_errors: number;
  timed: number;
  ms: number;
  ms_max: number;
  error_timed: number;
  error_ms: number;
  bytes: number;
  gets: number;
  not_modified: number;
  alerts: number;
  geographic: number;
  time_filtered: number;
  last_at: number;
  sketch: Uint8Array | null;
  addresses: Uint8Array | null;
  addresses_next: Uint8Array | null;
}

/** One stored visitor in one minute, hour or day. `scope`: all requests of an account, or those of one kind of caller. */
export interface VisitorRow {
  size: number;
  start: number;
  visitor: string;
  scope: string;
  part: string;
  rolled: number;
  visitor_next: string;
  user_id: string | null;
  requests: number;
  errors: number;
  timed: number;
  ms: number;
  desktop: number;
  mobile: number;
  bot: number;
  client: number;
  unknown: number;
  by_key: number;
  by_api: number;
  sessions: number;
  active_ms: number;
  first_at: number;
  last_at: number;
  detail: string;
}

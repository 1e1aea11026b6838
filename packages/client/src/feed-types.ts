import type { Freshness, LiveAlert, LiveFilter, ServerMessage } from '@nwms/contract';
import type { Channel } from '@nwms/domain';
import type { FeedRow } from './feed-list.ts';

/** LV36. */
export type ConnectionState = 'DISCONNECTED' | 'CONNECTING' | 'CONNECTED' | 'CLOSING' | 'RECONNECTING';

/** The part of the standard WebSocket that is used: browsers, Node 22 and the `ws` package all have it. */
export interface SocketLike {
  readyState: number;
  // `never`: each kind of socket has an event type of its own; what is read of it is checked where it is read.
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}
export type SocketConstructor = new (url: string, protocols?: string[]) => SocketLike;

export interface FeedClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once after the delay; returns the cancel. */
  after(delayMs: number, run: () => void): () => void;
}

/** Signals that a try is worth making now (LV38). Each returns how to stop listening. */
export interface FeedEnvironment {
  onOnline(run: () => void): () => void;
  onVisible(run: () => void): () => void;
}

export interface LiveFeedOptions {
  /** `wss://host/ws/alerts`; http and https addresses are turned into ws and wss. */
  url: string;
  WebSocket?: SocketConstructor;
  clock?: FeedClock;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
  environment?: FeedEnvironment;
  channels?: readonly Channel[];
  filter?: LiveFilter | null;
  /** Where delivery goes on from: `position.cursor` of a list answer, or one kept from before. */
  cursor?: string | null;
  /** Without a cursor: `snapshot` starts with all active alerts, `now` (default) with what comes next. */
  start?: 'now' | 'snapshot';
  /** Session token or API key, asked for at every connection. */
  credential?: () => string | null;
}

export interface FeedGap {
  reason: 'epoch_changed' | 'too_old' | 'ahead';
  /** Our clock, epoch milliseconds. */
  at: number;
}

/** Everything a screen shows. A new object whenever something changed, the same one otherwise. */
export interface FeedStatus {
  connection: ConnectionState;
  /** The server confirmed the subscription: from here on silence means that nothing happened. */
  subscribed: boolean;
  error: string | null;
  reconnect: { attempt: number; maxAttempts: number };
  alerts: readonly FeedRow[];
  paused: boolean;
  /** First issues not in `alerts`: held back by pause, or beyond 50. */
  hidden: number;
  /** As of the last message that carried it; null before. */
  freshness: Freshness | null;
  /** Everything up to here was received. */
  cursor: string | null;
  /** The last loss of position; cleared by `dismissGap`. The list was rebuilt since. */
  gap: FeedGap | null;
  /** Our clock at the last message of any kind. */
  lastMessageAt: number | null;
}

export interface SnapshotEvent {
  alerts: readonly LiveAlert[];
  cursor: string;
  freshness: Freshness;
}

export interface LiveFeed {
  connect(): void;
  /** On purpose: nothing is retried. */
  disconnect(): void;
  /** LV38: disconnects, connects after 1 s, counters reset. */
  reconnect(): void;
  pause(): void;
  resume(): void;
  dismissGap(): void;
  /** Another filter (null: none): the list is rebuilt from a snapshot. */
  setFilter(filter: LiveFilter | null): void;
  /** Position to go on from at the next connection, if the feed has none yet. */
  setCursor(cursor: string): void;
  status(): FeedStatus;
  /** After every change of `status()`; returns how to stop. */
  onStatus(listener: () => void): () => void;
  /** Every message of the server, after the status took it in. */
  onMessage(listener: (message: ServerMessage) => void): () => void;
  /** A whole snapshot: what is active now is exactly this; anything else a page holds is over. */
  onSnapshot(listener: (snapshot: SnapshotEvent) => void): () => void;
}

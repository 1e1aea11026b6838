import { HEARTBEAT_SECONDS, LIVE_ERRORS, type Heartbeat, type LiveError } from '@nwms/contract';
import { cursorText } from './cursor.ts';
import type { Message } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Subscriber } from './subscriber.ts';
import type { Ending, LiveLimits, Principal, Refusal } from './types.ts';

/** One open connection, whatever it speaks. */
export interface LiveConnection {
  readonly subscriber: Subscriber;
  /** `sse`, or one of the WebSocket's. */
  readonly encoding: string;
  readonly address: string;
  readonly openedMs: number;
  readonly principal: Principal | null;
  /** Next heartbeat and next full 300 s of cost, monotonic. */
  beatDueMs: number;
  chargeDueMs: number;
  /** Looks after itself once a second: silence, idleness, pings. */
  check(nowMs: number): void;
  /** Tells why, closes properly, and is gone a second later at the latest. */
  end(ending: Ending): void;
  terminate(): void;
}

/** LV24 without and with an end. */
export function errorMessage(refusal: Refusal, fatal: boolean, retryAfterSeconds: number | null = null): Message {
  const error: LiveError = {
    type: 'error',
    error: LIVE_ERRORS[refusal.code].text,
    code: refusal.code,
    detail: refusal.detail,
    id: refusal.id,
    fatal,
    retry_after_seconds: retryAfterSeconds,
  };
  return { type: 'error', id: null, json: JSON.stringify(error) };
}

export const endingMessage = (ending: Ending): Message =>
  errorMessage({ code: ending.code, detail: ending.detail ?? null, id: null }, true, ending.retryAfterSeconds ?? null);

/** LV35: at most 123 bytes fit a close frame. */
export const closeReason = ({ code, retryAfterSeconds }: Ending): string => `code=${code}; retry=${retryAfterSeconds ?? 0}`;

/** LV22 for many at once: everyone at the same cursor gets the same bytes. */
export class Heartbeats {
  readonly #hub: Hub;
  readonly #made = new Map<string | null, Message>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  for(cursor: string | null): Message {
    let message = this.#made.get(cursor);
    if (!message) this.#made.set(cursor, (message = heartbeat(this.#hub, cursor)));
    return message;
  }
}

export function heartbeat(hub: Hub, cursor: string | null, limits?: LiveLimits): Message {
  const { alertLog, clock, freshness } = hub.deps;
  const epoch = alertLog.epoch();
  const beat: Heartbeat = {
    type: 'heartbeat',
    at: new Date(clock.now()).toISOString(),
    epoch,
    cursor,
    latest_cursor: cursorText(epoch, hub.head()),
    oldest_cursor: cursorText(epoch, alertLog.oldestSeq()),
    freshness: freshness(),
    interval_seconds: HEARTBEAT_SECONDS,
    ...(limits ? { limits: toldLimits(limits) } : {}),
  };
  return { type: 'heartbeat', id: cursor, json: JSON.stringify(beat) };
}

const toldLimits = (limits: LiveLimits): Record<string, number> => ({
  max_message_bytes: limits.maxMessageBytes,
  messages_per_second: limits.messagesPerSecond,
  message_burst: limits.messageBurst,
  filter_values: limits.filterValues,
  filter_vertices: limits.filterVertices,
  idle_seconds: limits.idleSeconds,
  silence_seconds: limits.silenceSeconds,
  slow_bytes: limits.slowBytes,
  connections_per_address: limits.perAddress,
});

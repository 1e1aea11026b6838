import type { ServerMessage } from '@nwms/contract';
import type { FeedClock, SocketConstructor, SocketLike } from './feed-types.ts';

/** LV36. */
const PING_MS = 45_000;
/** LV29: heartbeats come every 25 s; two missed and some is a dead line. */
const SILENCE_MS = 70_000;
/** A connection that neither opens nor fails by then has failed. */
const OPENING_MS = 15_000;
const SUBPROTOCOL = 'nwms.v1';
const OPEN = 1;

export interface Drop {
  code: number;
  reason: string;
}

export interface ConnectionHandlers {
  opened(): void;
  message(message: ServerMessage): void;
  /** Once, for whatever reason; nothing comes after it. */
  dropped(drop: Drop): void;
}

/** One socket from opening to its end: pings, notices silence, and reports one drop. What to do about it is the feed's matter. */
export class FeedConnection {
  readonly #socket: SocketLike | null;
  readonly #clock: FeedClock;
  readonly #handlers: ConnectionHandlers;
  #over = false;
  #cancelPing: () => void = () => {};
  #cancelSilence: () => void = () => {};

  constructor(url: string, WebSocket: SocketConstructor, clock: FeedClock, handlers: ConnectionHandlers) {
    this.#clock = clock;
    this.#handlers = handlers;
    this.#socket = this.#create(url, WebSocket);
    this.#watch(OPENING_MS);
  }

  send(message: object): void {
    if (!this.#over && this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Gives the socket up at once: on a dead network its own close event may take minutes. */
  drop(drop: Drop, closeCode = 1000): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelPing();
    this.#cancelSilence();
    try {
      this.#socket?.close(closeCode);
    } catch {
      // A socket that is still connecting may refuse to close; it is orphaned either way.
    }
    this.#handlers.dropped(drop);
  }

  #create(url: string, WebSocket: SocketConstructor): SocketLike | null {
    let socket: SocketLike;
    try {
      socket = new WebSocket(url, [SUBPROTOCOL]);
    } catch {
      this.#clock.after(0, () => this.drop({ code: 1006, reason: '' }));
      return null;
    }
    socket.addEventListener('open', () => {
      if (this.#over) return;
      this.#watch(SILENCE_MS);
      this.#pingLater();
      this.#handlers.opened();
    });
    socket.addEventListener('message', (event: { data: unknown }) => {
      if (this.#over) return;
      this.#watch(SILENCE_MS);
      const message = parse(event.data);
      if (message) this.#handlers.message(message);
    });
    socket.addEventListener('close', (event: { code: number; reason: string }) => this.drop({ code: event.code, reason: event.reason }));
    // Always followed by close, which says more; some sockets throw when nobody listens.
    socket.addEventListener('error', () => {});
    return socket;
  }

  #pingLater(): void {
    this.#cancelPing = this.#clock.after(PING_MS, () => {
      this.send({ type: 'ping' });
      this.#pingLater();
    });
  }

  #watch(limitMs: number): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#clock.after(limitMs, () => this.drop({ code: 1006, reason: '' }));
  }
}

/** Messages that are no JSON objects with a type are not ours and are passed over (LV6). */
function parse(data: unknown): ServerMessage | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
      ? (value as ServerMessage)
      : null;
  } catch {
    return null;
  }
}

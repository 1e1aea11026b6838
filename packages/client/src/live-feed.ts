import type { LiveAlert, LiveFilter, ServerMessage } from '@nwms/contract';
import { askedDelayMs, MAX_ATTEMPTS, quietDelayMs, restartDelayMs, retryDelayMs } from './backoff.ts';
import { type Drop, FeedConnection } from './feed-connection.ts';
import { pageEnvironment, realClock } from './feed-environment.ts';
import { applyEntry, EMPTY_LIST, type FeedList, pauseList, rebuild, resumeList } from './feed-list.ts';
import type { FeedStatus, LiveFeed, LiveFeedOptions, SnapshotEvent, SocketConstructor } from './feed-types.ts';

/** LV38. */
const MANUAL_RECONNECT_MS = 1_000;
/** A server that does not confirm a subscription by then has not taken it. */
const ACK_MS = 15_000;
const SUBSCRIBE_ID = 'subscribe';
const ALL_CHANNELS = ['alerts', 'severe_alerts', 'updates'] as const;

/** LV35: nothing to gain from coming back. 4401 ends it, too, unless another credential is there. */
const FINAL_CODES = new Set([4400, 4403]);
const CREDENTIAL_ENDED = 4401;
const SERVER_STOPPING = 1001;
/** After these not before the time the server names. */
const ASKED_TO_WAIT = new Set([4429, 4503]);

/** A connection to the live feed that mends itself and never loses its place: LV36 to LV39. */
export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  return new Feed(options);
}

class Feed implements LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #clock;
  readonly #random;
  readonly #environment;
  readonly #statusListeners = new Set<() => void>();
  readonly #messageListeners = new Set<(message: ServerMessage) => void>();
  readonly #snapshotListeners = new Set<(snapshot: SnapshotEvent) => void>();
  #list: FeedList = EMPTY_LIST;
  #status: FeedStatus;
  #connection: FeedConnection | null = null;
  #filter: LiveFilter | null;
  /** Connected, or meant to be. */
  #wanted = false;
  #attempt = 0;
  /** Token of the present connection, to tell whether another one is there after 4401. */
  #usedToken: string | null = null;
  /** Rows of a snapshot whose last part has not come; while it is owed, no cursor is kept (LV23). */
  #snapshotRows: LiveAlert[] | null = null;
  #snapshotOwed = false;
  /** Our clock; a server asked not to be tried before. */
  #mustWaitUntil = 0;
  #holding = false;
  #changed = false;
  #ready: SnapshotEvent | null = null;
  #cancelRetry: () => void = () => {};
  #cancelAck: () => void = () => {};
  #stopListening: (() => void)[] = [];

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#random = options.random ?? Math.random;
    this.#environment = options.environment ?? pageEnvironment();
    this.#filter = options.filter ?? null;
    this.#status = {
      connection: 'DISCONNECTED',
      subscribed: false,
      error: null,
      reconnect: { attempt: 0, maxAttempts: MAX_ATTEMPTS },
      alerts: [],
      paused: false,
      hidden: 0,
      freshness: null,
      cursor: options.cursor ?? null,
      gap: null,
      lastMessageAt: null,
    };
  }

  status = (): FeedStatus => this.#status;
  onStatus = (listener: () => void) => register(this.#statusListeners, listener);
  onMessage = (listener: (message: ServerMessage) => void) => register(this.#messageListeners, listener);
  onSnapshot = (listener: (snapshot: SnapshotEvent) => void) => register(this.#snapshotListeners, listener);

  connect(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#attempt = 0;
    // A try is worth making as soon as the network or the reader is back, not when a timer says so.
    this.#stopListening = [this.#environment.onOnline(() => this.#tryNow()), this.#environment.onVisible(() => this.#tryNow())];
    this.#open();
  }

  disconnect(): void {
    this.#wanted = false;
    this.#cancelRetry();
    for (const stop of this.#stopListening.splice(0)) stop();
    const connection = this.#connection;
    if (connection) {
      this.#set({ connection: 'CLOSING' });
      connection.drop({ code: 1000, reason: '' });
    }
    this.#set({ connection: 'DISCONNECTED', subscribed: false, error: null, reconnect: { attempt: 0, maxAttempts: MAX_ATTEMPTS } });
  }

  reconnect(): void {
    this.disconnect();
    this.#cancelRetry = this.#clock.after(MANUAL_RECONNECT_MS, () => this.connect());
  }

  pause(): void {
    this.#setList(pauseList(this.#list));
  }

  resume(): void {
    this.#setList(resumeList(this.#list));
  }

  dismissGap(): void {
    if (this.#status.gap) this.#set({ gap: null });
  }

  setFilter(filter: LiveFilter | null): void {
    this.#filter = filter;
    // What was received under another filter says nothing about this one (LV23).
    this.#snapshotOwed = true;
    this.#snapshotRows = null;
    this.#set({ cursor: null, subscribed: false });
    this.#subscribe(null, 'always');
  }

  setCursor(cursor: string): void {
    if (this.#status.cursor === null && !this.#snapshotOwed) this.#set({ cursor });
  }

  #open(): void {
    this.#cancelRetry();
    const retrying = this.#attempt > 0;
    this.#set({ connection: retrying ? 'RECONNECTING' : 'CONNECTING' });
    const { url, WebSocket = globalThis.WebSocket as unknown as SocketConstructor } = this.#options;
    const connection: FeedConnection = new FeedConnection(socketUrl(url), WebSocket, this.#clock, {
      opened: () => this.#opened(),
      message: (message) => this.#take(message),
      dropped: (drop) => this.#dropped(drop),
    });
    this.#connection = connection;
  }

  #opened(): void {
    this.#attempt = 0;
    this.#set({ connection: 'CONNECTED', error: null, reconnect: { attempt: 0, maxAttempts: MAX_ATTEMPTS } });
    this.#usedToken = this.#options.credential?.() ?? null;
    if (this.#usedToken) this.#connection?.send({ type: 'auth', token: this.#usedToken });
    const { cursor } = this.#status;
    const fromScratch = this.#snapshotOwed || (cursor === null && this.#options.start === 'snapshot');
    this.#subscribe(cursor, fromScratch ? 'always' : 'on_gap');
  }

  #subscribe(cursor: string | null, snapshot: 'always' | 'on_gap'): void {
    if (snapshot === 'always') this.#snapshotOwed = true;
    this.#snapshotRows = null;
    this.#connection?.send({
      type: 'subscribe',
      channels: this.#options.channels ?? ALL_CHANNELS,
      filter: this.#filter,
      snapshot,
      ...(cursor !== null && snapshot === 'on_gap' ? { since: cursor } : {}),
      id: SUBSCRIBE_ID,
    });
    this.#cancelAck();
    this.#cancelAck = this.#clock.after(ACK_MS, () => this.#connection?.drop({ code: 1006, reason: '' }));
  }

  #dropped({ code, reason }: Drop): void {
    this.#connection = null;
    this.#cancelAck();
    this.#snapshotRows = null;
    if (!this.#wanted) return;
    this.#set({ subscribed: false });
    if (FINAL_CODES.has(code)) return this.#giveUp(this.#status.error ?? 'The server refused the live connection');
    if (code === CREDENTIAL_ENDED && (this.#options.credential?.() ?? null) === this.#usedToken)
      return this.#giveUp(this.#status.error ?? 'Sign-in ended');
    this.#retryLater(code, reason);
  }

  #giveUp(error: string): void {
    this.#wanted = false;
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#set({ connection: 'DISCONNECTED', error });
  }

  #retryLater(code: number, reason: string): void {
    this.#attempt += 1;
    const quiet = this.#attempt > MAX_ATTEMPTS;
    const shown = Math.min(this.#attempt, MAX_ATTEMPTS);
    this.#set({
      connection: quiet ? 'DISCONNECTED' : 'RECONNECTING',
      reconnect: { attempt: shown, maxAttempts: MAX_ATTEMPTS },
      ...(quiet ? { error: 'Max reconnection attempts reached' } : {}),
    });
    const restart = code === SERVER_STOPPING && this.#attempt === 1;
    const wait = quiet ? quietDelayMs(this.#random) : restart ? restartDelayMs(this.#random) : retryDelayMs(this.#attempt, this.#random);
    const delayMs = ASKED_TO_WAIT.has(code) ? Math.max(wait, askedDelayMs(reason)) : wait;
    this.#cancelRetry();
    this.#cancelRetry = this.#clock.after(delayMs, () => this.#open());
    this.#mustWaitUntil = ASKED_TO_WAIT.has(code) ? this.#clock.now() + askedDelayMs(reason) : 0;
  }

  #tryNow(): void {
    if (this.#wanted && !this.#connection && this.#clock.now() >= this.#mustWaitUntil) this.#open();
  }

  #take(message: ServerMessage): void {
    this.#ready = null;
    this.#inOneGo(() => this.#absorb(message));
    const ready = this.#ready as SnapshotEvent | null;
    if (ready) for (const listener of this.#snapshotListeners) listener(ready);
    for (const listener of this.#messageListeners) listener(message);
  }

  #absorb(message: ServerMessage): void {
    this.#set({ lastMessageAt: this.#clock.now(), ...('freshness' in message ? { freshness: message.freshness } : {}) });
    switch (message.type) {
      case 'alert':
      case 'update':
        this.#setList(applyEntry(this.#list, message, this.#clock.now()), this.#kept(message.cursor));
        break;
      case 'heartbeat':
      case 'pong':
        this.#set(this.#kept(message.cursor));
        break;
      case 'ack':
        if (message.id === SUBSCRIBE_ID) this.#confirmed(message.from_cursor);
        break;
      case 'gap':
        // The position counts only once the snapshot that follows is complete.
        this.#snapshotOwed = true;
        this.#set({ gap: { reason: message.reason, at: this.#clock.now() } });
        break;
      case 'snapshot':
        this.#takePart(message);
        break;
      case 'error':
        this.#takeError(message);
    }
  }

  /** LV23: never behind what is known, and nothing while a snapshot is owed. */
  #kept(cursor: string | null): { cursor?: string } {
    return cursor === null || this.#snapshotOwed ? {} : { cursor };
  }

  #confirmed(fromCursor: string): void {
    this.#cancelAck();
    this.#set({ subscribed: true, ...this.#kept(this.#status.cursor === null ? fromCursor : null) });
  }

  #takePart({ part, parts, alerts, cursor, freshness }: Extract<ServerMessage, { type: 'snapshot' }>): void {
    if (part === 1) this.#snapshotRows = [];
    if (!this.#snapshotRows) return;
    this.#snapshotRows.push(...alerts);
    if (part < parts) return;
    const rows = this.#snapshotRows;
    this.#snapshotRows = null;
    this.#snapshotOwed = false;
    this.#setList(rebuild(this.#list, rows, this.#clock.now()), { cursor });
    this.#ready = { alerts: rows, cursor, freshness };
  }

  #takeError(message: Extract<ServerMessage, { type: 'error' }>): void {
    this.#set({ error: message.detail ? `${message.error}: ${message.detail}` : message.error });
    if (message.id !== SUBSCRIBE_ID) return;
    // Connected without a subscription would look like calm weather.
    this.#cancelAck();
    if (message.code === 'live.bad_cursor') {
      this.#set({ cursor: null });
      return this.#subscribe(null, 'always');
    }
    const { error } = this.#status;
    this.#giveUp(error ?? message.error);
    this.#connection?.drop({ code: 1000, reason: '' });
  }

  #setList(list: FeedList, more: Partial<FeedStatus> = {}): void {
    this.#list = list;
    this.#set({ alerts: list.rows, paused: list.paused, hidden: list.hidden, ...more });
  }

  #set(change: Partial<FeedStatus>): void {
    const names = Object.keys(change) as (keyof FeedStatus)[];
    if (names.every((name) => Object.is(this.#status[name], change[name]))) return;
    this.#status = { ...this.#status, ...change };
    if (this.#holding) this.#changed = true;
    else this.#tell();
  }

  /** Several changes, told once. */
  #inOneGo(run: () => void): void {
    this.#holding = true;
    this.#changed = false;
    run();
    this.#holding = false;
    if (this.#changed) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#statusListeners) listener();
  }
}

function register<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const socketUrl = (url: string): string => url.replace(/^http(s?):/i, 'ws$1:');

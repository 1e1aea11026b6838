import { HEARTBEAT_SECONDS, LIVE_ERRORS } from '@nwms/contract';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { understand, type ClientRequest } from './client-message.ts';
import { closeReason, endingMessage, errorMessage, heartbeat, type LiveConnection } from './connection.ts';
import { cursorText } from './cursor.ts';
import type { Hub } from './hub.ts';
import { MessageRate } from './message-rate.ts';
import type { Transport } from './pace.ts';
import { Subscriber } from './subscriber.ts';
import type { Ending, Principal, Refusal, VerifyCredential } from './types.ts';

/** LV4: a browser may sign in within this after opening. */
const AUTH_WINDOW_MS = 10_000;
/** LV24: gone this long after a fatal error at the latest. */
const CLOSE_GRACE_MS = 1_000;
/** LV33. */
export const CHARGE_EVERY_MS = 300_000;

export interface WsConnectionInput {
  ws: WebSocket;
  /** The socket below, as given by the upgrade: ready frames go straight to it. */
  socket: Duplex;
  address: string;
  principal: Principal | null;
  verify: VerifyCredential;
  /** Moves the connection from its address's places to the principal's; false when there is none left. */
  promote: (principal: Principal) => boolean;
  onClosed: () => void;
}

/** One WebSocket: reads the client's messages, minds its limits, and ends it properly. Delivery is the subscriber's. */
export class WsConnection implements LiveConnection, Transport {
  readonly encoding = 'ws';
  readonly subscriber: Subscriber;
  readonly address: string;
  readonly openedMs: number;
  principal: Principal | null;
  beatDueMs: number;
  chargeDueMs: number;
  readonly #hub: Hub;
  readonly #input: WsConnectionInput;
  readonly #rate: MessageRate;
  #heardMs: number;
  #pingDueMs: number;
  #idleSinceMs: number | null;
  #ending = false;
  #drained: (() => void)[] = [];

  constructor(hub: Hub, input: WsConnectionInput) {
    const nowMs = hub.deps.clock.monotonicMs();
    this.#hub = hub;
    this.#input = input;
    this.address = input.address;
    this.principal = input.principal;
    this.openedMs = nowMs;
    this.#heardMs = nowMs;
    this.#idleSinceMs = nowMs;
    this.#pingDueMs = nowMs + hub.deps.limits.pingSeconds * 1_000;
    this.beatDueMs = nowMs + HEARTBEAT_SECONDS * 1_000;
    this.chargeDueMs = nowMs + CHARGE_EVERY_MS;
    this.#rate = new MessageRate(hub.deps.limits, hub.deps.clock);
    this.subscriber = new Subscriber(hub, this);
    this.#listen();
    this.subscriber.send(heartbeat(hub, null, hub.deps.limits));
  }

  isOpen(): boolean {
    return !this.#ending && this.#input.ws.readyState === this.#input.ws.OPEN;
  }

  bufferedBytes(): number {
    return this.#input.socket.writableLength;
  }

  /**
   * Whole ready frames, written to the socket itself: the same bytes for everyone, no header made per reader. Sound because nothing here is
   * compressed, so the library never holds frames back, and it writes its own pings and closes whole as well.
   */
  write(bytes: Buffer): void {
    this.#input.socket.write(bytes);
  }

  onceDrained(run: () => void): void {
    if (!this.#input.socket.writableNeedDrain) setImmediate(run);
    else this.#drained.push(run);
  }

  check(nowMs: number): void {
    const { limits, clock } = this.#hub.deps;
    if (nowMs - this.#heardMs >= limits.silenceSeconds * 1_000) return this.terminate();
    if (this.principal?.expiresAt != null && clock.now() >= this.principal.expiresAt) return this.end({ code: 'live.auth_expired' });
    if (this.#idleSinceMs !== null && nowMs - this.#idleSinceMs >= limits.idleSeconds * 1_000) return this.end({ code: 'live.idle' });
    if (nowMs < this.#pingDueMs) return;
    this.#pingDueMs = nowMs + limits.pingSeconds * 1_000;
    if (this.isOpen()) this.#input.ws.ping();
  }

  end(ending: Ending): void {
    if (this.#ending) return;
    this.subscriber.send(endingMessage(ending));
    this.#ending = true;
    this.subscriber.drop();
    this.#input.ws.close(LIVE_ERRORS[ending.code].close ?? 1011, closeReason(ending));
    this.#hub.deps.clock.after(CLOSE_GRACE_MS, () => this.terminate());
  }

  terminate(): void {
    this.#ending = true;
    this.subscriber.drop();
    this.#input.ws.terminate();
  }

  #listen(): void {
    const { ws, socket, onClosed } = this.#input;
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('ping', () => this.#heard());
    ws.on('pong', () => this.#heard());
    // Frames that break the protocol are answered by the library with 1002, 1007, 1008 or 1009; its error is no event of ours.
    ws.on('error', () => this.#hub.deps.clock.after(CLOSE_GRACE_MS, () => this.terminate()));
    socket.on('drain', () => this.#wake());
    ws.on('close', () => {
      this.#ending = true;
      this.subscriber.drop();
      this.#wake();
      onClosed();
    });
  }

  #wake(): void {
    for (const run of this.#drained.splice(0)) run();
  }

  /** Every frame counts, control frames too. False: this one is dropped. */
  #heard(): boolean {
    this.#heardMs = this.#hub.deps.clock.monotonicMs();
    const verdict = this.#ending ? 'end' : this.#rate.take();
    if (verdict === 'ok') return true;
    if (verdict === 'end') this.end({ code: 'live.rate', retryAfterSeconds: 10 });
    else this.#refuse({ code: 'live.rate', detail: 'At most 10 messages a second; this one was dropped.', id: null });
    return false;
  }

  #refuse(refusal: Refusal): void {
    this.subscriber.send(errorMessage(refusal, false));
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#ending || !this.#heard()) return;
    if (isBinary) return this.end({ code: 'live.protocol', detail: 'Text frames only.' });
    const understood = understand(String(data), this.#hub.deps.limits);
    if (understood.ok) return this.#serve(understood.request);
    if (understood.code === 'live.protocol') this.end({ code: understood.code, detail: understood.detail ?? '' });
    else this.#refuse(understood);
  }

  #serve(request: ClientRequest): void {
    switch (request.type) {
      case 'ping':
        return this.subscriber.pong(() => this.#pong(request.id));
      case 'subscribe':
        return this.#subscribe(request);
      case 'unsubscribe':
        this.subscriber.unsubscribe(request.channels, request.id);
        if (this.subscriber.channels.length === 0) this.#idleSinceMs = this.#hub.deps.clock.monotonicMs();
        return;
      case 'auth':
        void this.#signIn(request.token, request.id);
    }
  }

  #pong(id: string | null): void {
    const pong = {
      type: 'pong',
      at: new Date(this.#hub.deps.clock.now()).toISOString(),
      cursor: this.subscriber.cursor(),
      ...(id === null ? {} : { id }),
    };
    this.subscriber.send({ type: 'pong', id: null, json: JSON.stringify(pong) });
  }

  #subscribe(request: Extract<ClientRequest, { type: 'subscribe' }>): void {
    const { id } = request;
    if (request.since && this.subscriber.hasSubscribed) return this.#refuse({ code: 'live.since_too_late', detail: null, id });
    const shared = request.filter ? this.#hub.audiences.filter(request.filter) : null;
    if (shared && !shared.ok) return this.#refuse({ code: 'live.bad_filter', detail: shared.detail, id });
    this.#idleSinceMs = null;
    this.subscriber.subscribe({ ...request, filter: shared ? shared.filter : (request.filter as null | undefined) });
  }

  async #signIn(token: string, id: string | null): Promise<void> {
    const inTime = this.#hub.deps.clock.monotonicMs() - this.openedMs <= AUTH_WINDOW_MS;
    const principal = inTime && !this.principal ? await this.#verified(token) : null;
    if (this.#ending) return;
    if (principal === 'unavailable')
      return this.end({ code: 'live.overloaded', detail: 'Sign-in cannot be checked right now.', retryAfterSeconds: 5 });
    if (!principal) return this.end({ code: 'live.auth_failed' });
    if (!this.#input.promote(principal)) return this.end({ code: 'live.limit', retryAfterSeconds: 30 });
    this.principal = principal;
    if (id === null) return;
    const from = this.subscriber.cursor() ?? cursorText(this.#hub.deps.alertLog.epoch(), this.#hub.head());
    const ack = { type: 'ack', id, channels: this.subscriber.channels, from_cursor: from, recovered: null };
    this.subscriber.send({ type: 'ack', id: null, json: JSON.stringify(ack) });
  }

  /** A store that is away is no proof against a credential. */
  async #verified(token: string): Promise<Principal | null | 'unavailable'> {
    try {
      return await this.#input.verify({ kind: 'bearer', value: token });
    } catch (error) {
      this.#hub.deps.log.warn({ err: error }, 'a live credential could not be checked');
      return 'unavailable';
    }
  }
}

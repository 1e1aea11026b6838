import { HEARTBEAT_SECONDS, LIVE_ERRORS, type alerts, type QueryOf } from '@nwms/contract';
import { CHANNELS } from '@nwms/domain';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { AppError } from '../../platform/app-error.ts';
import type { Handler, Raw } from '../../platform/http/serve.ts';
import type { AdmissionDesk } from './admission.ts';
import { endingMessage, heartbeat, type LiveConnection } from './connection.ts';
import { presentedIn } from './credential.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import type { Gateway } from './gateway.ts';
import type { Hub } from './hub.ts';
import type { Transport } from './pace.ts';
import { Subscriber, type SubscribeRequest } from './subscriber.ts';
import type { ChargeLive, Ending, Principal, VerifyCredential } from './types.ts';
import { CHARGE_EVERY_MS } from './ws-connection.ts';

export interface SseDeps {
  hub: Hub;
  gateway: Gateway;
  desk: AdmissionDesk;
  verify: VerifyCredential;
  charge: ChargeLive;
  addressOf: (request: IncomingMessage) => string;
}

type StreamHandler = Handler<typeof alerts.streamAlerts>;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // Proxies that collect answers would hold warnings back.
  'X-Accel-Buffering': 'no',
};
/** What a browser waits before it connects again (LV40). */
const RETRY = Buffer.from('retry: 3000\n\n');

/** LV40: the feed as server-sent events; the same delivery, limits and endings as on the WebSocket. */
export function createSseHandler(deps: SseDeps): StreamHandler {
  return async ({ query, request }): Promise<Raw> => {
    if (request.method === 'HEAD') return { kind: 'raw', headers: HEADERS, body: null };
    const subscribe = readRequest(deps.hub, query, request.headers['last-event-id']);
    const { principal, address, release } = await admit(deps, request.raw);
    const stream = new PassThrough({ highWaterMark: 16 * 1024 });
    const connection = new SseConnection(deps.hub, { stream, address, principal });
    stream.once('close', () => {
      connection.closed();
      release();
      deps.gateway.remove(connection);
    });
    deps.gateway.add(connection);
    connection.open(subscribe);
    return { kind: 'raw', headers: HEADERS, body: stream };
  };
}

function readRequest(hub: Hub, query: QueryOf<typeof alerts.streamAlerts>, lastEventId: string | string[] | undefined): SubscribeRequest {
  const { channels = [...CHANNELS], since, snapshot = null, ...filterInput } = query;
  // Last-Event-ID beats `since`: it is the newer of the two on every reconnect a browser makes by itself.
  const resuming = typeof lastEventId === 'string' && lastEventId !== '';
  const given = resuming ? lastEventId : since;
  const cursor: Cursor | null = given === undefined ? null : parseCursor(given);
  if (given !== undefined && !cursor) throw new AppError('query.cursor_invalid', { public: 'The position is not a cursor of this feed.' });
  const shared = Object.keys(filterInput).length > 0 ? hub.audiences.filter(filterInput) : null;
  if (shared && !shared.ok) {
    throw new AppError('request.invalid', {
      public: shared.detail,
      fields: [{ name: 'filter', reason: 'format', message: shared.detail }],
    });
  }
  return {
    channels,
    since: cursor,
    snapshot: resuming && snapshot === 'always' ? 'on_gap' : snapshot,
    filter: shared ? shared.filter : null,
    id: null,
  };
}

async function admit(deps: SseDeps, raw: IncomingMessage): Promise<{ principal: Principal | null; address: string; release: () => void }> {
  if (deps.gateway.stopping)
    throw new AppError('server.shutting_down', { public: 'This process is stopping; connect again at once.', retryAfterSeconds: 1 });
  const address = deps.addressOf(raw);
  const waitSeconds = deps.desk.attempt(address);
  if (waitSeconds !== null)
    throw new AppError('quota.streams', { public: 'Too many connection attempts from this address.', retryAfterSeconds: waitSeconds });
  const presented = presentedIn(raw.headers);
  if (presented.kind === 'ambiguous')
    throw new AppError('auth.ambiguous', { public: 'Send either a bearer token or X-API-Key, not two different ones.' });
  const principal = presented.kind === 'one' ? await deps.verify(presented.credential) : null;
  if (presented.kind === 'one' && !principal)
    throw new AppError(presented.credential.kind === 'api-key' ? 'key.invalid' : 'auth.invalid_token', {
      public: 'This credential is not accepted.',
    });
  const place = deps.desk.enter(address, principal);
  if (!place.ok) {
    const code = place.reason === 'total' ? 'server.overloaded' : 'quota.streams';
    throw new AppError(code, { public: 'Too many live connections at once.', retryAfterSeconds: place.retryAfterSeconds });
  }
  const charged = await deps.charge({ principal, address }, 1);
  if (charged.ok) return { principal, address, release: place.release };
  place.release();
  throw new AppError('quota.streams', {
    public: 'No allowance left for another live connection.',
    retryAfterSeconds: charged.retryAfterSeconds,
  });
}

class SseConnection implements LiveConnection, Transport {
  readonly encoding = 'sse';
  readonly subscriber: Subscriber;
  readonly address: string;
  readonly principal: Principal | null;
  readonly openedMs: number;
  beatDueMs: number;
  chargeDueMs: number;
  readonly #hub: Hub;
  readonly #stream: PassThrough;
  #ending = false;
  #drained: (() => void)[] = [];

  constructor(hub: Hub, { stream, address, principal }: { stream: PassThrough; address: string; principal: Principal | null }) {
    const nowMs = hub.deps.clock.monotonicMs();
    this.#hub = hub;
    this.#stream = stream;
    this.address = address;
    this.principal = principal;
    this.openedMs = nowMs;
    this.beatDueMs = nowMs + HEARTBEAT_SECONDS * 1_000;
    this.chargeDueMs = nowMs + CHARGE_EVERY_MS;
    this.subscriber = new Subscriber(hub, this);
    stream.on('drain', () => this.#wake());
    stream.on('error', () => this.terminate());
  }

  /** The first heartbeat carries the position when the reader has one from the start, so that even a drop before the next resumes exactly. */
  open(request: SubscribeRequest): void {
    this.write(RETRY);
    const waits = request.since !== null || request.snapshot === 'always';
    if (waits) this.subscriber.send(heartbeat(this.#hub, null, this.#hub.deps.limits));
    this.subscriber.subscribe(request);
    if (!waits) this.subscriber.send(heartbeat(this.#hub, this.subscriber.cursor(), this.#hub.deps.limits));
  }

  closed(): void {
    this.#ending = true;
    this.subscriber.drop();
    this.#wake();
  }

  isOpen(): boolean {
    return !this.#ending && !this.#stream.destroyed;
  }

  bufferedBytes(): number {
    return this.#stream.writableLength + this.#stream.readableLength;
  }

  write(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  onceDrained(run: () => void): void {
    if (!this.#stream.writableNeedDrain) setImmediate(run);
    else this.#drained.push(run);
  }

  check(): void {
    const { expiresAt = null } = this.principal ?? {};
    if (expiresAt !== null && this.#hub.deps.clock.now() >= expiresAt) this.end({ code: 'live.auth_expired' });
  }

  end(ending: Ending): void {
    if (this.#ending) return;
    this.subscriber.send(endingMessage(ending));
    this.#ending = true;
    this.subscriber.drop();
    this.#stream.end();
    this.#hub.deps.clock.after(LIVE_ERRORS[ending.code].close === 1001 ? 3_000 : 1_000, () => this.terminate());
  }

  terminate(): void {
    this.#ending = true;
    this.subscriber.drop();
    this.#stream.destroy();
  }

  #wake(): void {
    for (const run of this.#drained.splice(0)) run();
  }
}

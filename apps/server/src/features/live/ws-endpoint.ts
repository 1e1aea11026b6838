import { ERRORS, LIVE_SUBPROTOCOL, type ErrorCode } from '@nwms/contract';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type ServerOptions } from 'ws';
import type { AdmissionDesk } from './admission.ts';
import { presentedIn } from './credential.ts';
import type { Gateway } from './gateway.ts';
import type { Hub } from './hub.ts';
import { originAllowed } from './origin.ts';
import { refuseUpgrade } from './refusal.ts';
import type { ChargeLive, Handshake, Principal, VerifyCredential } from './types.ts';
import { WsConnection } from './ws-connection.ts';

/** LV26: a handshake whose credential is not settled by then is turned away. */
const HANDSHAKE_MS = 5_000;

export interface WsEndpointDeps {
  hub: Hub;
  gateway: Gateway;
  desk: AdmissionDesk;
  verify: VerifyCredential;
  charge: ChargeLive;
  /** Who a request comes from, as `addressKey` text. */
  addressOf: (request: IncomingMessage) => string;
  origins: () => readonly string[];
  loopbackOnly: boolean;
  handshaken: (request: IncomingMessage, handshake: Handshake) => void;
}

/** Thrown inside the handshake: the HTTP answer to give instead of an upgrade. */
class Refused extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, retryAfterSeconds?: number) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Serves the feed on an HTTP server's upgrades: everything is decided before the upgrade, so a refusal is a readable HTTP error. */
export function attachWebSockets(server: Server, paths: readonly string[], deps: WsEndpointDeps): () => void {
  const { limits, clock, log } = deps.hub.deps;
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
    maxFragments: limits.maxFragments,
    maxBufferedChunks: limits.maxBufferedChunks,
    closeTimeout: 1_000,
    handleProtocols: (offered) => (offered.has(LIVE_SUBPROTOCOL) ? LIVE_SUBPROTOCOL : false),
  };
  const upgrader = new WebSocketServer(options);

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Without a listener a reset during the handshake would end the process.
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!paths.includes(path)) return refuseUpgrade(socket, 'route.not_found', 'The live feed is at /ws/alerts.', clock.now());
    admit(deps, request).then(
      (admitted) => open(deps, upgrader, { request, socket, head }, admitted),
      (error: unknown) => {
        const code = error instanceof Refused ? error.code : 'server.internal';
        deps.handshaken(request, { status: ERRORS[code].status, error: code, principal: null });
        if (error instanceof Refused) return refuseUpgrade(socket, error.code, error.detail, clock.now(), error.retryAfterSeconds);
        log.error({ err: error }, 'live handshake failed');
        refuseUpgrade(socket, code, 'The connection could not be opened.', clock.now());
      },
    );
  };
  server.on('upgrade', onUpgrade);
  return () => server.off('upgrade', onUpgrade);
}

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

function open(deps: WsEndpointDeps, upgrader: WebSocketServer, { request, socket, head }: Upgrade, admitted: Admitted): void {
  const { principal, address, release } = admitted;
  if (socket.destroyed) return release();
  // The handshake itself may still fail (no key, wrong version): the place is given back either way.
  socket.once('close', release);
  upgrader.handleUpgrade(request, socket, head, (ws) => {
    let leave = release;
    const connection = new WsConnection(deps.hub, {
      ws,
      socket,
      address,
      principal,
      verify: deps.verify,
      promote(next) {
        const place = deps.desk.enter(address, next);
        if (!place.ok) return false;
        leave();
        leave = place.release;
        return true;
      },
      onClosed() {
        leave();
        deps.gateway.remove(connection);
      },
    });
    deps.gateway.add(connection);
    deps.handshaken(request, { status: 101, error: null, principal });
  });
}

interface Admitted {
  principal: Principal | null;
  address: string;
  release: () => void;
}

/** LV2, LV3, LV26, LV33, LV34 in this order: what is cheap to refuse comes first. Throws Refused. */
async function admit(deps: WsEndpointDeps, request: IncomingMessage): Promise<Admitted> {
  if (deps.gateway.stopping) throw new Refused('server.shutting_down', 'This process is stopping; connect again at once.', 1);
  const address = deps.addressOf(request);
  const waitSeconds = deps.desk.attempt(address);
  if (waitSeconds !== null) throw new Refused('quota.streams', 'Too many connection attempts from this address.', waitSeconds);
  const presented = presentedIn(request.headers);
  checkOrigin(deps, request, presented.kind !== 'none');
  if (presented.kind === 'ambiguous')
    throw new Refused('auth.ambiguous', 'Send either a bearer token or X-API-Key, not two different ones.');
  let principal: Principal | null = null;
  if (presented.kind === 'one') {
    principal = await verified(deps, () => deps.verify(presented.credential));
    if (!principal)
      throw new Refused(presented.credential.kind === 'api-key' ? 'key.invalid' : 'auth.invalid_token', 'This credential is not accepted.');
  }
  const place = deps.desk.enter(address, principal);
  if (!place.ok && place.reason === 'total') throw new Refused('server.overloaded', 'Too many live connections.', place.retryAfterSeconds);
  if (!place.ok) throw new Refused('quota.streams', 'Too many live connections at once.', place.retryAfterSeconds);
  const charged = await deps.charge({ principal, address }, 1);
  if (charged.ok) return { principal, address, release: place.release };
  place.release();
  throw new Refused('quota.streams', 'No allowance left for another live connection.', charged.retryAfterSeconds);
}

function checkOrigin(deps: WsEndpointDeps, request: IncomingMessage, hasCredential: boolean): void {
  const { origin } = request.headers;
  const { loopbackOnly } = deps;
  if (origin === undefined) {
    if (hasCredential || loopbackOnly) return;
    throw new Refused('auth.missing', 'Programs send a credential in the handshake headers; pages send their Origin.');
  }
  if (!originAllowed(origin, { origins: deps.origins(), loopbackOnly, localPort: request.socket.localPort ?? 0 }))
    throw new Refused('origin.not_allowed', 'Pages of this origin may not open the live feed; an administrator can list the origin.');
}

async function verified(deps: WsEndpointDeps, check: () => Promise<Principal | null>): Promise<Principal | null> {
  const { clock, log } = deps.hub.deps;
  let cancel = (): void => {};
  const late = new Promise<'late'>((done) => (cancel = clock.after(HANDSHAKE_MS, () => done('late'))));
  try {
    const answer = await Promise.race([check(), late]);
    if (answer !== 'late') return answer;
  } catch (error) {
    // A store that is away is no proof against a credential: 503, never 401.
    log.warn({ err: error }, 'a live credential could not be checked');
  } finally {
    cancel();
  }
  throw new Refused('server.database_unavailable', 'The credential cannot be checked right now.', 5);
}

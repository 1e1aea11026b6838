import type { alerts } from '@nwms/contract';
import type { IncomingMessage, Server } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Handler } from '../../platform/http/serve.ts';
import type { Log } from '../../platform/log.ts';
import type { AlertLog } from '../alerts/types.ts';
import { addressKey } from './address.ts';
import { AdmissionDesk } from './admission.ts';
import { Gateway } from './gateway.ts';
import { Hub } from './hub.ts';
import { createSseHandler } from './sse.ts';
import {
  DEFAULT_LIMITS,
  type ChargeLive,
  type FreshnessNow,
  type Handshake,
  type LiveBoard,
  type LiveLimits,
  type Principal,
  type VerifyCredential,
} from './types.ts';
import { attachWebSockets } from './ws-endpoint.ts';

export type { AlertMatcher, CompiledFilter, Credential, FilterInput, Handshake, LiveBoard, LiveLimits, Principal } from './types.ts';

/** Both are one endpoint (LV1). */
export const LIVE_PATHS: readonly string[] = ['/ws/alerts', '/api/v1/ws/alerts'];

export interface LiveDeps {
  clock: Clock;
  log: Log;
  alertLog: AlertLog;
  board: LiveBoard;
  freshness: FreshnessNow;
  config: {
    /** PUBLIC_URL's origin and the listed other origins; asked at every handshake. */
    origins: () => readonly string[];
    loopbackOnly: boolean;
    limits?: Partial<LiveLimits>;
  };
  /** Remote address of a request, behind trusted proxies the caller's; default: the peer. */
  addressOf?: (request: IncomingMessage) => string;
  /** Default: nothing presented is accepted. Rejects when it cannot tell. */
  verifyCredential?: VerifyCredential;
  /** Default: connections cost nothing. */
  charge?: ChargeLive;
  /** Told how many log entries were written to a reader, for usage records. */
  streamed?: (entries: number) => void;
  /** Told of every WebSocket handshake on our addresses, for usage records. */
  handshaken?: (request: IncomingMessage, handshake: Handshake) => void;
}

export interface Live {
  /** Serves WebSocket upgrades on this server; answers how to stop listening. */
  attach(server: Server, paths?: readonly string[]): () => void;
  sseHandler: Handler<typeof alerts.streamAlerts>;
  connections(): number;
  transports(): { websocket: number; sse: number };
  /** Whose connections are open in this process, each credential once. */
  principals(): Principal[];
  /** Ends the connections of a principal within a second (LV31); answers how many. */
  closeByPrincipal(isTheirs: (principal: Principal) => boolean): number;
  /** LV34. Call before the HTTP server is closed: open sockets would keep it from closing. */
  stop(): Promise<void>;
}

/** The live feed: everything the numbered log commits, to everyone who asked for it, by WebSocket and server-sent events. */
export function createLive(deps: LiveDeps): Live {
  const limits = { ...DEFAULT_LIMITS, ...deps.config.limits };
  const charge: ChargeLive = deps.charge ?? (async () => ({ ok: true }));
  const verify: VerifyCredential = deps.verifyCredential ?? (async () => null);
  const hub = new Hub({
    clock: deps.clock,
    log: deps.log,
    alertLog: deps.alertLog,
    board: deps.board,
    freshness: deps.freshness,
    limits,
    streamed: deps.streamed,
  });
  const gateway = new Gateway(hub, charge);
  const desk = new AdmissionDesk(limits, deps.clock);
  const peer = deps.addressOf ?? ((request: IncomingMessage) => request.socket.remoteAddress ?? 'unknown');
  const addressOf = (request: IncomingMessage) => addressKey(peer(request));
  const { origins, loopbackOnly } = deps.config;
  return {
    attach: (server, paths = LIVE_PATHS) =>
      attachWebSockets(server, paths, {
        hub,
        gateway,
        desk,
        verify,
        charge,
        addressOf,
        origins,
        loopbackOnly,
        handshaken: deps.handshaken ?? (() => {}),
      }),
    sseHandler: createSseHandler({ hub, gateway, desk, verify, charge, addressOf }),
    connections: () => gateway.size,
    transports: () => gateway.transports(),
    principals: () => gateway.principals(),
    closeByPrincipal: (isTheirs) => gateway.endWhere(isTheirs, { code: 'live.session_ended' }),
    stop: () => gateway.stop(),
  };
}

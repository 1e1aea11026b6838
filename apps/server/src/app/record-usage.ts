import { ALL_ROUTES, type RouteSpec } from '@nwms/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Handshake } from '../features/live/index.ts';
import type { FinishedRequest, Usage } from '../features/usage/index.ts';
import type { Clock } from '../platform/clock.ts';
import { addressKey } from '../platform/http/address-key.ts';
import type { ReadyReply } from '../platform/http/fast-path.ts';
import { isCounted, TILE_OPERATION } from './counted-requests.ts';

const UNMATCHED = '(unmatched)';
const WEB_SOCKET = '/api/v1/ws/alerts';
/** A hook before ours ended the request. */
const NOT_BEGUN = -1;
/** Members that ask about a place or a time (api 5.2). */
const PLACE_MEMBERS = ['bbox', 'polygon', 'lat', 'ugc'] as const;
const TIME_MEMBERS = ['at', 'from', 'to', 'in_force_at', 'updated_since'] as const;
const PLACE_OPERATIONS = new Set(['alertsNear', 'alertsWithin', 'alertsWithinShape']);
/** Areas whose questions are about weather: dates in an audit filter are none. */
const WEATHER_AREAS = new Set(['alerts', 'playback', 'trends']);
/** URLs of ready answers remembered with what they ask. */
const REMEMBERED_URLS = 1_000;

export interface RecordUsageDeps {
  clock: Clock;
  usage: Pick<Usage, 'record' | 'count'>;
  /** The caller's address in clear, as far as it can be trusted. */
  addressOf(request: IncomingMessage): string;
}

export interface RecordUsage {
  /** Counts what passes the framework; answers how many requests are being answered. Before routes are mounted. */
  install(app: FastifyInstance): { inFlight(): number };
  ready(request: IncomingMessage, reply: ReadyReply, told: { durationMs: number; bytes: number; requestId: string }): void;
  handshaken(request: IncomingMessage, handshake: Handshake): void;
  /** A stream opened: it counts now, not when its reader goes. */
  streamOpened(request: FastifyRequest): void;
}

/** Turns what happened on the wire into usage records: one push per request, nothing is waited for. */
export function createRecordUsage({ clock, usage, addressOf }: RecordUsageDeps): RecordUsage {
  const queryOf = createQueryOf();
  const templateOf = createTemplateOf();
  const nobody = (request: IncomingMessage): FinishedRequest['caller'] => ({
    type: 'anonymous',
    keyId: null,
    userId: null,
    address: addressKey(addressOf(request)),
  });
  const callerOf = (request: FastifyRequest): FinishedRequest['caller'] => {
    const { metered } = request;
    return metered ? { type: metered.caller, keyId: metered.keyId, userId: metered.userId, address: metered.address } : nobody(request.raw);
  };
  const common = (request: FastifyRequest) => ({
    at: clock.now(),
    endpoint: templateOf(request.routeOptions.config.spec),
    method: request.method,
    caller: callerOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
  });
  return {
    install(app) {
      let inFlight = 0;
      app.decorateRequest('alertsServed', 0);
      app.decorateRequest('errorCode', null);
      app.decorateRequest('bytesBefore', NOT_BEGUN);
      app.decorateRequest('isStream', false);
      app.addHook('onRequest', (request, _reply, done) => {
        inFlight += 1;
        request.bytesBefore = request.raw.socket.bytesWritten;
        done();
      });
      app.addHook('onResponse', (request, reply, done) => {
        if (request.bytesBefore !== NOT_BEGUN) inFlight -= 1;
        const { spec } = request.routeOptions.config;
        if (spec?.operation === TILE_OPERATION && reply.statusCode < 400) usage.count('tiles', 1);
        if (isCounted(request) && !request.isStream) {
          const status = reply.statusCode;
          usage.record({
            ...common(request),
            status,
            error: request.errorCode,
            ms: reply.elapsedTime,
            bytes: bytesOf(request, Number(reply.getHeader('content-length') ?? 0)),
            cache: status === 304 ? 'not_modified' : 'none',
            alerts: status === 200 ? request.alertsServed : 0,
            ...questionOf(spec, status, [request.query, request.body]),
            cost: request.metered?.units ?? 0,
          });
        }
        done();
      });
      return { inFlight: () => inFlight };
    },
    ready(request, { status, alerts, spec, units }, { durationMs, bytes, requestId }) {
      if (spec.operation === TILE_OPERATION) return usage.count('tiles', 1);
      usage.record({
        at: clock.now(),
        endpoint: templateOf(spec),
        method: request.method ?? 'GET',
        caller: nobody(request),
        userAgent: request.headers['user-agent'] ?? '',
        requestId,
        status,
        error: null,
        ms: durationMs,
        bytes,
        cache: status === 304 ? 'not_modified' : 'ready',
        alerts,
        ...questionOf(spec, status, [queryOf(request.url ?? '')]),
        cost: units ?? 0,
      });
    },
    handshaken(request, { status, error, principal }) {
      usage.record({
        at: clock.now(),
        endpoint: WEB_SOCKET,
        method: 'GET',
        caller: {
          ...nobody(request),
          ...(principal && { type: principal.kind, keyId: principal.kind === 'key' ? principal.id : null, userId: principal.userId }),
        },
        userAgent: request.headers['user-agent'] ?? '',
        requestId: '',
        status,
        error,
        ms: null,
        bytes: 0,
        cache: 'none',
        alerts: 0,
        geographic: false,
        timeFiltered: false,
        cost: error === null ? 1 : 0,
      });
    },
    streamOpened(request) {
      if (request.method === 'HEAD') return;
      request.isStream = true;
      usage.record({
        ...common(request),
        status: 200,
        error: null,
        ms: null,
        bytes: 0,
        cache: 'none',
        alerts: 0,
        geographic: false,
        timeFiltered: false,
        cost: 1,
      });
    },
  };
}

/** Headers included; of a request that was refused before this hook saw it, its body. */
const bytesOf = ({ raw, bytesBefore }: FastifyRequest, bodyBytes: number) =>
  bytesBefore === NOT_BEGUN ? bodyBytes : Math.max(0, raw.socket.bytesWritten - bytesBefore);

/** The same text object for every request of a route: it is compared and looked up by all that follows. */
function createTemplateOf(): (spec: RouteSpec | undefined) => string {
  const known = new Map<RouteSpec, string>();
  return (spec) => {
    if (!spec) return UNMATCHED;
    let template = known.get(spec);
    if (template === undefined) known.set(spec, (template = `/api/v1${spec.path}`));
    return template;
  };
}

/** Whether an answered question was about a place or about a time. */
function questionOf(
  spec: RouteSpec | undefined,
  status: number,
  asked: readonly unknown[],
): { geographic: boolean; timeFiltered: boolean } {
  if (!spec || status >= 400 || !WEATHER_AREAS.has(spec.area)) return { geographic: false, timeFiltered: false };
  const has = (names: readonly string[]) =>
    asked.some((one) => names.some((name) => (one as Record<string, unknown> | null)?.[name] !== undefined));
  const isPlace = PLACE_OPERATIONS.has(spec.operation) || (spec.area !== 'trends' && has(PLACE_MEMBERS));
  return { geographic: isPlace, timeFiltered: has(TIME_MEMBERS) };
}

/** Members of a URL's query, remembered: ready answers are asked for by a few URLs. */
function createQueryOf(): (url: string) => Record<string, string> {
  const known = new Map<string, Record<string, string>>();
  return (url) => {
    const found = known.get(url);
    if (found) return found;
    const query = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1] ?? ''));
    if (known.size >= REMEMBERED_URLS) known.clear();
    known.set(url, query);
    return query;
  };
}

/** Route templates whose use is counted: what an endpoint diversity is a share of. */
export function countedTemplates(): number {
  const counted = ALL_ROUTES.filter((spec) => spec.root !== 'only' && spec.area !== 'health' && spec.area !== 'client-errors');
  return new Set([...counted.filter(({ operation }) => operation !== TILE_OPERATION).map(({ path }) => path), WEB_SOCKET]).size;
}

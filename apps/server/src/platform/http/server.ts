import cors from '@fastify/cors';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { RouteSpec } from '@nwms/contract';
import type { Log } from '../log.ts';
import { frameworkProblem, installErrorHandler, sendProblem } from './error-handler.ts';
import { installJsonParser } from './json-body.ts';
import { lazySchemas } from './lazy-schemas.ts';
import { installNotFound, type PageFallback } from './not-found.ts';
import { normalizeParams, normalizeQuery } from './normalize-query.ts';
import { createRequestIds } from './request-id.ts';
import { installSecurityHeaders, securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    spec?: RouteSpec;
  }
}

export interface HttpServerDeps {
  clock: Clock;
  log: Log;
  /** Other origins whose pages may read answers; asked at every request, so that a saved setting counts at once. */
  corsOrigins: () => readonly string[];
  trustedProxies: readonly string[];
  page: PageFallback;
  /** True over https, where Strict-Transport-Security makes sense. */
  secure: boolean;
  /** Origins besides our own that pages may load pictures from. */
  imageOrigins?: readonly string[];
}

/** Bytes of a URL, and of all headers, that are read at all. */
const MAX_URL_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

const EXPOSED = [
  'ETag',
  'Location',
  'Link',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'NWMS-Data-As-Of',
  'NWMS-Data-Age',
  'NWMS-Data-Status',
  'NWMS-Data-Reason',
  'NWMS-Total-Count',
  'NWMS-Cost',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
];

/** A Fastify instance with the limits, headers and error bodies every route shares. Routes are mounted by slices through `createServe`. */
export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const ids = createRequestIds(deps.trustedProxies);
  const app = Fastify({
    logger: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 256, querystringParser: () => ({}) },
    // Fastify switches Node's guard against slow senders off (requestTimeout 0): measured, slow sockets then stay for ever (D2).
    requestTimeout: 15_000,
    keepAliveTimeout: 30_000,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: false,
    genReqId: (raw) => ids.idFor(raw),
    frameworkErrors: frameworkProblem(deps.clock),
    schemaController: { compilersFactory: lazySchemas() },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, useDefaults: false, strict: false } },
  });
  installNotFound(app, deps.clock, deps.page);
  installErrorHandler(app, deps);
  installJsonParser(app);
  installSecurityHeaders(app, securityHeaders(deps));
  await app.register(cors, {
    origin: (origin, answer) => answer(null, origin !== undefined && deps.corsOrigins().includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'X-API-Key', 'Content-Type', 'If-None-Match', 'If-Match', 'Idempotency-Key', 'Last-Event-ID'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    if ((request.raw.url?.length ?? 0) > MAX_URL_BYTES) {
      void sendProblem(request, reply, new AppError('request.uri_too_long', { public: 'The URL is over 8 KiB.' }), deps.clock);
      return;
    }
    if (request.headers['content-encoding']) {
      void sendProblem(
        request,
        reply,
        new AppError('request.unsupported_media', { public: 'Request bodies must not be compressed.' }),
        deps.clock,
      );
      return;
    }
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const spec = request.routeOptions.config.spec;
    if (!spec) return done();
    try {
      const url = request.raw.url ?? '';
      const start = url.indexOf('?');
      request.query = normalizeQuery(new URLSearchParams(start < 0 ? '' : url.slice(start + 1)), spec.query);
      if (spec.params) request.params = normalizeParams(request.params as Record<string, string>, spec.params);
      done();
    } catch (error) {
      done(error as Error);
    }
  });

  return app;
}

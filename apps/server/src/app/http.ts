import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../features/keys/index.ts';
import type { Metrics, RequestMeter } from '../features/health/index.ts';
import { registerReference } from '../features/reference/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Identity, type IdentityDeps, installIdentity } from '../platform/http/identity.ts';
import { installShedding, type Load } from '../platform/http/shedding.ts';
import { createServe, type Serve } from '../platform/http/serve.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { loadWebFiles, mountWebFiles, pageFallback } from '../platform/http/web-files.ts';
import type { Log } from '../platform/log.ts';

export interface HttpDeps {
  config: Config['http'];
  clock: Clock;
  log: Log;
  version: string;
  meter: RequestMeter;
  identity: IdentityDeps;
  gate: Gate;
  random: () => number;
  /** How busy this process is. */
  load: Load;
  /** Listed other origins, as configured and as saved at this moment. */
  corsOrigins: () => readonly string[];
  /** The weather is none: simulated or replayed. */
  simulated: boolean;
  /** Origins that pages may load pictures from: the tile server of the maps. */
  imageOrigins: readonly string[];
}

/** Answers from here on are worth compressing. */
const COMPRESS_FROM_BYTES = 1024;

/** The HTTP surface without its slices: limits, headers, compression, pages, reference. */
export async function createHttp(deps: HttpDeps): Promise<{ app: FastifyInstance; serve: Serve; identity: Identity }> {
  const { config, clock } = deps;
  const files = loadWebFiles(config.webDist, { publicUrl: config.publicUrl, simulated: deps.simulated });
  if (!files.present) deps.log.warn({ dir: config.webDist }, 'the browser application is not built; only the API is served');
  const app = await createHttpServer({
    clock,
    log: deps.log,
    corsOrigins: deps.corsOrigins,
    trustedProxies: config.trustedProxies,
    secure: config.publicUrl?.startsWith('https:') ?? false,
    page: pageFallback(files),
    imageOrigins: deps.imageOrigins,
  });
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['zstd', 'br', 'gzip'],
    brotliOptions: { params: { 0: 4, 1: 4 } },
    globalDecompression: false,
  });
  mountWebFiles(app, files);
  installShedding(app, deps);
  deps.gate.guard(app);
  const identity = installIdentity(app, deps.identity);
  deps.gate.meter(app);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.spec && request.routeOptions.config.spec.area !== 'health')
      deps.meter.record(reply.elapsedTime, request.ip);
    done();
  });
  registerReference(app, { version: deps.version });
  return { app, serve: createServe(app), identity };
}

/** Prometheus metrics, for loopback or with the token. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    metrics.inFlight(1);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    metrics.inFlight(-1);
    const route = request.routeOptions.config.spec?.path ?? (request.routeOptions.url === '/metrics' ? '/metrics' : 'other');
    metrics.request(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    const near = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip);
    if (!near && (token === null || request.headers.authorization !== `Bearer ${token}`)) return reply.callNotFound();
    const { contentType, body } = await metrics.text();
    return reply.header('Content-Type', contentType).send(body);
  });
}

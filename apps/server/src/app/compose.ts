import { MIGRATIONS } from '../../migrations/index.ts';
import { registerAiRoutes } from '../features/ai/index.ts';
import { createAlertRecord } from '../features/alerts/index.ts';
import { PASSWORD_COST_LOG2 } from '../features/auth/index.ts';
import { createRequestMeter } from '../features/health/index.ts';
import { createLive } from '../features/live/index.ts';
import { createPlayback } from '../features/playback/index.ts';
import { createPlaceSearch } from '../features/places/index.ts';
import { createTrends } from '../features/trends/index.ts';
import { countryOf, createLocator, type Locator } from '../features/usage/index.ts';
import { alerts as alertRoutes } from '@nwms/contract';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { claimFeed, keptStart } from '../platform/db/feed-claim.ts';
import { openDatabase } from '../platform/db/open.ts';
import { watchDatabase } from '../platform/db/watch.ts';
import { installFastPath } from '../platform/http/fast-path.ts';
import { createLoad, type Load } from '../platform/http/shedding.ts';
import { createRequestIds } from '../platform/http/request-id.ts';
import type { Log } from '../platform/log.ts';
import { createClientAddress } from '../platform/http/client-address.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import { createAccounts } from './accounts.ts';
import { type ResolvedFeed, resolveFeed } from './feed.ts';
import { createHealth } from './health.ts';
import { createHttp } from './http.ts';
import { measuredFeed } from './measured-feed.ts';
import { standInHere } from './stand-in.ts';
import { createUsageParts, recordedRequests } from './usage.ts';
import { createWeather } from './weather.ts';

export const VERSION = '0.1.0';

export interface Product {
  /** Starts to answer; the URL people open. */
  listen(): Promise<string>;
  /** Readiness falls at once, sockets are closed in order, what is under way finishes, everything is released. */
  stop(): Promise<void>;
  /** What the operator must read once it listens, if anything. */
  operatorLine(): string | null;
  /** One line that says what weather is shown. */
  feedLine: string;
}

export interface ComposeDeps {
  clock: Clock;
  log: Log;
  fetch?: typeof fetch;
  /** Resolved before; unless said it is now, with a stand-in for the weather service in this thread and by this clock. */
  feed?: ResolvedFeed;
  random?: () => number;
  /** False leaves out usage records, to measure what they cost; a product always has them. */
  recordUsage?: boolean;
  /** Where addresses are; default: the installed database. */
  locator?: Locator;
  /** How busy this process is; measured unless said. */
  load?: Load;
  /** Lowered by tests; what is not said is the cost of the product. */
  passwordCostLog2?: number;
}

/** Builds the product from its parts, in the order they need each other. Rejects with a sentence that says what to do. */
export async function compose(config: Config, deps: ComposeDeps): Promise<Product> {
  const { log } = deps;
  const clock = createSteadyClock(deps.clock);
  const fetchFunction = deps.fetch ?? fetch;
  const random = deps.random ?? Math.random;
  const feed = deps.feed ?? (await resolveFeed(config, { clock, log, standIn: standInHere }));

  const database = await openDatabase(
    config.data.databaseUrl
      ? {
          kind: 'postgres',
          url: config.data.databaseUrl,
          ...(config.data.usageDatabaseUrl ? { usageUrl: config.data.usageDatabaseUrl } : {}),
        }
      : { kind: 'sqlite', dir: feed.dataDir },
    { migrations: MIGRATIONS },
  );
  await claimFeed(database.app, feed.claim);
  const opened = await feed.open(await keptStart(database.app, clock.now()));

  const { places, storage, ingest, coveredSpans, alerts } = await createWeather({
    config,
    database,
    clock,
    log,
    random,
    fetch: fetchFunction,
    feed: feed.feed,
    baseUrl: opened.baseUrl,
  });
  // Tests replace it: the installed database changes with its releases.
  const locator = deps.locator ?? createLocator({ log, path: config.usage.geoipPath });
  const accounts = await createAccounts({
    config,
    database,
    clock,
    log,
    random,
    fetch: fetchFunction,
    passwordCostLog2: deps.passwordCostLog2 ?? PASSWORD_COST_LOG2,
    requests: recordedRequests(() => usage),
    countryOf: (address) => countryOf(locator, address),
    placeCredit: () => locator.attribution(),
  });
  const { settings } = accounts.administration;
  const { keys } = accounts;
  const corsOrigins = () => [...config.http.corsOrigins, ...settings.current().security.cors_origins];
  const addressOf = createClientAddress(config.http.trustedProxies);
  const record = createAlertRecord({ database, clock, places });
  const playback = createPlayback({
    clock,
    log,
    random,
    timeline: alerts.timeline(record),
    freshness: () => ingest.freshness(),
    coveredSpans,
  });
  const trends = createTrends({
    clock,
    log,
    random,
    record,
    freshness: () => ingest.freshness(),
    coveredSpans,
    measured: () => measuredFeed(alerts, ingest),
  });
  const live = createLive({
    clock,
    log,
    alertLog: storage.log,
    board: alerts.live,
    freshness: () => ingest.freshness(),
    config: {
      origins: () => [...(config.http.publicUrl ? [config.http.publicUrl] : []), ...corsOrigins()],
      loopbackOnly: config.http.loopbackOnly,
    },
    addressOf,
    verifyCredential: accounts.verifyLive,
    charge: accounts.chargeLive,
    handshaken: (request, handshake) => recording.handshaken(request, handshake),
    streamed: (entries) => usage.count('alerts_streamed', entries),
  });
  accounts.attachLive(live);

  const meter = createRequestMeter(clock);
  const load = deps.load ?? createLoad(config.limits.factor);
  const requestIds = createRequestIds(config.http.trustedProxies);
  const identity = {
    identifySession: keys.gate.counted(accounts.auth.identify),
    identifyKey: keys.identify,
    addressOf: (request: { raw: Parameters<typeof addressOf>[0] }) => addressOf(request.raw),
  };
  const {
    app,
    serve,
    identity: identified,
  } = await createHttp({
    config: config.http,
    clock,
    log,
    version: VERSION,
    meter,
    identity,
    gate: keys.gate,
    random,
    load,
    corsOrigins,
    simulated: feed.feed !== 'nws',
    imageOrigins: config.map.streetTiles ? [config.map.streetTiles.origin] : [],
  });
  keys.observe(app);
  const watch = watchDatabase(database, clock);
  const { usage, recording } = createUsageParts({
    database,
    clock,
    log,
    random,
    accounts,
    app,
    live,
    addressOf,
    freshness: () => ingest.freshness(),
    databaseAway: () => !watch.state().ok,
    locator,
    isOn: deps.recordUsage ?? true,
  });
  let stopping = false;
  const health = createHealth({
    clock,
    app,
    serve,
    identity: identified,
    database,
    watch,
    alerts,
    storage,
    live,
    ingest,
    usage,
    meter,
    metricsToken: config.metrics.token,
    version: VERSION,
    shuttingDown: () => stopping,
  });
  accounts.registerRoutes(serve, health.trouble);
  alerts.registerRoutes(serve);
  trends.registerRoutes(serve);
  playback.registerRoutes(serve);
  createPlaceSearch({ log, places, areas: places.areas, now: () => clock.now() }).registerRoutes(serve);
  usage.registerRoutes(serve);
  registerAiRoutes(serve, { freshness: () => ingest.freshness() });
  serve(alertRoutes.streamAlerts, async (input) => {
    const answer = await live.sseHandler(input);
    recording.streamOpened(input.request);
    return answer;
  });

  let operatorLine: string | null = null;
  return {
    operatorLine: () => operatorLine,
    feedLine: FEED_LINES[feed.feed],
    async listen() {
      await alerts.start();
      await ingest.start();
      await health.start();
      operatorLine = await accounts.start();
      trends.start();
      await usage.start();
      playback.start();
      database.engine.serve();
      await app.listen({ host: config.http.host, port: config.http.port });
      live.attach(app.server);
      installFastPath(app, {
        find: (request) => keys.gate.ready(request, () => alerts.ready(request)),
        requestId: (request) => requestIds.idFor(request),
        served(request, reply, told) {
          load.asked();
          recording.ready(request, reply, told);
          meter.record(told.durationMs, request.socket.remoteAddress ?? '');
          health.metrics.request('ready', 'GET', reply.status, told.durationMs / 1000);
        },
      });
      const address = app.server.address();
      const port = typeof address === 'object' && address ? address.port : config.http.port;
      const host = config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host;
      return config.http.publicUrl ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
    },
    async stop() {
      stopping = true;
      health.stop();
      await live.stop();
      await accounts.stop();
      await trends.stop();
      await playback.stop();
      await ingest.stop();
      alerts.releaseWaiters();
      await app.close();
      await usage.stop();
      await alerts.stop();
      watch.stop();
      load.stop();
      await places.stop();
      await storage.close();
      await database.close();
      await opened.close();
    },
  };
}

const FEED_LINES = {
  nws: 'Live alerts of the National Weather Service',
  simulator: 'SIMULATED WEATHER: exercise data, not real alerts',
  replay: 'REPLAY of a recording: not the weather of now',
} as const;

import { gapsOf } from '@nwms/domain';
import { createAlertEncoder, createAlerts, createAlertStorage, createFormats } from '../features/alerts/index.ts';
import { createCoveredFor } from '../features/import/index.ts';
import { createIngest, createIngestFollower, createIngestStatusStore, createIngestStore } from '../features/ingest/index.ts';
import { createPlaces, createZoneStore } from '../features/places/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/types.ts';
import type { Log } from '../platform/log.ts';
import type { SteadyClock } from '../platform/steady-clock.ts';
import { type ResolvedFeed, userAgent } from './feed.ts';
import { createIngestRole } from './ingest-role.ts';
import { createZoneFetch } from './zone-fetch.ts';

export interface WeatherDeps {
  config: Config;
  database: Database;
  clock: SteadyClock;
  log: Log;
  random: () => number;
  fetch: typeof fetch;
  feed: ResolvedFeed['feed'];
  /** Where the weather service answers, or its stand-in. */
  baseUrl: string;
}

/** From the weather service to alerts that can be asked: places, the record, who collects, and the board that answers. */
export async function createWeather(deps: WeatherDeps) {
  const { config, database, clock, log, random, feed, baseUrl } = deps;
  const places = await createPlaces({
    clock,
    log,
    random,
    store: createZoneStore(database.log, database.reads.log),
    fetchZone: createZoneFetch({ clock, fetch: deps.fetch }, { origin: baseUrl, userAgent: userAgent(config.feed.contact) }),
  });
  // The embedded database belongs to this process, which must write; on a server it may find another one writing.
  const canBeShared = database.engine.kind === 'postgres';
  const role = canBeShared ? (config.roles.ingest ? 'either' : 'follower') : 'writer';
  const storage = await createAlertStorage({ database, clock, log, places, encodeAlert: createAlertEncoder(places), role });
  const { contact, pollSeconds, frozenAfterSeconds } = config.feed;
  const ingestConfig = { feed, baseUrl, contact, pollSeconds, frozenAfterSeconds };
  const ingestStore = createIngestStore(database.log);
  const statuses = createIngestStatusStore(database.log);
  const latestSeq = () => storage.log.latestSeq();
  const ingest = createIngestRole({
    clock,
    log,
    storage,
    mayIngest: config.roles.ingest,
    createIngest: () =>
      createIngest({
        config: ingestConfig,
        clock,
        log,
        fetch: deps.fetch,
        random,
        writer: storage.writer,
        store: ingestStore,
        places,
        ...(canBeShared ? { sharing: { store: statuses, latestSeq, term: storage.term } } : {}),
      }),
    follower: createIngestFollower({ config: ingestConfig, clock, log, random, store: ingestStore, statuses, latestSeq }),
    refreshPlaces: () => places.refresh(),
    breakWriterLock: () => database.engine.breakWriterLock(),
  });
  const coveredSpans = createCoveredFor({
    clock,
    reads: database.reads.log,
    observed: (from, to, known) => ingest.coveredSpans(from, to, known),
  });
  const alerts = createAlerts({
    clock,
    log,
    places,
    alertLog: storage.log,
    archive: storage.archive,
    boot: storage.boot,
    freshness: () => ingest.freshness(),
    covered: async (from, to, scope) =>
      (await ingest.covered(from, to, scope?.known)) ||
      (scope?.events !== undefined && gapsOf(await coveredSpans(from, to + 1, scope), from, to + 1).length === 0),
    formats: createFormats({ clock, baseUrl: config.http.publicUrl }),
    streetTiles: config.map.streetTiles,
  });
  return { places, storage, ingest, coveredSpans, alerts };
}

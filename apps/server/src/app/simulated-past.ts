import type { Instant } from '@nwms/domain';
import { createStormFeed } from '@nwms/nws-sim';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createAlertEncoder, createAlertRecord, createAlertStorage } from '../features/alerts/index.ts';
import { collectPast, createIngestStore, type KnownWorld } from '../features/ingest/index.ts';
import { createPlaces, createZoneStore, type FetchZone } from '../features/places/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { forgoDiskWaits } from '../platform/db/bulk-load.ts';
import { claimFeed, keptStart } from '../platform/db/feed-claim.ts';
import { openDatabase } from '../platform/db/open.ts';
import type { DatabaseConfig } from '../platform/db/types.ts';
import type { Log } from '../platform/log.ts';
import { createSimulatedClock } from './simulated-clock.ts';

export interface PastOptions {
  place: DatabaseConfig;
  /** Name under which the database belongs to this world. */
  claim: string;
  seed: number;
  /** Alerts listed at a time, in the mean of a year: 20 to 600. */
  targetActive: number;
  from: Instant;
  to: Instant;
  log: Log;
  signal: AbortSignal;
  onProgress(at: Instant, stored: number): void;
}

export interface PastWritten {
  /** Where this run began: later than asked for when it went on with an earlier one. */
  from: Instant;
  to: Instant;
  stored: number;
}

/** How far the beginning of an earlier run may lie from the one asked for to be taken for it. */
const SAME_BEGINNING_MS = 24 * 3_600_000;

/**
 * Writes the past of a simulated world by the calendar into its database, as if it had been collected all the time, and goes on where an
 * earlier run ended. Rejects, in a sentence that says what to do, when the database holds anything else: real alerts, another world, or
 * a record that begins later.
 */
export async function writeSimulatedPast(options: PastOptions): Promise<PastWritten> {
  const { log, seed, to } = options;
  const database = await openDatabase(options.place, { migrations: MIGRATIONS });
  try {
    await claimFeed(database.app, options.claim);
    await forgoDiskWaits(database.log, database.engine);
    const store = createIngestStore(database.log);
    const from = await beginning(store, options);
    await keptStart(database.app, from);
    const clock = createSimulatedClock(from);
    const feed = createStormFeed({ seed, startedAt: from, targetActive: options.targetActive, seasons: 'calendar' });
    const shapes = countedFetch((family, code) => feed.zone(family, code));
    // Shapes are of today: zones fetched "a year ago" would all count as old.
    const random = Math.random;
    const places = await createPlaces({
      clock: systemClock,
      log,
      random,
      store: createZoneStore(database.log, database.reads.log),
      fetchZone: shapes.fetchZone,
      warmsUp: false,
    });
    const storage = await createAlertStorage({
      database,
      clock,
      log,
      places,
      encodeAlert: createAlertEncoder(places),
      role: 'writer',
    });
    const stored = await collectPast(
      {
        source: 'simulator',
        world: worldOf(feed),
        writer: storage.writer,
        store,
        log,
        places,
        shapesReady: () => shapes.settled(() => places.stats()),
        advanceTo: clock.advanceTo,
      },
      { from, to, signal: options.signal, onStep: options.onProgress },
    );
    if (!options.signal.aborted) await countFacts(createAlertRecord({ database, clock: nowLast(to), places }));
    await storage.close();
    await places.stop();
    return { from, to: options.signal.aborted ? clock.now() : to, stored };
  } finally {
    await database.close();
  }
}

async function beginning(store: ReturnType<typeof createIngestStore>, { from, claim }: PastOptions): Promise<Instant> {
  const first = await store.firstGoodPollAt();
  const last = await store.lastGoodPoll();
  if (first === null || last === null) return from;
  if (first <= from + SAME_BEGINNING_MS) return Math.max(from, last.startedAt);
  throw new Error(
    `The record of "${claim}" begins at ${new Date(first).toISOString()}, after the asked ${new Date(from).toISOString()}: a past cannot be put before it. Choose an empty folder (DATA_DIR), or delete this one.`,
  );
}

/** Without upstream's monitoring message, sent every ten minutes as a test: a year of them would be a third of everything. */
function worldOf(feed: ReturnType<typeof createStormFeed>): KnownWorld {
  const isWeather = ({ properties }: { properties: { status: string; event: string } }) => properties.event !== 'Test Message';
  return {
    issuedBetween: (from, to) => feed.issuedBetween(from, to).filter(isWeather),
    listedAt: (at) => feed.activeAt(at).features.filter(isWeather),
  };
}

/** Answers from the world itself, and knows when everything asked for has arrived. */
function countedFetch(zoneOf: (family: string, code: string) => unknown) {
  let asked = 0;
  let missing = 0;
  const fetchZone: FetchZone = async (family, code) => {
    asked += 1;
    const feature = zoneOf(family, code);
    if (feature !== undefined) return { kind: 'ok', feature };
    missing += 1;
    return { kind: 'missing' };
  };
  return {
    fetchZone,
    async settled(stats: () => { waiting: number; fetched: number; failed: number }) {
      for (;;) {
        const { waiting, fetched, failed } = stats();
        if (waiting === 0 && fetched + failed + missing >= asked) return;
        await new Promise((turn) => setImmediate(turn));
      }
    },
  };
}

/** The statistics' roll-up, so that the first question does not wait for a year of events. */
async function countFacts({ facts }: ReturnType<typeof createAlertRecord>): Promise<void> {
  while (!(await facts.catchUp(60_000)));
}

const nowLast = (at: Instant): Clock => ({ ...systemClock, now: () => at });

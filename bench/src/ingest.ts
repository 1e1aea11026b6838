import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createStormFeed, readCapture } from '@nwms/nws-sim';
import { sharedData } from '@nwms/testkit';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import { createAlertEncoder, createAlerts, createAlertStorage } from '../../apps/server/src/features/alerts/index.ts';
import { createIngest, createIngestStore } from '../../apps/server/src/features/ingest/index.ts';
import { createPlaces, createZoneStore } from '../../apps/server/src/features/places/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { openDatabase } from '../../apps/server/src/platform/db/open.ts';
import { silentLog } from '../../apps/server/src/platform/log.ts';
import { createSteadyClock } from '../../apps/server/src/platform/steady-clock.ts';
import { type Benchmark, figure, median } from './harness.ts';

interface Feature {
  properties: Record<string, unknown>;
}

interface National {
  features: Feature[];
  /** When the list was true: the pipeline's clock starts here, else a recorded list would be over before it comes in. */
  at: number;
}

/** 529 real messages where recordings are here, else the simulator's largest list; repeated as other events up to `count`. */
function nationalList(count: number): National {
  const path = sharedData('alerts/active-us-2025-12-15T2155Z.json.gz');
  const at = path ? Date.UTC(2025, 11, 15, 21, 55) : Date.now();
  const base = (path
    ? readCapture(readFileSync(path), 'capture').features
    : createStormFeed({ seed: 3, startedAt: at, targetActive: 600 }).activeAt(at).features) as unknown as Feature[];
  return {
    at,
    features: Array.from({ length: count }, (_, index) => copyOf(base[index % base.length] as Feature, Math.floor(index / base.length))),
  };
}

/** The `copy`-th repetition: another message about another event (VTEC numbers moved on by it). */
function copyOf(feature: Feature, copy: number): Feature {
  const { id, parameters } = feature.properties;
  const { VTEC: vtec, ...others } = (parameters ?? {}) as Record<string, unknown>;
  const moved = (Array.isArray(vtec) ? vtec : []).map((each) =>
    String(each).replace(/\.(\d{4})\./, (_, etn: string) => `.${String((Number(etn) + copy * 613) % 10_000).padStart(4, '0')}.`),
  );
  return {
    ...feature,
    properties: { ...feature.properties, id: `${String(id)}.${copy}`, parameters: vtec ? { ...others, VTEC: moved } : others },
  };
}

/** The list with new identifiers on a share of its messages: what a poll finds after something happened. */
function renewed(features: readonly Feature[], share: number, round: number): Feature[] {
  return features.map((feature, index) =>
    index % Math.round(1 / share) === 0
      ? {
          ...feature,
          properties: {
            ...feature.properties,
            id: `${String(feature.properties['id'])}.r${round}.${index}`,
            headline: `${String(feature.properties['headline'])} (${round})`,
          },
        }
      : feature,
  );
}

const bodyOf = (features: readonly Feature[], at: number, round: number) =>
  Buffer.from(
    JSON.stringify({
      type: 'FeatureCollection',
      features,
      title: 'Current watches, warnings, and advisories',
      updated: new Date(at + round * 1000).toISOString(),
    }),
  );

async function parseMs(bytes: Buffer): Promise<number> {
  const body = bytes.toString();
  const values: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const from = performance.now();
    JSON.parse(body);
    values.push(performance.now() - from);
    await new Promise((next) => setImmediate(next));
  }
  return median(values);
}

/** The real ingest over the real store, board and places of a fresh folder; only the network is replaced by ready bytes. */
async function openPipeline(startsAt: number) {
  const dir = mkdtempSync(join(tmpdir(), 'nwms-ingest-'));
  const behindMs = Date.now() - startsAt;
  const clock = createSteadyClock({ ...systemClock, now: () => systemClock.now() - behindMs });
  const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  const base = { clock, log: silentLog, random: Math.random };
  const places = await createPlaces({
    ...base,
    store: createZoneStore(database.log, database.reads.log),
    fetchZone: async () => ({ kind: 'missing' }),
    // Ends half a minute after a start, with the counties all prepared; polls go on for ever.
    warmsUp: false,
  });
  const storage = await createAlertStorage({ database, ...base, places, encodeAlert: createAlertEncoder(places), role: 'writer' });
  const answerOf = (body: Uint8Array | string) => new Response(body, { headers: { 'Content-Type': 'application/geo+json' } });
  /** What the network would have given: made before the clock runs, as wrapping three megabytes takes milliseconds of its own. */
  let active: Response | null = null;
  const ingest = createIngest({
    ...base,
    config: { feed: 'nws', baseUrl: 'http://127.0.0.1:1', contact: 'bench@example.org', pollSeconds: 600, frozenAfterSeconds: 600 },
    async fetch(url) {
      if (!url.includes('/alerts/active')) return answerOf('{"type":"FeatureCollection","features":[]}');
      if (!active || active.bodyUsed) throw new Error('the list was asked for twice in one poll');
      return active;
    },
    writer: storage.writer,
    store: createIngestStore(database.log),
    places,
  });
  const alerts = createAlerts({
    ...base,
    places,
    alertLog: storage.log,
    archive: storage.archive,
    boot: storage.boot,
    freshness: ingest.freshness,
  });
  await alerts.start();
  return {
    /** Time of one poll; throws when it did not store this many messages, for a list that is refused is judged in no time. */
    async poll(next: Buffer, expected: number): Promise<number> {
      active = answerOf(new Uint8Array(next));
      const before = ingest.metrics().stored;
      const from = performance.now();
      await ingest.pollOnce();
      // Published: the board has the rows.
      alerts.board.version();
      const tookMs = performance.now() - from;
      const { stored, polls } = ingest.metrics();
      if (stored - before !== expected) throw new Error(`stored ${stored - before} messages, not ${expected}: ${JSON.stringify(polls)}`);
      return tookMs;
    },
    async close() {
      await ingest.stop();
      await alerts.stop();
      await places.stop();
      await storage.close();
      await database.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A poll comes every 30 seconds for ever: what counts is how it runs once the compiler has seen it. */
const WARM_UP = 4;
const MEASURED = 11;

export const ingestSnapshot: Benchmark = {
  name: 'P7',
  what: 'one poll of a national list, from bytes to board, against JSON.parse of the same bytes',
  async run(context) {
    const figures = [];
    for (const count of context.quick ? [500] : [500, 1_000, 5_000]) {
      const { features, at } = nationalList(count);
      const pipeline = await openPipeline(at);
      const first = await pipeline.poll(bodyOf(features, at, 0), count);
      const changed: number[] = [];
      const unchanged: number[] = [];
      const yardsticks: number[] = [];
      let longestBlockMs = 0;
      for (let round = 1; round <= WARM_UP + MEASURED; round += 1) {
        const body = bodyOf(renewed(features, 0.1, round), at, round);
        // One for each poll: switched off and on again, it takes the time between for a block.
        const loop = monitorEventLoopDelay({ resolution: 1 });
        loop.enable();
        const changedMs = await pipeline.poll(body, Math.ceil(count / 10));
        loop.disable();
        const unchangedMs = await pipeline.poll(body, 0);
        if (round <= WARM_UP) continue;
        longestBlockMs = Math.max(longestBlockMs, loop.max / 1e6);
        changed.push(changedMs);
        unchanged.push(unchangedMs);
        yardsticks.push(await parseMs(body));
      }
      const yardstick = median(yardsticks);
      await pipeline.close();
      figures.push(
        figure({
          name: `P7 ${count} messages, a tenth of them new`,
          unit: 'ms',
          ours: median(changed),
          yardstick,
          target: { sign: '<=', ratio: 15 },
        }),
        figure({
          name: `P7 ${count} messages, unchanged`,
          unit: 'ms',
          ours: median(unchanged),
          yardstick,
          target: { sign: '<=', ratio: 2 },
        }),
        figure({ name: `P7 ${count} messages, all new (first poll)`, unit: 'ms', ours: first, yardstick, target: null }),
        figure({
          name: `P7 ${count} messages, longest block of the loop`,
          unit: 'ms',
          ours: longestBlockMs,
          yardstick: 50,
          target: { sign: '<=', ratio: 1 },
        }),
      );
    }
    return figures;
  },
};

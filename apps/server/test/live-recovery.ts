/** C1: the SDK's feed against a real server, through any plan of drops, restarts, forgotten history and commits; compared with what was committed. */
import { createLiveFeed, type LiveFeed, type SocketConstructor } from '@nwms/client';
import type { LiveAlert, LiveFilter } from '@nwms/contract';
import type { Kind } from '@nwms/domain';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { LogEntry } from '../src/features/alerts/types.ts';
import { startLiveServer, type LiveServer } from '../src/features/live/live-server.ts';
import { createMemoryWorld, type MemoryWorld, type Scripted } from '../src/features/live/memory-world.ts';

/** The feed's waits run this many times faster than written. */
const SPEED = 40;
const DEADLINE_MS = 20_000;
const KINDS: readonly Kind[] = ['revised', 'escalated', 'corrected', 'ended', 'cancelled', 'reconfirmed'];

/** mulberry32: a plan is a function of its seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface PlanResult {
  seed: number;
  committed: number;
  received: number;
  drops: number;
  /** Whole snapshots that came. */
  snapshots: number;
  /** Things done that may cost a reader its place, or a snapshot it was receiving. */
  disturbances: number;
  /** Empty when everything was as promised. */
  faults: string[];
}

interface Reader {
  feed: LiveFeed;
  /** What arrived, in order: entries by number, and snapshots with the number they stand at. */
  story: ({ seq: number } | { snapshotAt: number })[];
  /** Active alerts as this reader knows them. */
  active: Map<string, LiveAlert>;
  cut(): void;
}

const LIMITS = { perAddress: 1_000, attemptsPerMinute: 100_000, messagesPerSecond: 1_000, messageBurst: 1_000 };

/** One plan: `steps` random things happen, then everything must have arrived. */
export async function runPlan(seed: number, steps: number, perCommit = 12): Promise<PlanResult> {
  const random = seeded(seed);
  const world = createMemoryWorld();
  const port = await freePort();
  const history: LogEntry[] = [];
  world.log.onCommitted((batch) => void history.push(...batch.entries));
  let server = await start(world, port);
  const filter: LiveFilter | null = random() < 0.5 ? { severity: ['Extreme', 'Severe'] } : null;
  commit(world, random, 1 + Math.floor(random() * perCommit));
  const reader = openReader(server.url, filter, random);
  const result: PlanResult = { seed, committed: 0, received: 0, drops: 0, snapshots: 0, disturbances: 0, faults: [] };
  reader.feed.connect();
  await until(() => reader.feed.status().subscribed, 'the first subscription');
  for (let step = 0; step < steps; step += 1) {
    const dice = random();
    if (dice < 0.5) commit(world, random, 1 + Math.floor(random() * perCommit));
    else if (dice < 0.75) reader.cut();
    else if (dice < 0.8) world.prune(Math.max(0, world.log.latestSeq() - Math.floor(random() * 20)));
    else if (dice < 0.85) world.trouble({ delayMs: Math.floor(random() * 8) });
    else if (dice < 0.9) world.trouble({});
    else if (dice < 0.94) {
      // The process restarts; the log keeps its epoch.
      await server.close();
      server = await start(world, port);
    }
    if (dice >= 0.5 && dice < 0.75) result.drops += 1;
    if (dice >= 0.5 && dice < 0.94) result.disturbances += 1;
    await new Promise((done) => setTimeout(done, Math.floor(random() * 6)));
  }
  world.trouble({});
  const [marker] = world.commit({ eventId: 'marker', severity: 'Extreme' });
  await until(
    () => reader.story.some((part) => ('seq' in part ? part.seq : part.snapshotAt) >= (marker?.seq ?? 0)),
    `the end of plan ${seed}`,
  );
  reader.feed.disconnect();
  await server.close();
  result.committed = history.length;
  result.received = reader.story.filter((part) => 'seq' in part).length;
  result.snapshots = reader.story.filter((part) => 'snapshotAt' in part).length;
  result.faults = judge(reader, world, history, filter);
  if (result.snapshots > result.disturbances + 1)
    result.faults.push(`${result.snapshots} snapshots for ${result.disturbances} disturbances`);
  return result;
}

function start(world: MemoryWorld, port: number): Promise<LiveServer> {
  return startLiveServer({ world, port, config: { limits: LIMITS } });
}

/** One batch: each event at most once, so that what stood before is what the world holds now. */
function commit(world: MemoryWorld, random: () => number, most: number): void {
  const severities = ['Extreme', 'Severe', 'Moderate', 'Minor'] as const;
  const numbers = new Set(Array.from({ length: most }, () => Math.floor(random() * 40)));
  const scripts = [...numbers].map((number): Scripted => {
    const severity = severities[Math.floor(random() * severities.length)] as (typeof severities)[number];
    if (random() < 0.1) return { eventId: `T${number}`, severity, countable: false };
    const eventId = `E${number}`;
    const known = world.active().find((alert) => alert.event_id === eventId);
    if (!known) return { eventId, severity };
    return {
      eventId,
      kind: KINDS[Math.floor(random() * KINDS.length)] as Kind,
      severity,
      diff: { severity: { from: known.severity, to: severity } },
    };
  });
  world.commit(...scripts);
}

function openReader(url: string, filter: LiveFilter | null, random: () => number): Reader {
  let socket: WebSocket | null = null;
  class Cuttable extends WebSocket {
    constructor(address: string, protocols?: string[]) {
      super(address, protocols);
      // eslint-disable-next-line typescript/no-this-alias
      socket = this;
    }
  }
  const feed = createLiveFeed({
    url,
    filter,
    start: 'snapshot',
    random,
    WebSocket: Cuttable as unknown as SocketConstructor,
    clock: {
      now: () => Date.now(),
      after(delayMs, run) {
        const timer = setTimeout(run, delayMs / SPEED);
        return () => clearTimeout(timer);
      },
    },
  });
  const reader: Reader = { feed, story: [], active: new Map(), cut: () => socket?.terminate() };
  const wanted = (alert: LiveAlert) => alert.is_active && (!filter || ['Extreme', 'Severe'].includes(alert.severity));
  feed.onSnapshot(({ alerts, cursor }) => {
    reader.story.push({ snapshotAt: Number(cursor.split(':')[1]) });
    reader.active = new Map(alerts.map((alert) => [alert.event_id, alert]));
  });
  feed.onMessage((message) => {
    if (message.type !== 'alert' && message.type !== 'update') return;
    const alert = message.type === 'alert' ? message.alert : message.update.alert;
    reader.story.push({ seq: message.seq });
    if (wanted(alert)) reader.active.set(alert.event_id, alert);
    else reader.active.delete(alert.event_id);
  });
  return reader;
}

/** Between two snapshots: exactly the entries that pass, each once, in order, from the first to the last that came. */
function judge(reader: Reader, world: MemoryWorld, history: readonly LogEntry[], filter: LiveFilter | null): string[] {
  const faults: string[] = [];
  const passing = passingSeqs(history, filter);
  let from: number | null = null;
  let segment: number[] = [];
  const close = (): void => {
    const last = segment.at(-1);
    if (from === null || last === undefined) return;
    const start = from;
    const expected = passing.filter((seq) => seq > start && seq <= last);
    if (expected.join() !== segment.join()) faults.push(`after ${start}: expected ${expected.join()}; got ${segment.join()}`);
  };
  for (const part of reader.story) {
    if ('seq' in part) {
      segment.push(part.seq);
      continue;
    }
    close();
    from = part.snapshotAt;
    segment = [];
  }
  close();
  const known = [...reader.active.values()].map((alert) => `${alert.event_id} v${alert.version}`).sort();
  const truth = world
    .active()
    .filter((alert) => !alert.event_id.startsWith('T') && (!filter || ['Extreme', 'Severe'].includes(alert.severity)))
    .map((alert) => `${alert.event_id} v${alert.version}`)
    .sort();
  const seen = known.filter((text) => !text.startsWith('T'));
  if (seen.join() !== truth.join()) faults.push(`active: expected ${truth.join()}; got ${seen.join()}`);
  return faults;
}

/** The oracle's own reading of LV12 and LV21: countable, and the version before or after matches. It looks at entries, never at diffs. */
function passingSeqs(history: readonly LogEntry[], filter: LiveFilter | null): number[] {
  const matched = new Map<string, boolean>();
  return history
    .filter((entry) => {
      const { severity } = JSON.parse(entry.alertJson) as LiveAlert;
      const after = !filter || severity === 'Extreme' || severity === 'Severe';
      const before = entry.kind !== 'issued' && matched.get(entry.eventId) === true;
      matched.set(entry.eventId, after);
      return entry.countable && (after || before);
    })
    .map((entry) => entry.seq);
}

export async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await new Promise((done) => setTimeout(done, 2));
  }
}

/** A port that stays the same over restarts. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((done) => probe.close(() => done()));
  return port;
}

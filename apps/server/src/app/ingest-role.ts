import type { AlertStorage } from '../features/alerts/index.ts';
import type { Ingest, IngestFollower } from '../features/ingest/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface IngestRoleDeps {
  clock: Clock;
  log: Log;
  storage: Pick<AlertStorage, 'lead' | 'follow' | 'resign' | 'isLeading' | 'isTaken'>;
  /** False for processes that only ever follow. */
  mayIngest: boolean;
  /** A fresh collector for every time this process becomes the one that collects. */
  createIngest(): Ingest;
  follower: IngestFollower;
  /** Takes over what the collecting process learned besides alerts: zone shapes. */
  refreshPlaces(): Promise<void>;
  breakWriterLock(): Promise<void>;
}

/** Collects alerts when no other process of this database does, follows otherwise, and changes over by itself. */
export interface IngestRole extends Pick<IngestFollower, 'freshness' | 'upstream' | 'covered' | 'coveredSpans'> {
  start(): Promise<void>;
  stop(): Promise<void>;
  isLeading(): boolean;
  /** Of this process; zeros while it follows. */
  metrics(): ReturnType<Ingest['metrics']>;
}

const COLLECTS = 'This process collects alerts now';
const LOOK_MS = 1_000;
/** A follower looks for new zone shapes every so many looks. */
const PLACES_EVERY_LOOKS = 2;
/** A collector that holds the right without a sign of life for this long is stuck: it loses the right. Longer than any pause we know of. */
const STUCK_AFTER_MS = 20_000;
const NO_METRICS: ReturnType<Ingest['metrics']> = {
  polls: [],
  quarantined: [],
  stored: 0,
  histories: { done: 0, failed: 0 },
  clock: { suspectedJumpMs: 0, upstreamSkewMs: null, jumps: 0 },
  lastRoundMs: null,
};

export function createIngestRole(deps: IngestRoleDeps): IngestRole {
  const { clock, log, storage, follower } = deps;
  let ingest: Ingest | null = null;
  let cancel = () => {};
  let stopped = false;
  let looking: Promise<void> = Promise.resolve();
  let looks = 0;

  const beginToLead = async () => {
    const started = deps.createIngest();
    await started.start();
    ingest = started;
  };
  const stepDown = async (why: string) => {
    log.warn({ why }, 'This process no longer collects alerts; it follows');
    const old = ingest;
    // What the successor tells holds from here on.
    await follower.start();
    ingest = null;
    await old?.stop();
    await storage.follow();
  };
  const tryToLead = async () => {
    if (follower.silentForMs() > STUCK_AFTER_MS) {
      log.warn({}, 'The collecting process gives no sign of life; its right to write is taken away');
      await deps.breakWriterLock();
    }
    if (!(await storage.lead())) return;
    try {
      await beginToLead();
    } catch (error) {
      await storage.follow();
      throw error;
    }
    await follower.stop();
    log.info({}, COLLECTS);
  };
  const look = async () => {
    looks += 1;
    if (ingest) {
      if (storage.isTaken()) await stepDown('another process has the right to write');
      return;
    }
    if (looks % PLACES_EVERY_LOOKS === 0) await deps.refreshPlaces();
    if (deps.mayIngest) await tryToLead();
  };
  const lookAndGoOn = async () => {
    // A database that is away is told by freshness and health; here it only means: not now.
    await look().catch((error: unknown) => log.debug({ err: error }, 'The right to write could not be looked at'));
    if (!stopped) cancel = clock.after(LOOK_MS, () => (looking = lookAndGoOn()));
  };
  const current = () => ingest ?? follower;
  return {
    async start() {
      if (storage.isLeading()) {
        await beginToLead();
        log.info({}, COLLECTS);
      } else await follower.start();
      cancel = clock.after(LOOK_MS, () => (looking = lookAndGoOn()));
    },
    async stop() {
      stopped = true;
      cancel();
      await looking;
      await ingest?.stop();
      await follower.stop();
      // At once rather than with the rest: a process that stands by takes over while this one still ends its connections.
      await storage.resign();
    },
    isLeading: () => ingest !== null,
    freshness: () => current().freshness(),
    upstream: () => current().upstream(),
    covered: (from, to, known) => current().covered(from, to, known),
    coveredSpans: (from, to, known) => current().coveredSpans(from, to, known),
    metrics: () => ingest?.metrics() ?? NO_METRICS,
  };
}

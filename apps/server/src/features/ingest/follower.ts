import type { Freshness, UpstreamHealth } from '@nwms/contract';
import type { Log } from '../../platform/log.ts';
import { every } from '../../platform/jobs/every.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import { createCovered, createCoveredSpans, type Covered, type CoveredSpans } from './covered.ts';
import { createFreshness } from './freshness.ts';
import type { FreshnessFacts } from './state.ts';
import type { IngestConfig, IngestStatus, IngestStatusStore, IngestStore } from './types.ts';
import { createUpstreamRecord } from './upstream-record.ts';

export interface IngestFollowerDeps {
  config: IngestConfig;
  clock: SteadyClock;
  log: Log;
  random: () => number;
  store: IngestStore;
  statuses: IngestStatusStore;
  /** Number of the newest log entry this process answers from. */
  latestSeq(): number;
}

/** Freshness, gaps and upstream health in a process that does not poll: what the ingesting process told, never younger. */
export interface IngestFollower {
  /** Resolves after a first look; a database that is away leaves everything unknown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  freshness(): Freshness;
  upstream(): UpstreamHealth;
  covered: Covered;
  coveredSpans: CoveredSpans;
  /** How long the ingesting process has given no sign of life, in ms; 0 while the database could not be asked, which says nothing about it. */
  silentForMs(): number;
}

const LOOK_MS = 1_000;
/** Counts and gaps for the health page. */
const RECORD_EVERY_LOOKS = 10;
const NOTHING: FreshnessFacts = { lastAcceptedAt: null, lastChangeAt: null, cause: 'starting' };
const NO_DELAYS: IngestStatus['seenDelays'] = { p50: null, p90: null, p99: null, n: 0 };

export function createIngestFollower(deps: IngestFollowerDeps): IngestFollower {
  const { config, clock, store } = deps;
  /** What may be said: its entries are all here. */
  let shown: IngestStatus | null = null;
  let shownSinceMs = 0;
  /** Told by the ingesting process, and ahead of our log. */
  let ahead: IngestStatus | null = null;
  let lastBeat = { text: '', atMs: clock.monotonicMs() };
  let askedAtMs: number | null = null;
  let looks = 0;

  const facts = (): FreshnessFacts => shown ?? NOTHING;
  const show = (status: IngestStatus) => {
    if (status.lastAcceptedAt !== shown?.lastAcceptedAt) shownSinceMs = clock.monotonicMs();
    shown = status;
  };
  const look = async () => {
    const told = await deps.statuses.read();
    const nowMs = clock.monotonicMs();
    askedAtMs = nowMs;
    const beat = told ? `${told.term}:${told.beat}` : '';
    if (beat !== lastBeat.text) lastBeat = { text: beat, atMs: nowMs };
    const here = deps.latestSeq();
    // The list of this process may lag behind: until its entries are here, an older "as of" is the true one.
    if (told && told.status.latestSeq <= here) show(told.status);
    else if (ahead && ahead.latestSeq <= here) show(ahead);
    ahead = told && told.status.latestSeq > here ? told.status : null;
    if (looks++ % RECORD_EVERY_LOOKS === 0) await record.refresh();
  };
  const seenDelays = { summary: () => shown?.seenDelays ?? NO_DELAYS };
  const record = createUpstreamRecord({ config, clock, store, state: { facts }, seenDelays });
  const coverage = { clock, store, lastAcceptedAt: () => facts().lastAcceptedAt, pollSeconds: config.pollSeconds };
  const job = every(deps, { name: 'follow-ingest', intervalMs: LOOK_MS, run: async () => (await look(), { kind: 'ok' }) });
  const latestNow = () => {
    // A clock of ours that lags behind the other host's must not make old data young: what stands still here ages by our own count.
    const { lastAcceptedAt } = facts();
    const floor = lastAcceptedAt === null ? 0 : lastAcceptedAt + Math.round(clock.monotonicMs() - shownSinceMs);
    return Math.max(clock.latestNow(), floor);
  };
  const freshness = createFreshness(config, { facts }, { latestNow });
  return {
    async start() {
      lastBeat = { text: '', atMs: clock.monotonicMs() };
      await look().catch((error: unknown) => deps.log.warn({ err: error }, 'What the ingesting process knows could not be read'));
      job.start();
    },
    stop: () => job.stop(),
    freshness,
    upstream: () => record.read(),
    covered: createCovered(coverage),
    coveredSpans: createCoveredSpans(coverage),
    silentForMs() {
      const nowMs = clock.monotonicMs();
      const asksWell = askedAtMs !== null && nowMs - askedAtMs < 3 * LOOK_MS;
      return asksWell ? nowMs - lastBeat.atMs : 0;
    },
  };
}

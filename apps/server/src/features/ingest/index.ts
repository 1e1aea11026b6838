import type { Freshness, UpstreamHealth } from '@nwms/contract';
import type { Source } from '@nwms/domain';
import { every, type RunResult } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import { createOutbound, type FetchFunction } from '../../platform/outbound.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { AlertWriter } from '../alerts/types.ts';
import type { Places } from '../places/types.ts';
import { createApply } from './apply.ts';
import { createClockwork } from './clockwork.ts';
import { type Covered, type CoveredSpans, createCovered, createCoveredSpans } from './covered.ts';
import { createFreshness } from './freshness.ts';
import { createHistories } from './history.ts';
import { createRounds } from './poll.ts';
import { createPastWeek } from './past-week.ts';
import { createQuarantine } from './quarantine.ts';
import { createSeenDelays } from './seen-delays.ts';
import { createIngestState } from './state.ts';
import { createTurns } from './turns.ts';
import type { IngestConfig, IngestMetrics, IngestStore } from './types.ts';
import { createShareStatus, type Sharing } from './share-status.ts';
import { createUpstreamRecord } from './upstream-record.ts';

export { createIngestFollower, type IngestFollower } from './follower.ts';
export { collectPast, type KnownWorld } from './collect-past.ts';
export { createIngestStore } from './store.ts';
export { createIngestStatusStore } from './store-status.ts';
export type { Covered, CoveredSpans } from './covered.ts';

export interface IngestDeps {
  config: IngestConfig;
  /** Shared by every slice: all must agree about a wall clock that jumped (I7). */
  clock: SteadyClock;
  log: Log;
  fetch: FetchFunction;
  /** 0 to 1. */
  random: () => number;
  writer: AlertWriter;
  store: IngestStore;
  places: Pick<Places, 'ensure' | 'onLoaded'>;
  /** Set where other processes follow this one. */
  sharing?: Sharing;
}

export interface Ingest {
  /** Restores what is known from the store and begins to poll. Rejects when the store cannot be read. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One round now, or the one under way. */
  pollOnce(): Promise<RunResult>;
  /** From memory, exact at the instant of the call. */
  freshness(): Freshness;
  /** From memory, at most a minute old. */
  upstream(): UpstreamHealth;
  metrics(): IngestMetrics;
  /** Was the whole of [from, to] observed, or filled afterwards? */
  covered: Covered;
  /** Which parts of it were. */
  coveredSpans: CoveredSpans;
  /** Called when status or reason changed. Returns the way to stop it. */
  onFreshness(listener: (freshness: Freshness) => void): () => void;
}

const LOOK_MS = 1_000;
const REFRESH_MS = 60_000;
/** After a failed poll: 10 s at least, 50 s at most, so that what was missed is here within a minute of upstream's return (A2). */
const BACKOFF_FLOOR_MS = 10_000;
const BACKOFF_FIRST_MS = 10_000;
const BACKOFF_CAP_MS = 50_000;
/** A block lasts seconds (trap 35); whatever Retry-After says, we look again after ten minutes. */
const RETRY_AFTER_CAP_MS = 600_000;

const SOURCES: Record<IngestConfig['feed'], Source> = { nws: 'nws', simulator: 'simulator', replay: 'replay' };

/** Polls one feed into the log: nothing lost, nothing invented (A1 to A7). */
export function createIngest(deps: IngestDeps): Ingest {
  const { config, clock, log, store, places } = deps;
  const source = SOURCES[config.feed];
  const outbound = createOutbound(deps, {
    origin: config.baseUrl,
    userAgent: `NWMS/0.1 (${config.contact})`,
    accept: 'application/geo+json',
  });
  const inTurn = createTurns();
  const polls = new Map<string, number>();
  let stored = 0;
  let lastRoundMs: number | null = null;
  let recorded: Promise<void> = Promise.resolve();

  const state = createIngestState(deps);
  const seenDelays = createSeenDelays();
  const quarantine = createQuarantine({ store, log });
  const histories = createHistories({ source, clock, log, outbound, coverage: state.coverage, quarantine });
  const apply = createApply({ source, writer: deps.writer, inTurn, countStored: (count) => void (stored += count) });
  const pastWeek = createPastWeek({ config, clock, log, outbound, store, apply, quarantine });
  const count = (result: string) => void polls.set(result, (polls.get(result) ?? 0) + 1);
  const rounds = createRounds({ ...deps, source, outbound, state, apply, histories, quarantine, seenDelays, count });
  const clockwork = createClockwork({ clock, log, writer: deps.writer, inTurn, state, places });
  const record = createUpstreamRecord({ config, clock, store, state, seenDelays });

  const share = createShareStatus({ clock, state, seenDelays, sharing: deps.sharing ?? null });

  const freshness = createFreshness(config, state, clock);
  const coverage = { clock, store, lastAcceptedAt: () => state.facts().lastAcceptedAt, pollSeconds: config.pollSeconds };
  const listeners = new Set<(freshness: Freshness) => void>();
  let told = '';
  const tellFreshness = () => {
    const current = freshness();
    const word = `${current.status} ${current.reason}`;
    if (word === told) return;
    told = word;
    log.info({ status: current.status, reason: current.reason, dataAsOf: current.data_as_of }, 'Freshness changed');
    for (const listener of listeners) listener(current);
  };

  const poll = every(deps, {
    name: 'poll',
    intervalMs: config.pollSeconds * 1_000,
    jitterShare: 0.02,
    backoff: {
      floorMs: Math.min(BACKOFF_FLOOR_MS, config.pollSeconds * 1_000),
      firstMs: BACKOFF_FIRST_MS,
      capMs: Math.max(BACKOFF_CAP_MS, config.pollSeconds * 1_000),
      retryAfterCapMs: RETRY_AFTER_CAP_MS,
    },
    run: async (signal) => {
      const startedMs = clock.monotonicMs();
      const result = await rounds.run(signal);
      lastRoundMs = clock.monotonicMs() - startedMs;
      tellFreshness();
      await share();
      if (result.kind === 'ok' && state.facts().cause === null) await pastWeek.step(rounds.listed(), signal);
      // Not waited for: the next poll does not depend on it. A record that cannot be read stays as it was; the minute's refresh reports the fault.
      recorded = record.refresh().catch(() => undefined);
      return result;
    },
  });
  const look = every(deps, {
    name: 'clockwork',
    intervalMs: LOOK_MS,
    run: async () => (await clockwork.look(), tellFreshness(), await share(), { kind: 'ok' }),
  });
  const refresh = every(deps, {
    name: 'upstream-record',
    intervalMs: REFRESH_MS,
    run: async () => (await record.refresh(), { kind: 'ok' }),
  });

  return {
    async start() {
      await state.restore();
      await pastWeek.restore();
      tellFreshness();
      for (const job of [look, poll, refresh]) job.start();
    },
    async stop() {
      clockwork.stop();
      await Promise.all([look, poll, refresh].map((job) => job.stop()));
      await recorded;
      await inTurn(async () => {});
    },
    pollOnce: () => poll.runNow(),
    freshness,
    upstream: () => record.read(),
    metrics: () => ({
      polls: [...polls].map(([result, n]) => ({ result, count: n })),
      quarantined: quarantine.counts(),
      stored,
      histories: histories.counts(),
      clock: clock.state(),
      lastRoundMs,
    }),
    covered: createCovered(coverage),
    coveredSpans: createCoveredSpans(coverage),
    onFreshness(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

import { MINUTE_MS, startOfDay, startOfMinute, type InsightLimits } from '@nwms/domain';
import { createBoundedCache } from '../../platform/bounded-cache.ts';
import type { AddressHash } from '../../platform/address-hash.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { createUpkeepJobs } from '../../platform/jobs/upkeep.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditWriter } from '../audit/index.ts';
import { type AccountFigures, createAccountFigures } from './accounts.ts';
import { createAccountReads } from './store-accounts.ts';
import { ACTIVE_MS } from './active.ts';
import type { FigureDeps } from './answer.ts';
import { createCompactor } from './store-compact.ts';
import { createCountryNames } from './geographic.ts';
import { askFigures } from './figures.ts';
import { createIdentify } from './identify.ts';
import { createInsightAlerts, type InsightAlertDeps } from './insight-alerts.ts';
import type { InsightDeps } from './insights.ts';
import type { Locator } from './locate.ts';
import { askLoads, askPeople } from './people.ts';
import { Recent, RECENT_MINUTES } from './recent.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { expireUsage } from './store-retention.ts';
import { registerUsageRoutes } from './routes.ts';
import { createUsageReads, markBegin, type UsageReads } from './store-read.ts';
import { createTallyReads } from './store-tallies.ts';
import { createRequestReads } from './store-requests.ts';
import { createVisitorReads } from './store-visitors.ts';
import { namedAccounts, unlink } from './store-gone.ts';
import { createUsageWriter } from './store-write.ts';
import { createTurns } from './turns.ts';
import { MINUTE, type CounterName } from './types.ts';

export type { AccountFigures } from './accounts.ts';
export { countryOf, createLocator, nowhere, type Locator } from './locate.ts';
export type { CounterName, FinishedRequest } from './types.ts';

export interface UsageDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  addressHash: AddressHash;
  locator: Locator;
  audit: AuditWriter;
  /** Thresholds an administrator may change. */
  limits(): InsightLimits;
  /** Accounts that are gone have none. */
  usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  freshness: InsightAlertDeps['freshness'];
  databaseAway(): boolean;
  inFlight(): number;
  liveConnections(): { websocket: number; sse: number };
  /** Route templates the API serves. */
  templates: number;
  /** Things beside requests that something of this product counts. */
  counted: ReadonlySet<CounterName>;
  /** What other slices know, as they come. */
  quotas?: InsightAlertDeps['quotas'];
  idleKeys?: InsightDeps['idleKeys'];
}

/** Who uses the API how: recorded request by request, rolled up, and read by administrators. */
export interface Usage extends Pick<Recorder, 'record' | 'count' | 'losses' | 'waiting' | 'flush'> {
  registerRoutes(serve: Serve): void;
  readonly accounts: AccountFigures;
  /** Requests of this UTC day, from memory; null while what was recorded before this start is not read yet. */
  requestsToday(): number | null;
  /** An account is gone: its records stay as figures of nobody in particular. */
  forget(userId: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One round of the roll-ups, and of the removals. For tests and tools. */
  compactNow(): Promise<number>;
  expireNow(): Promise<number>;
}

/** A server that starts has better things to do. */
const JOBS_AFTER_MS = 15_000;
const COMPACT_EVERY_MS = 60_000;
const EXPIRE_EVERY_MS = 3_600_000;
/** What answers are made of and seldom changes, in memory: 20,000 visitors over some windows take 20 MB. */
const KEPT_BYTES = 48 * 1024 * 1024;
/** Accounts of which one look-up asks whether they are there. */
const ACCOUNTS_AT_ONCE = 200;
/** Minutes of other processes are read so often, and so far back. */
const FOLLOW_EVERY_MS = 5_000;
const FOLLOWED_MINUTES = 4;
/** Who is active there: all that a batch that was written in time can hold. */
const FOLLOWED_ACTIVE_MS = 15_000;

export function createUsage(deps: UsageDeps): Usage {
  const { database, clock, log } = deps;
  const recent = new Recent(clock);
  const recorder = createRecorder({
    clock,
    log,
    writer: createUsageWriter(database, createTurns(clock)),
    identify: createIdentify(deps),
    seen({ rows, bundles }) {
      recent.add(bundles);
      recent.active.addTimes(rows);
    },
  });
  const reads = createUsageReads(database);
  const visitors = createVisitorReads(database);
  const kept = { ...createBoundedCache<unknown>(KEPT_BYTES), nowMs: () => clock.monotonicMs() };
  const tallies = createTallyReads(database);
  const figures: FigureDeps['figures'] = (question, breathe) => askFigures({ tallies, kept, now: () => clock.now() }, question, breathe);
  const droppedLastHour = () => recorder.losses().lastHour;
  const alerts = createInsightAlerts({ ...deps, recent, reads, droppedLastHour });
  const compactor = createCompactor({ database, clock });
  const idle = new AbortController();
  /** Accounts whose removal was not heard of here: a kill right after it, a database that was away. */
  const forgetRemoved = async (signal: AbortSignal) => {
    for await (const ids of namedAccounts(database, ACCOUNTS_AT_ONCE)) {
      const there = await deps.usernamesOf(ids);
      for (const id of ids) if (!signal.aborted && !there.has(id)) await unlink(database, id, clock.now());
      if (signal.aborted) return;
    }
  };
  const expire = async (signal: AbortSignal) => {
    await deps.addressHash.renew();
    await forgetRemoved(signal);
    return expireUsage(database, clock.now(), signal);
  };
  const jobs = createUpkeepJobs(deps, [
    { name: 'usage roll-ups', intervalMs: COMPACT_EVERY_MS, work: (signal) => compactor.run(signal) },
    { name: 'usage retention', intervalMs: EXPIRE_EVERY_MS, work: expire },
    { name: 'usage alerts', intervalMs: MINUTE_MS, work: () => alerts.check() },
    // On an embedded database nobody else writes.
    ...(database.engine.kind === 'sqlite'
      ? []
      : [{ name: 'usage of other processes', intervalMs: FOLLOW_EVERY_MS, work: () => follow(FOLLOWED_MINUTES, FOLLOWED_ACTIVE_MS) }]),
  ]);
  let cancelStart = () => {};
  let hasPast = false;
  const requests = createRequestReads(database);
  const follow = async (minutes: number, activeMs: number) => {
    const from = startOfMinute(clock.now()) - minutes * MINUTE_MS;
    const second = Math.floor((clock.now() - activeMs) / 1_000);
    const [rows, active] = await Promise.all([
      minutesOfOthers(reads, recorder.name, from),
      requests.activeElsewhere(second * 1_000, recorder.name),
    ]);
    recent.take(rows, from);
    recent.active.take(active, second);
  };
  return {
    record: (request) => recorder.record(request),
    count: (name, count) => recorder.count(name, count),
    losses: () => recorder.losses(),
    waiting: () => recorder.waiting(),
    flush: () => recorder.flush(),
    registerRoutes(serve) {
      registerUsageRoutes(serve, {
        ...deps,
        reads,
        recent,
        alerts,
        figures,
        visitors,
        people: (asked) => askPeople({ visitors, kept }, asked, asked.breathe),
        loads: (asked) => askLoads({ visitors, kept }, asked, asked.breathe),
        requests,
        countryName: createCountryNames(),
        droppedLastHour,
        // There is nothing to deliver yet.
        deliveryBacklog: () => false,
      });
    },
    accounts: createAccountFigures({ clock, figures, accounts: createAccountReads(database) }),
    requestsToday: () => (hasPast ? recent.requestsFrom(startOfDay(clock.now())) : null),
    async forget(userId) {
      await unlink(database, userId, clock.now());
    },
    async start() {
      await markBegin(database, clock.now());
      // What was written before a restart; the first answers do not wait for it.
      void follow(RECENT_MINUTES, ACTIVE_MS)
        .then(() => (hasPast = true))
        .catch((error: unknown) => log.warn({ err: error }, 'Minutes before the restart could not be read'));
      // Nothing that a first answer needs.
      cancelStart = clock.after(JOBS_AFTER_MS, () => jobs.start());
    },
    async stop() {
      cancelStart();
      await jobs.stop();
      await recorder.stop();
    },
    compactNow: () => compactor.run(idle.signal),
    expireNow: () => expire(idle.signal),
  };
}

/** Minutes from `from` on that this start of this process did not write. */
async function minutesOfOthers(reads: UsageReads, own: string, from: number) {
  const rows = await reads.rollups({
    parts: [{ kinds: ['all', 'endpoint', 'country'], segments: [{ size: MINUTE, open: false, from, to: Number.MAX_SAFE_INTEGER }] }],
    principal: null,
    columns: ['part', 'requests', 'errors', 'server_errors', 'timed', 'ms', 'sketch', 'addresses', 'addresses_next'],
  });
  return rows.filter((row) => !row.part?.startsWith(own));
}

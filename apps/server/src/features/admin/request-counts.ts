import type { UserFigures } from '../auth/index.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { Part } from '../../platform/db/types.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import { dayOf, GONE, monthOf, type CallerKind, type RequestTotalsStore, type Tally } from './totals.ts';

/**
 * Requests per account and kind of caller, for the figures of accounts and the dashboard. A request costs one map entry; rows are written
 * in batches. Stands in until usage is recorded request by request (issue 5): then the same figures come from those records and from
 * the quota counters, and this file, its store and its table go.
 */
export interface RequestCounts {
  /** Counts one finished request. Never waits, never throws. */
  record(principal: Principal): void;
  /** Figures of accounts, what is not yet written included. */
  figuresOf(userIds: readonly string[]): Promise<ReadonlyMap<string, UserFigures>>;
  today(): Promise<Record<CallerKind, number>>;
  /** Distinct accounts with a request at or after `since`. */
  activeSince(since: number): Promise<number>;
  /** Requests with keys of the accounts there are, all time. */
  keyRequests(): Promise<number>;
  /** Of one account in the running UTC minute, in this process. */
  thisMinute(userId: string): { key: number; session: number };
  /** An account is gone: its rows keep their figures under an id that leads nowhere. In the transaction of the removal. */
  unlink(userId: string, transaction: Part): Promise<void>;
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const FLUSH_MS = 2_000;
/** Accounts with unwritten counts kept while the database is away; further ones are dropped and said in the log. */
const MAX_PENDING = 50_000;

export interface RequestCountDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  store: RequestTotalsStore;
}

export function createRequestCounts(deps: RequestCountDeps): RequestCounts {
  const { clock, store, log } = deps;
  let pending = new Map<string, Tally>();
  let dropped = 0;
  let running = { minute: 0, calls: new Map<string, number>() };
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await store.add([...batch.values()]);
    } catch (error) {
      for (const tally of batch.values()) add(tally);
      throw error;
    }
  };
  const add = (tally: Tally) => {
    const key = `${tally.kind} ${tally.day} ${tally.userId}`;
    const found = pending.get(key);
    if (found) {
      found.requests += tally.requests;
      found.lastAt = Math.max(found.lastAt, tally.lastAt);
    } else if (pending.size < MAX_PENDING) pending.set(key, tally);
    else dropped += tally.requests;
  };
  const flush = () => {
    // One after the other: two batches at once would lock the same rows in either order.
    writing = writing.then(write, write);
    return writing;
  };
  const job = every(deps, {
    name: 'request counts',
    intervalMs: FLUSH_MS,
    run: async () => {
      // A database that is away is told by health; the counts wait.
      await flush().catch(() => {});
      if (dropped > 0) log.warn({ dropped }, 'Requests were not counted: too many accounts while the database was away');
      dropped = 0;
      return { kind: 'ok' };
    },
  });
  const expiry = every(deps, {
    name: 'request counts retention',
    intervalMs: 6 * 3_600_000,
    run: async () => {
      await store.expire(clock.now());
      return { kind: 'ok' };
    },
  });

  return {
    record(principal) {
      const now = clock.now();
      const userId = principal.type === 'anonymous' ? '' : principal.account.id;
      add({ userId, kind: principal.type, day: dayOf(now), requests: 1, lastAt: now });
      if (userId === '') return;
      const minute = Math.floor(now / 60_000);
      if (minute !== running.minute) running = { minute, calls: new Map() };
      const key = `${principal.type} ${userId}`;
      running.calls.set(key, (running.calls.get(key) ?? 0) + 1);
    },
    thisMinute(userId) {
      const isNow = running.minute === Math.floor(clock.now() / 60_000);
      const of = (kind: CallerKind) => (isNow ? (running.calls.get(`${kind} ${userId}`) ?? 0) : 0);
      return { key: of('key'), session: of('session') };
    },
    async keyRequests() {
      await flush();
      return store.keyRequests();
    },
    async unlink(userId, transaction) {
      for (const [key, tally] of pending) if (tally.userId === userId) pending.delete(key);
      await store.rename(userId, `${GONE}${randomBase32()}`, transaction);
    },
    async figuresOf(userIds) {
      await flush();
      const now = clock.now();
      return store.figures(userIds, dayOf(now), monthOf(now));
    },
    async today() {
      await flush();
      return store.sums(dayOf(clock.now()));
    },
    async activeSince(since) {
      await flush();
      return store.activeSince(since);
    },
    flush,
    start() {
      job.start();
      expiry.start();
    },
    async stop() {
      await job.stop();
      await expiry.stop();
      await flush().catch(() => {});
    },
  };
}

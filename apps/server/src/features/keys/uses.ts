import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import { type CountryOf, deviceOf } from '../auth/index.ts';
import type { UseRows } from './store-uses.ts';
import type { KeyMinute, KeyUse } from './types.ts';

/** Numbers of requests are at most this old elsewhere. */
const FLUSH_MS = 1_000;
/** When and from where a key was last used is written at most this often per key. */
const LAST_USE_EVERY_MS = 10_000;
/** Minutes are kept for the longest question, and a little. */
const KEPT_MINUTES = 1_440 + 60;
/** Distinct keys, minutes and endpoints that wait while the database is away; further ones are dropped. */
const MAX_WAITING = 50_000;
const MINUTE_MS = 60_000;

export interface KeyUses {
  /** Watches answers for requests with keys. */
  observe(app: FastifyInstance): void;
  record(use: { keyId: string; endpoint: string; isRefused: boolean; agent: string | null; address: string }): void;
  /** Requests of a key that are not written yet, with their last. */
  waitingOf(keyId: string): { requests: number; lastAt: number | null; agent: string | null; country: string | null };
  /** Every minute from `fromMinute` on, what waits included. */
  minutesOf(keyId: string, fromMinute: number): Promise<KeyMinute[]>;
  flush(): Promise<void>;
  /** The write under way is over: what it took stands neither in its row nor among what waits. */
  settled(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** `address` in clear, in memory only: while it stays the same nobody looks again where it is. */
interface LastUse {
  at: number;
  agent: string | null;
  address: string;
  country: string | null;
  isWritten: boolean;
}

export interface KeyUsesDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  database: Database;
  countryOf: CountryOf;
  rows: UseRows;
}

/** What keys are used for: counted in memory, written in batches beside the requests. */
export function createKeyUses(deps: KeyUsesDeps): KeyUses {
  const { clock, database, rows } = deps;
  let requests = new Map<string, number>();
  let minutes = new Map<string, KeyMinute>();
  const lasts = new Map<string, LastUse>();
  const writtenMs = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  const addMinute = (one: KeyMinute) => {
    const name = `${one.keyId} ${one.minute} ${one.endpoint}`;
    const found = minutes.get(name);
    if (found) {
      found.allowed += one.allowed;
      found.refused += one.refused;
    } else if (minutes.size < MAX_WAITING) minutes.set(name, { ...one });
  };
  const addRequests = (keyId: string, n: number) => requests.set(keyId, (requests.get(keyId) ?? 0) + n);

  const locate = (keyId: string, address: string): void => {
    const found = (country: string | null) => {
      const last = lasts.get(keyId);
      if (last?.address !== address) return;
      last.country = country;
      // What was written meanwhile did not know it yet.
      if (country !== null) last.isWritten = false;
    };
    const country = deps.countryOf(address.replace('/64', ''));
    if (country instanceof Promise) void country.then(found);
    else found(country);
  };

  const write = async (isLast: boolean): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const isDue = (keyId: string) => isLast || nowMs - (writtenMs.get(keyId) ?? -Infinity) >= LAST_USE_EVERY_MS;
    const due = [...lasts].filter(([keyId, last]) => !last.isWritten && isDue(keyId));
    if (requests.size === 0 && minutes.size === 0 && due.length === 0) return;
    const [countsNow, minutesNow] = [requests, minutes];
    requests = new Map();
    minutes = new Map();
    const dueIds = new Map(due);
    const uses = [...new Set([...countsNow.keys(), ...dueIds.keys()])].map((keyId): KeyUse => ({
      keyId,
      requests: countsNow.get(keyId) ?? 0,
      lastAt: dueIds.get(keyId)?.at ?? null,
      agent: dueIds.get(keyId)?.agent ?? null,
      country: dueIds.get(keyId)?.country ?? null,
    }));
    try {
      await database.app.transaction().execute(async (part) => {
        await rows.addUses(part, uses);
        await rows.addMinutes(part, [...minutesNow.values()]);
      });
    } catch (error) {
      for (const [keyId, n] of countsNow) addRequests(keyId, n);
      for (const one of minutesNow.values()) addMinute(one);
      throw error;
    }
    for (const [keyId, { at }] of due) {
      writtenMs.set(keyId, nowMs);
      const last = lasts.get(keyId);
      if (last?.at === at) last.isWritten = true;
    }
    for (const [keyId, last] of lasts) {
      if (last.isWritten && nowMs - (writtenMs.get(keyId) ?? 0) > LAST_USE_EVERY_MS) {
        lasts.delete(keyId);
        writtenMs.delete(keyId);
      }
    }
  };
  const flush = (isLast = false) => {
    const writeNow = () => write(isLast);
    // One after the other: two batches at once would lock the same rows in either order.
    writing = writing.then(writeNow, writeNow);
    return writing;
  };
  const job = every(deps, {
    name: 'uses of keys',
    intervalMs: FLUSH_MS,
    run: async () => {
      // A database that is away is told by health; the counts wait.
      await flush().catch(() => {});
      return { kind: 'ok' };
    },
  });
  const expiry = every(deps, {
    name: 'minutes of keys',
    intervalMs: 3_600_000,
    run: async () => {
      await rows.removeMinutesBefore(database.app, Math.floor(clock.now() / MINUTE_MS) - KEPT_MINUTES);
      return { kind: 'ok' };
    },
  });

  const uses: KeyUses = {
    observe(app) {
      app.addHook('onResponse', (request, _reply, done) => {
        const { metered } = request;
        const { spec } = request.routeOptions.config;
        if (metered?.keyId && spec) {
          uses.record({
            keyId: metered.keyId,
            endpoint: `${spec.method} ${spec.path}`,
            isRefused: metered.refused?.startsWith('quota.') ?? false,
            agent: request.headers['user-agent'] ?? null,
            address: metered.address,
          });
        }
        done();
      });
    },
    record({ keyId, endpoint, isRefused, agent, address }) {
      const now = clock.now();
      addRequests(keyId, 1);
      addMinute({ keyId, minute: Math.floor(now / MINUTE_MS), endpoint, allowed: isRefused ? 0 : 1, refused: isRefused ? 1 : 0 });
      const before = lasts.get(keyId);
      const country = before?.address === address ? before.country : null;
      const last: LastUse = { at: now, agent: agent === null ? null : deviceOf(agent), address, country, isWritten: false };
      lasts.set(keyId, last);
      if (before?.address !== address) locate(keyId, address);
    },
    waitingOf(keyId) {
      const last = lasts.get(keyId);
      return { requests: requests.get(keyId) ?? 0, lastAt: last?.at ?? null, agent: last?.agent ?? null, country: last?.country ?? null };
    },
    async minutesOf(keyId, fromMinute) {
      await flush().catch(() => {});
      return rows.minutesOf(database.app, keyId, fromMinute);
    },
    flush: () => flush(),
    settled: () => writing.catch(() => {}),
    start() {
      job.start();
      expiry.start();
    },
    async stop() {
      await Promise.all([job.stop(), expiry.stop()]);
      await flush(true).catch(() => {});
    },
  };
  return uses;
}

import type { Clock } from '../../../platform/clock.ts';
import type { Database, Hints } from '../../../platform/db/types.ts';
import type { Log } from '../../../platform/log.ts';
import { messageIdsOf } from './batch.ts';
import { createLogPages } from './log-pages.ts';
import { createLogRing, type LogRing, type RingLimits } from './log-ring.ts';
import { createMessagesStore } from './messages-store.ts';
import { logEntryOf } from './rows.ts';
import { alertTables } from './tables.ts';
import type { AlertLog, CommittedBatch, LogEntry } from '../types.ts';

/** 50,000 entries or 128 MB: a few days of national traffic, enough for every resume but the longest. */
export const RING_LIMITS: RingLimits = { entries: 50_000, bytes: 128 * 1024 * 1024 };
/** Entries taken over per round when another process wrote. */
const CATCH_UP_ENTRIES = 500;
/** How often a follower looks without being told (a hint makes it look at once). */
const FOLLOW_EVERY_MS = 500;
/** A listening connection that broke is opened again, not more often than this. */
const LISTEN_AGAIN_MS = 5_000;

export interface LogDeps {
  database: Database;
  clock: Clock;
  log: Log;
  epoch: string;
  latestSeq: number;
  oldestSeq: number;
  limits?: RingLimits;
}

/** The log inside this process: `AlertLog` for readers, and the doors through which committed batches come in. */
export interface CommittedLog extends AlertLog {
  /** What this process just committed, in order. */
  announce(batch: CommittedBatch): void;
  setOldestSeq(seq: number): void;
  /** Follower: looks for new entries until the returned function is called. */
  follow(): () => Promise<void>;
}

export function createCommittedLog(deps: LogDeps): CommittedLog {
  const { database, log } = deps;
  const ring = createLogRing(deps.latestSeq, deps.limits ?? RING_LIMITS);
  const pages = createLogPages(database.reads.log);
  const listeners = new Set<(batch: CommittedBatch) => void>();
  let oldestSeq = deps.oldestSeq;

  const announce = (batch: CommittedBatch) => {
    ring.append(batch.entries);
    for (const listener of listeners) {
      try {
        listener(batch);
      } catch (error) {
        log.error({ err: error, latestSeq: ring.latestSeq() }, 'A listener of the alert log failed; the others go on.');
      }
    }
  };
  const catchUp = inTurn(() => takeOver(database, ring, announce));
  return {
    epoch: () => deps.epoch,
    latestSeq: () => ring.latestSeq(),
    oldestSeq: () => oldestSeq,
    async read(after, limit) {
      if (after >= ring.latestSeq() || limit <= 0) return [];
      if (after >= ring.oldestSeq()) return ring.slice(after, limit);
      return pages.read(after, limit, ring.latestSeq());
    },
    onCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce,
    catchUp,
    setOldestSeq(seq) {
      oldestSeq = Math.max(oldestSeq, seq);
    },
    follow: () => follow(deps, catchUp),
  };
}

/** Reads what lies behind our head, with the states and messages as they are now, and announces it in order. */
async function takeOver(database: Database, ring: LogRing, announce: (batch: CommittedBatch) => void): Promise<void> {
  const db = alertTables(database.log);
  const store = createMessagesStore(db);
  for (;;) {
    const rows = await db
      .selectFrom('log')
      .selectAll()
      .where('seq', '>', ring.latestSeq())
      .orderBy('seq')
      .limit(CATCH_UP_ENTRIES)
      .execute();
    if (rows.length === 0) return;
    const entries: LogEntry[] = rows.map(logEntryOf);
    const events = (await store.events(entries.map((entry) => entry.eventId))).map((stored) => stored.event);
    const messages = await store.messages(events.flatMap(messageIdsOf));
    announce({ entries, events, messages });
  }
}

function follow(deps: LogDeps, catchUp: () => Promise<void>): () => Promise<void> {
  let stopped = false;
  let cancel: () => void = () => {};
  let hints: Promise<Hints> | null = null;
  let listenAtMs = -Infinity;
  const listen = async () => {
    if ((await hints?.catch(() => null))?.isAlive() || deps.clock.monotonicMs() < listenAtMs || stopped) return;
    listenAtMs = deps.clock.monotonicMs() + LISTEN_AGAIN_MS;
    hints = deps.database.engine.onHint(() => void look());
    hints.catch(() => {});
  };
  const look = async () => {
    try {
      await catchUp();
    } catch (error) {
      deps.log.warn({ err: error }, 'The alert log could not be read; trying again.');
    }
    void listen();
    cancel();
    if (!stopped) cancel = deps.clock.after(FOLLOW_EVERY_MS, () => void look());
  };
  void look();
  return async () => {
    stopped = true;
    cancel();
    await (await hints?.catch(() => null))?.stop();
  };
}

/** Calls never overlap; a call while one runs makes it run once more. */
function inTurn(run: () => Promise<void>): () => Promise<void> {
  let tail: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return () => {
    if (waiting) return waiting;
    const next = tail.then(() => {
      waiting = null;
      return run();
    });
    waiting = next;
    tail = next.catch(() => {});
    return next;
  };
}

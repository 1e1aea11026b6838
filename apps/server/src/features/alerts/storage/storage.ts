import { randomBytes } from 'node:crypto';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/types.ts';
import type { Log } from '../../../platform/log.ts';
import type { Places } from '../../places/types.ts';
import { createAlertArchive } from './archive.ts';
import { createAlertBoot, fillWorkingSet, loadRecent } from './boot.ts';
import { createCommitter, type Committer } from './committer.ts';
import type { EncodeAlert } from '../encode.ts';
import { createCommittedLog, type CommittedLog } from './log.ts';
import type { RingLimits } from './log-ring.ts';
import { createMessagesStore } from './messages-store.ts';
import { createPause } from './pause.ts';
import { createShapeOf } from './relocate.ts';
import { startRetention } from './retention.ts';
import { createAlertStore, META, type AlertStore } from './store.ts';
import { alertTables } from './tables.ts';
import type { AlertArchive, AlertBoot, AlertLog, AlertWriter } from '../types.ts';
import { createWorkingSet } from './working-set.ts';
import { createAlertWriter } from './writer.ts';

export interface AlertStorageDeps {
  database: Database;
  clock: Clock;
  log: Log;
  encodeAlert: EncodeAlert;
  places: Places;
  /**
   * How it starts. `writer` leads or rejects; `either` leads when nobody else does and follows otherwise; `follower` reads what the writer
   * of another process committed. Later `lead` and `follow` change it.
   */
  role: 'writer' | 'follower' | 'either';
  ringLimits?: RingLimits;
}

export interface AlertStorage {
  /** Rejects every call while this process follows, and with server.database_unavailable while another one has the right. */
  writer: AlertWriter;
  log: AlertLog;
  archive: AlertArchive;
  boot: AlertBoot;
  /**
   * Becomes the one writer, after taking over everything written before. False when another process is the writer; rejects when the
   * database does not answer.
   */
  lead(): Promise<boolean>;
  /** Gives the right to write back, if held, and reads what another process writes. */
  follow(): Promise<void>;
  /** Gives the right to write back, for the next process at once. */
  resign(): Promise<void>;
  isLeading(): boolean;
  /** While leading: another process took the right meanwhile. The only way out is `follow`. */
  isTaken(): boolean;
  /** Number of the right this process writes under, growing from holder to holder; null without it. */
  term(): number | null;
  close(): Promise<void>;
}

/** Storage of the alerts slice. Rejects with server.database_unavailable as `writer` when another process has the right. */
export async function createAlertStorage(deps: AlertStorageDeps): Promise<AlertStorage> {
  const { database, clock, log } = deps;
  const pause = createPause(clock);
  const alerts = createAlertStore(database);
  const store = createMessagesStore(alertTables(database.log));
  const epoch = await readEpoch(alerts);
  const latestSeq = await alerts.headSeq();
  const oldestSeq = Number((await alerts.meta(META.oldestSeq)) ?? 0);
  const limits = deps.ringLimits ? { limits: deps.ringLimits } : {};
  const committed = createCommittedLog({ database, clock, log, epoch, latestSeq, oldestSeq, ...limits });
  const read = () => loadRecent(store, alerts, clock.now());
  const set = createWorkingSet(() => clock.now());
  const committer = createCommitter({ database, store: alerts, log, pause });
  const reload = async () => fillWorkingSet(set, await read(), clock.now());
  const shapeOf = createShapeOf(deps.places);
  const writer = createAlertWriter({ clock, log, set, store, committer, committed, encodeAlert: deps.encodeAlert, shapeOf, reload, pause });
  const role = createRole({ database, clock, log, alerts, committed, committer, prepare: writer.prepare });
  if (deps.role === 'follower') await role.follow();
  else if (!(await mayLead(role, deps))) {
    if (deps.role === 'writer')
      throw new AppError('server.database_unavailable', { public: 'Another process is the writer.', retryAfterSeconds: 1 });
    await role.follow();
  }
  return {
    writer: onlyWhile(role.isLeading, writer),
    log: { ...committed, catchUp: async () => (role.isLeading() ? undefined : committed.catchUp()) },
    archive: createAlertArchive({ reads: database.reads.log, pause }),
    boot: createAlertBoot(committed, { set: () => (role.isLeading() ? set : null), read }),
    ...role,
    isTaken: committer.isTaken,
    term: committer.term,
    async close() {
      await role.resign();
    },
  };
}

/** What can follow need not lead at once: a right that could not even be asked for is asked for again by whoever holds the role. */
async function mayLead(role: Pick<AlertStorage, 'lead'>, { role: wanted, log }: AlertStorageDeps): Promise<boolean> {
  try {
    return await role.lead();
  } catch (error) {
    if (wanted !== 'either' || !(error instanceof AppError)) throw error;
    log.warn({ err: error }, 'The right to write could not be asked for; this process follows until it can');
    return false;
  }
}

interface RoleDeps {
  database: Database;
  clock: Clock;
  log: Log;
  alerts: AlertStore;
  committed: CommittedLog;
  committer: Committer;
  prepare(): Promise<void>;
}

/** Leading or following, and what goes with it: hints and retention with the one, catching up with the other. */
function createRole(deps: RoleDeps): Pick<AlertStorage, 'lead' | 'follow' | 'resign' | 'isLeading'> {
  const { committed, committer } = deps;
  let stopLeading: (() => Promise<void>) | null = null;
  let stopFollowing: (() => Promise<void>) | null = null;

  const resign = async () => {
    const stops = [stopLeading, stopFollowing];
    stopLeading = null;
    stopFollowing = null;
    for (const stop of stops) await stop?.();
    await committer.release();
  };
  return {
    isLeading: () => stopLeading !== null,
    resign,
    async lead() {
      if (stopLeading) return true;
      try {
        await deps.prepare();
      } catch (error) {
        if (committer.isTaken()) return false;
        throw error;
      }
      await stopFollowing?.();
      stopFollowing = null;
      const unhint = hintOthers(deps.database, committed);
      const stopRetention = startRetention(deps);
      stopLeading = async () => {
        unhint();
        await stopRetention();
      };
      return true;
    },
    async follow() {
      if (stopFollowing) return;
      await resign();
      stopFollowing = committed.follow();
    },
  };
}

/** A follower's writer must not even try: trying takes the right from whoever starts next. */
function onlyWhile(isLeading: () => boolean, writer: AlertWriter): AlertWriter {
  const guarded =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (!isLeading()) throw new Error('this process follows the log: only the writer may write');
      return call(...args);
    };
  return {
    storedId: guarded(writer.storedId),
    applySnapshot: guarded(writer.applySnapshot),
    tick: guarded(writer.tick),
    relocate: guarded(writer.relocate),
    nextTickAt: writer.nextTickAt,
  };
}

/** 8 characters of base32: changes only when the log is rebuilt, because cursors of another log mean nothing. */
async function readEpoch(alerts: AlertStore): Promise<string> {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return alerts.metaOnce(META.epoch, [...randomBytes(8)].map((byte) => letters.charAt(byte % letters.length)).join(''));
}

function hintOthers(database: Database, committed: CommittedLog): () => void {
  return committed.onCommitted((batch) => {
    // Only a hint: followers look by themselves too.
    if (batch.entries.length > 0) void database.engine.hint().catch(() => {});
  });
}

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import { createUpkeepJobs } from '../../platform/jobs/upkeep.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionKeys } from './session-keys.ts';
import type { Sessions } from './sessions.ts';
import type { SessionRows } from './store-sessions.ts';
import type { SignInRows } from './store-sign-in.ts';
import type { AuthPolicy, Ended } from './types.ts';

/** Connections end within a second of their session (LV31), whichever process ended it. */
const LOOK_EVERY_MS = 700;
const WRITE_USES_EVERY_MS = 30_000;
const CLEAN_EVERY_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Old failures are forgotten a day after the longest lock. */
const FAILURES_KEPT_MS = 2 * 24 * 60 * MINUTE_MS;

export interface UpkeepDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  policy: () => AuthPolicy;
  sessions: SessionRows;
  signIns: SignInRows;
  live: Sessions;
  keys: SessionKeys;
  ended(ended: Ended): void;
}

export interface Upkeep {
  /** Sessions that hold connections open here: id to account. */
  watch(sessions: () => ReadonlyMap<string, string>): void;
  start(): void;
  stop(): Promise<void>;
}

/** What runs beside requests: last uses, ends that happened elsewhere, cleaning up, key rotation. */
export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { database, clock, sessions, live } = deps;
  let watched: () => ReadonlyMap<string, string> = () => new Map();

  const lookForEnds = async () => {
    const open = watched();
    if (open.size === 0) return;
    const alive = await sessions.alive(database.reads.app, [...open.keys()]);
    const now = clock.now();
    for (const [id, userId] of open) {
      const session = alive.get(id);
      if (!session || live.endsAt(session) <= now) deps.ended({ userId, sessionIds: [id], removed: false });
    }
  };
  const writeUses = async () => {
    const uses = live.takeUses();
    if (uses.size === 0) return;
    await database.app.transaction().execute(async (part) => {
      // One order, so that two processes never wait for each other.
      for (const [id, at] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) await sessions.touch(part, id, at);
    });
  };
  const clean = async () => {
    const now = clock.now();
    await sessions.removeExpired(database.app, now);
    await deps.signIns.removeOld(database.app, now, now - FAILURES_KEPT_MS);
    await deps.keys.rotate();
  };
  const jobs = createUpkeepJobs(deps, [
    { name: 'ends of sessions', intervalMs: LOOK_EVERY_MS, work: lookForEnds },
    { name: 'last uses of sessions', intervalMs: WRITE_USES_EVERY_MS, work: writeUses },
    { name: 'cleaning up after sign-ins', intervalMs: CLEAN_EVERY_MS, work: clean },
  ]);
  return {
    watch(next) {
      watched = next;
    },
    start: () => jobs.start(),
    async stop() {
      await jobs.stop();
      // A database that is away takes the last uses with it; they are for reading only.
      await writeUses().catch(() => {});
    },
  };
}

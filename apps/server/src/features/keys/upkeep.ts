import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import { createUpkeepJobs } from '../../platform/jobs/upkeep.ts';
import type { Log } from '../../platform/log.ts';
import type { UserStore } from '../auth/index.ts';
import type { QuotaStore } from './quota/store-quota.ts';
import type { KeyRows } from './store.ts';

/** Connections end within a second of their key, whichever process ended it. */
const LOOK_EVERY_MS = 700;
/** Secrets per statement: far below what either engine binds. */
const LOOKED_AT_ONCE = 500;
const CLEAN_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** So long a deleted or replaced secret is told from one that never was. */
const SECRETS_KEPT_DAYS = 90;
/** Beyond the longest month. */
const WINDOWS_KEPT_DAYS = 40;

export interface KeyUpkeepDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  rows: KeyRows;
  quotaStore: QuotaStore;
  users: UserStore;
  ended(secret: { credential: string }): void;
}

/** What runs beside requests: ends of keys and secrets that hold connections open, and cleaning up. */
export function createKeyUpkeep(deps: KeyUpkeepDeps) {
  const { database, clock, rows, users } = deps;
  /** Hashes of the secrets that connections came with, and whose they are. */
  let watched: () => ReadonlyMap<string, string> = () => new Map();

  const lookForEnds = async () => {
    const open = [...watched()];
    for (let from = 0; from < open.length; from += LOOKED_AT_ONCE) {
      const some = open.slice(from, from + LOOKED_AT_ONCE);
      const found = await rows.findSecrets(
        database.reads.app,
        some.map(([hash]) => hash),
      );
      const owners = await users.findAll([...new Set(some.map(([, userId]) => userId))]);
      const now = clock.now();
      const active = new Set(owners.filter((owner) => owner.isActive).map((owner) => owner.id));
      const isOver = (at: number | null) => at !== null && at <= now;
      const alive = new Set(
        found.flatMap(({ secret, key }) => (key?.isActive && !isOver(key.expiresAt) && !isOver(secret.endsAt) ? [secret.hash] : [])),
      );
      for (const [credential, userId] of some) if (!alive.has(credential) || !active.has(userId)) deps.ended({ credential });
    }
  };
  const clean = async () => {
    await rows.removeOldSecrets(database.app, clock.now() - SECRETS_KEPT_DAYS * DAY_MS);
    await deps.quotaStore.expire(clock.now() - WINDOWS_KEPT_DAYS * DAY_MS);
  };
  const jobs = createUpkeepJobs(deps, [
    { name: 'ends of keys', intervalMs: LOOK_EVERY_MS, work: lookForEnds },
    { name: 'cleaning up after keys', intervalMs: CLEAN_EVERY_MS, work: clean },
  ]);
  return {
    watch(next: () => ReadonlyMap<string, string>) {
      watched = next;
    },
    start: () => jobs.start(),
    stop: () => jobs.stop(),
  };
}

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import { createUpkeepJobs } from '../../platform/jobs/upkeep.ts';
import type { Log } from '../../platform/log.ts';
import type { UserStore } from '../auth/index.ts';
import type { QuotaStore } from './quota/store-quota.ts';
import type { KeyRows } from './store.ts';

/** Connections end within a second of their key, whichever process ended it. */
const LOOK_EVERY_MS = 700;
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
  ended(keyId: string): void;
}

/** What runs beside requests: ends of keys that hold connections open, and cleaning up. */
export function createKeyUpkeep(deps: KeyUpkeepDeps) {
  const { database, clock, rows, users } = deps;
  let watched: () => ReadonlyMap<string, string> = () => new Map();

  const lookForEnds = async () => {
    const open = watched();
    if (open.size === 0) return;
    const alive = await rows.alive(database.reads.app, [...open.keys()]);
    const owners = new Map<string, boolean>();
    for (const userId of new Set(open.values())) owners.set(userId, (await users.find(userId))?.isActive ?? false);
    const now = clock.now();
    for (const [keyId, userId] of open) {
      const key = alive.get(keyId);
      if (!key || !owners.get(userId) || (key.expiresAt !== null && key.expiresAt <= now)) deps.ended(keyId);
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

import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/types.ts';
import type { Log } from '../../../platform/log.ts';
import type { CommittedLog } from './log.ts';
import { META, type AlertStore } from './store.ts';
import { alertTables } from './tables.ts';

const DAY_MS = 24 * 3_600_000;
/** Entries are readable for at least this long; history itself (revisions, messages) is kept for ever. */
export const KEEP_LOG_MS = 30 * DAY_MS;
/** However old, this many newest entries stay. */
export const KEEP_LOG_ENTRIES = 50_000;
/** Poll facts serve the health page only. */
const KEEP_POLLS_MS = 90 * DAY_MS;
const EVERY_MS = 3_600_000;
/** Rows per statement: short transactions, short pauses. */
const ROWS_PER_STEP = 500;

export interface RetentionDeps {
  database: Database;
  clock: Clock;
  log: Log;
  alerts: AlertStore;
  committed: CommittedLog;
}

/** Deletes what no cursor may point at any more. Readers are told the new bound before the rows go. */
export async function pruneLog({ database, clock, alerts, committed }: RetentionDeps): Promise<number> {
  const db = alertTables(database.log);
  const now = clock.now();
  const row = await db
    .selectFrom('log')
    .select((e) => e.fn.max('seq').as('seq'))
    .where('at', '<', now - KEEP_LOG_MS)
    .executeTakeFirst();
  const upTo = Math.min(Number(row?.seq ?? 0), committed.latestSeq() - KEEP_LOG_ENTRIES);
  const oldest = committed.oldestSeq();
  if (upTo <= oldest) return 0;
  await alerts.setMeta(META.oldestSeq, String(upTo));
  committed.setOldestSeq(upTo);
  for (let seq = oldest; seq < upTo; seq += ROWS_PER_STEP) {
    await db
      .deleteFrom('log')
      .where('seq', '<=', Math.min(seq + ROWS_PER_STEP, upTo))
      .execute();
  }
  await db
    .deleteFrom('polls')
    .where('started_at', '<', now - KEEP_POLLS_MS)
    // The first one says since when the record goes.
    .where('started_at', '>', (e) =>
      e
        .selectFrom('polls')
        .select((poll) => poll.fn.min('started_at').as('first'))
        .where('outcome', '=', 'ok'),
    )
    .execute();
  return upTo - oldest;
}

/** Prunes every hour; the returned function stops it and waits for a run under way. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let cancel = () => {};
  const prune = async () => {
    try {
      const removed = await pruneLog(deps);
      if (removed > 0) deps.log.info({ removed }, 'Old log entries were removed.');
    } catch (error) {
      deps.log.warn({ err: error }, 'Old log entries could not be removed; trying again in an hour.');
    }
    schedule();
  };
  const schedule = () => {
    if (stopped) return;
    cancel = deps.clock.after(EVERY_MS, () => {
      running = prune();
    });
  };
  schedule();
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}

import { DAY_MS, startOfDay } from '@nwms/domain';
import { sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { forgetNames } from './store-gone.ts';
import { FIGURE_TABLES } from './store-figures.ts';
import { noteChange } from './store-generations.ts';
import { DAY, HOUR, MINUTE, TEN_DAYS } from './types.ts';

/** How long what is kept, in days. `goneNames`: how long anybody could tell which rows were a removed account's. */
export const KEPT_DAYS = { requests: 90, minutes: 7, hours: 100, days: 800, visitors: 181, batches: 2, gone: 90, goneNames: 1 } as const;
/** Rows per deletion: other writers wait for no more. */
const CHUNK = 2_000;

/** `isRead`: figures are made of these rows. */
type Rule = [table: string, condition: ReturnType<typeof sql>, isRead: boolean];

/** Removes what is over its time. Never minutes or hours that the next size does not have yet. */
export async function expireUsage(database: Database, now: number, signal: AbortSignal): Promise<number> {
  const before = (days: number) => startOfDay(now) - days * DAY_MS;
  const rules: Rule[] = [
    ['requests', sql`at < ${before(KEPT_DAYS.requests)}`, false],
    ['batches', sql`at < ${before(KEPT_DAYS.batches)}`, false],
    ['gone_accounts', sql`at < ${before(KEPT_DAYS.gone)}`, false],
    ['rollups', sql`size = ${sql.lit(MINUTE)} and rolled = 1 and start < ${before(KEPT_DAYS.minutes)}`, false],
    ['rollups', sql`size = ${sql.lit(HOUR)} and rolled = 1 and start < ${before(KEPT_DAYS.hours)}`, true],
    ['rollups', sql`size in (${sql.lit(DAY)}, ${sql.lit(TEN_DAYS)}) and start < ${before(KEPT_DAYS.days)}`, true],
    ...['visitors', ...FIGURE_TABLES.values()].map((name): Rule => [name, sql`start < ${before(KEPT_DAYS.visitors)}`, true]),
  ];
  await forgetNames(database, before(KEPT_DAYS.goneNames));
  let removed = 0;
  for (const [name, condition, isRead] of rules) {
    const table = sql.raw(database.table('usage', name));
    // The engine's own row names: no key of ours is needed to say "these".
    const row = sql.raw(database.engine.kind === 'sqlite' ? 'rowid' : 'ctid');
    for (;;) {
      if (signal.aborted) return removed;
      try {
        const count = await database.usage.transaction().execute(async (transaction) => {
          const answer =
            await sql`delete from ${table} where ${row} in (select ${row} from ${table} where ${condition} limit ${sql.lit(CHUNK)})`.execute(
              transaction,
            );
          const gone = Number(answer.numAffectedRows ?? 0);
          if (isRead && gone > 0) await noteChange(database, transaction, 'settled');
          return gone;
        });
        removed += count;
        if (count < CHUNK) break;
      } catch (error) {
        throw databaseFault(error);
      }
    }
  }
  return removed;
}

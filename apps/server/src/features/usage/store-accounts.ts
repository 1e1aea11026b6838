import { startOfDay, type Instant } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import type { Batch } from './minute-book.ts';
import { DAY, type PrincipalKind } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type Tables = { account_totals: { user_id: string; principal: string; requests: number; last_at: number } };

/** Requests of one account with its keys, or with its sessions: in this UTC day, this UTC month, all time. */
export interface AccountRequests {
  today: number;
  month: number;
  total: number;
}

/** Figures of accounts, from the same batches as every other figure. Throw `AppError` where the database is away. */
export interface AccountReads {
  /** Absent accounts made no request. */
  figuresOf(ids: readonly string[], now: Instant): Promise<ReadonlyMap<string, { key: AccountRequests; session: AccountRequests }>>;
  /** Requests with keys of all time, of every account that has any. */
  keyTotals(): Promise<ReadonlyMap<string, number>>;
  /** Accounts with a request at or after `since`. */
  activeSince(since: Instant): Promise<number>;
}

/** Adds a batch to the totals of its accounts, in its transaction. Rows in one order: two processes never wait for each other in a circle. */
export async function addToAccounts(transaction: Part, bundles: Batch['bundles']): Promise<void> {
  const totals = new Map<string, Tables['account_totals']>();
  for (const { traits, requests, lastAt } of [...bundles.values()].flat()) {
    const { userId, principal } = traits;
    if (userId === null) continue;
    const name = `${userId} ${principal}`;
    const known = totals.get(name);
    if (!known) totals.set(name, { user_id: userId, principal, requests, last_at: lastAt });
    else {
      known.requests += requests;
      known.last_at = Math.max(known.last_at, lastAt);
    }
  }
  if (totals.size === 0) return;
  await transaction
    .withTables<Tables>()
    .insertInto('account_totals')
    .values([...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'principal']).doUpdateSet({
        requests: sql<number>`account_totals.requests + excluded.requests`,
        last_at: sql<number>`case when excluded.last_at > account_totals.last_at then excluded.last_at else account_totals.last_at end`,
      }),
    )
    .execute();
}

const none = (): AccountRequests => ({ today: 0, month: 0, total: 0 });
const startOfMonth = (at: Instant): Instant => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1);

export function createAccountReads(database: Database): AccountReads {
  const db = database.reads.usage;
  const [totals, visitors] = ['account_totals', 'visitors'].map((name) => sql.raw(database.table('usage', name)));
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(db)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    async figuresOf(ids, now) {
      const figures = new Map<string, { key: AccountRequests; session: AccountRequests }>();
      if (ids.length === 0) return figures;
      const wanted = sql.join(ids);
      // One statement: the three figures are of one moment. Days, and what is not in days yet.
      const rows = await told<{ id: string; principal: PrincipalKind; today: number; month: number; total: number }>(
        sql`select user_id as id, principal, 0 as today, 0 as month, requests as total from ${totals} where user_id in (${wanted})
          union all
          select visitor as id, scope as principal, sum(case when start >= ${startOfDay(now)} then requests else 0 end) as today,
            sum(requests) as month, 0 as total
          from ${visitors} where visitor in (${wanted}) and start >= ${startOfMonth(now)} and scope in ('key', 'session')
            and (size = ${sql.lit(DAY)} or (size < ${sql.lit(DAY)} and rolled = 0))
          group by visitor, scope`,
      );
      for (const { id, principal, ...counts } of rows) {
        if (principal === 'anonymous') continue;
        const own = figures.get(id) ?? { key: none(), session: none() };
        figures.set(id, own);
        for (const name of ['today', 'month', 'total'] as const) own[principal][name] += Number(counts[name]);
      }
      return figures;
    },
    async keyTotals() {
      const rows = await told<{ id: string; requests: number }>(sql`select user_id as id, requests from ${totals} where principal = 'key'`);
      return new Map(rows.map(({ id, requests }) => [id, Number(requests)]));
    },
    async activeSince(since) {
      const rows = await told<{ n: number }>(sql`select count(distinct user_id) as n from ${totals} where last_at >= ${since}`);
      return Number(rows[0]?.n ?? 0);
    },
  };
}

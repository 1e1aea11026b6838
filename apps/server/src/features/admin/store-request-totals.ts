import { sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import type { UserFigures } from '../auth/index.ts';
import { dayOf, GONE, monthOf, type CallerKind, type RequestTotalsStore, type Tally } from './totals.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type TotalsTables = { request_totals: { user_id: string; kind: string; period: string; requests: number; last_at: number } };

const DAY_MS = 86_400_000;
const ALL_TIME = 'total';

export interface TotalsDeps {
  app: Part;
  /** Adds keys' requests to the accounts, in the same transaction. */
  addToAccounts(counts: ReadonlyMap<string, number>, transaction: Part): Promise<void>;
}

/** Totals in the `app` part. Throws `AppError` where the database is away or full. */
export function createRequestTotalsStore({ app, addToAccounts }: TotalsDeps): RequestTotalsStore {
  const db = app.withTables<TotalsTables>();
  return {
    async add(tallies) {
      await told(
        app.transaction().execute(async (transaction) => {
          for (const row of rowsOf(tallies)) await upsert(transaction, row);
          const keys = new Map<string, number>();
          for (const { kind, userId, requests } of tallies) if (kind === 'key') keys.set(userId, (keys.get(userId) ?? 0) + requests);
          if (keys.size > 0) await addToAccounts(keys, transaction);
        }),
      );
    },
    async figures(userIds, day, month) {
      const figures = new Map<string, UserFigures>();
      if (userIds.length === 0) return figures;
      const rows = await told(
        db.selectFrom('request_totals').selectAll().where('user_id', 'in', userIds).where('period', 'in', [day, month, ALL_TIME]).execute(),
      );
      for (const row of rows) {
        const figure = figures.get(row.user_id) ?? emptyFigures();
        figures.set(row.user_id, figure);
        const requests = Number(row.requests);
        if (row.kind === 'session') figure.web_requests[row.period === day ? 'today' : row.period === month ? 'month' : 'total'] = requests;
        else if (row.period === day) figure.current_day_requests = requests;
        else if (row.period === month) figure.current_month_requests = requests;
      }
      return figures;
    },
    async sums(period) {
      const rows = await told(
        db
          .selectFrom('request_totals')
          .select(['kind', (e) => e.fn.sum<number>('requests').as('n')])
          .where('period', '=', period)
          .groupBy('kind')
          .execute(),
      );
      const of = (kind: CallerKind) => Number(rows.find((row) => row.kind === kind)?.n ?? 0);
      return { anonymous: of('anonymous'), key: of('key'), session: of('session') };
    },
    async keyRequests() {
      const row = await told(
        db
          .selectFrom('request_totals')
          .select((e) => e.fn.sum<number>('requests').as('n'))
          .where('period', '=', ALL_TIME)
          .where('kind', '=', 'key')
          .where('user_id', 'not like', `${GONE}%`)
          .executeTakeFirstOrThrow(),
      );
      return Number(row.n ?? 0);
    },
    async rename(userId, unlinkable, transaction) {
      await transaction
        .withTables<TotalsTables>()
        .updateTable('request_totals')
        .set({ user_id: unlinkable })
        .where('user_id', '=', userId)
        .execute();
    },
    async activeSince(since) {
      const row = await told(
        db
          .selectFrom('request_totals')
          .select((e) => e.fn.count<number>('user_id').distinct().as('n'))
          .where('period', '=', ALL_TIME)
          .where('user_id', '<>', '')
          .where('user_id', 'not like', `${GONE}%`)
          .where('last_at', '>=', since)
          .executeTakeFirstOrThrow(),
      );
      return Number(row.n);
    },
    async expire(now) {
      // Both period forms sort by time, and a month sorts before its own days.
      const days = sql<boolean>`length(period) = 10 and period < ${dayOf(now - 40 * DAY_MS)}`;
      const months = sql<boolean>`length(period) = 7 and period < ${monthOf(now - 430 * DAY_MS)}`;
      await told(db.deleteFrom('request_totals').where(days).execute());
      await told(db.deleteFrom('request_totals').where(months).execute());
    },
  };
}

export const emptyFigures = (): UserFigures => ({
  current_day_requests: 0,
  current_month_requests: 0,
  web_requests: { today: 0, month: 0, total: 0 },
});

interface TotalsRow {
  user_id: string;
  kind: string;
  period: string;
  requests: number;
  last_at: number;
}

/** Rows in one fixed order, so that two processes never wait for each other's locks in a circle. */
function rowsOf(tallies: readonly Tally[]): TotalsRow[] {
  const rows = new Map<string, TotalsRow>();
  for (const { userId, kind, day, requests, lastAt } of tallies) {
    for (const period of [day, day.slice(0, 7), ALL_TIME]) {
      const key = `${userId} ${kind} ${period}`;
      const row = rows.get(key) ?? { user_id: userId, kind, period, requests: 0, last_at: 0 };
      rows.set(key, { ...row, requests: row.requests + requests, last_at: Math.max(row.last_at, lastAt) });
    }
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function upsert(transaction: Part, row: TotalsRow): Promise<void> {
  await transaction
    .withTables<TotalsTables>()
    .insertInto('request_totals')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind', 'period']).doUpdateSet({
        requests: sql<number>`request_totals.requests + ${row.requests}`,
        last_at: row.last_at,
      }),
    )
    .execute();
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw databaseFault(error);
  }
}

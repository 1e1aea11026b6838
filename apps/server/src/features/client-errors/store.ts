import { sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import type { ClientErrorStore, ErrorGroup } from './types.ts';

interface Columns {
  fingerprint: string;
  kind: string;
  message: string;
  stack: string | null;
  page: string;
  app_version: string;
  count: number;
  first_at: number;
  last_at: number;
}
// A type, not an interface: only types have the index signature that the table map asks for.
type ClientErrorTables = { client_errors: Columns };

/** Groups of the `app` part. Throws `AppError` where the database is away or full. */
export function createClientErrorStore(app: Part): ClientErrorStore {
  const db = app.withTables<ClientErrorTables>();
  return {
    async add(group) {
      const row = columnsOf(group);
      await told(
        db
          .insertInto('client_errors')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('fingerprint').doUpdateSet({
              count: sql<number>`client_errors.count + ${row.count}`,
              last_at: row.last_at,
              app_version: row.app_version,
              stack: row.stack,
            }),
          )
          .execute(),
      );
    },
    async groups() {
      const row = await told(
        db
          .selectFrom('client_errors')
          .select((e) => e.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      );
      return Number(row.n);
    },
    async list(position, limit) {
      let query = db.selectFrom('client_errors').selectAll();
      if (position)
        query = query.where((where) =>
          where.or([
            where('last_at', '<', position.at),
            where.and([where('last_at', '=', position.at), where('fingerprint', '<', position.id)]),
          ]),
        );
      const rows = await told(query.orderBy('last_at', 'desc').orderBy('fingerprint', 'desc').limit(limit).execute());
      return rows.map(groupOf);
    },
    async expire(before, keepNewest) {
      await told(db.deleteFrom('client_errors').where('last_at', '<', before).execute());
      const kept = db
        .selectFrom('client_errors')
        .select('fingerprint')
        .orderBy('last_at', 'desc')
        .orderBy('fingerprint', 'desc')
        .limit(sql.lit(keepNewest));
      await told(db.deleteFrom('client_errors').where('fingerprint', 'not in', kept).execute());
    },
  };
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw databaseFault(error);
  }
}

const columnsOf = (group: ErrorGroup): Columns => ({
  fingerprint: group.fingerprint,
  kind: group.kind,
  message: group.message,
  stack: group.stack,
  page: group.page,
  app_version: group.appVersion,
  count: group.count,
  first_at: group.firstAt,
  last_at: group.lastAt,
});
const groupOf = (row: Columns): ErrorGroup => ({
  fingerprint: row.fingerprint,
  kind: row.kind as ErrorGroup['kind'],
  message: row.message,
  stack: row.stack,
  page: row.page,
  appVersion: row.app_version,
  count: Number(row.count),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
});

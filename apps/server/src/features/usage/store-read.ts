import { sql, type RawBuilder } from 'kysely';
import { ADDRESS_PERIOD_MS, addressPeriod } from '../../platform/address-hash.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Segment } from './segments.ts';
import type { COUNTS, Kind, PrincipalKind, RollupRow } from './types.ts';

export type RollupColumn = (typeof COUNTS)[number] | 'part' | 'sketch' | 'addresses' | 'addresses_next';
/** A roll-up as far as it was asked for. `uniques`: its addresses under the key that was asked for. */
export type ReadRollup = Pick<RollupRow, 'start' | 'kind' | 'name' | 'principal'> & Partial<RollupRow> & { uniques?: Uint8Array | null };

export interface RollupQuestion {
  /** What is counted by, over which stretches. `uniques`: with its different addresses, which are most of a row. */
  parts: readonly { kinds: readonly Kind[]; segments: readonly Segment[]; uniques?: boolean }[];
  principal: PrincipalKind | null;
  columns: readonly RollupColumn[];
  /** Period whose key addresses are counted under; needed where a part has them. */
  period?: number;
}

/** Reads of the `usage` part, off the request thread. One statement per question: all of an answer is of one moment. */
export interface UsageReads {
  rollups(question: RollupQuestion): Promise<ReadRollup[]>;
  /** Requests of less than an hour, by address under the key of `period`. */
  fragment(from: number, to: number, principal: PrincipalKind | null, period: number): Promise<FragmentRow[]>;
  /** When recording began; null before the first start. */
  since(): Promise<number | null>;
}

export interface FragmentRow {
  address: string;
  requests: number;
  errors: number;
  timed: number;
  ms: number;
}

export function createUsageReads(database: Database): UsageReads {
  const db = database.reads.usage;
  const table = sql.raw(database.table('usage', 'rollups'));
  let begin: number | null = null;
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(db)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    rollups({ parts, principal, columns, period }) {
      const wanted = sql.join(['start', 'kind', 'name', 'principal', ...columns].map((name) => sql.ref(name)));
      const of = principal === null ? sql`` : sql` and principal = ${principal}`;
      const withUniques = parts.some(({ uniques }) => uniques);
      const keyFrom = (period ?? 0) * ADDRESS_PERIOD_MS;
      const own = sql`case when start < ${sql.lit(keyFrom)} then addresses_next else addresses end`;
      const uniquesOf = (uniques: boolean) => (withUniques ? sql`, ${uniques ? own : sql`cast(null as bytea)`} as uniques` : sql``);
      const selects = parts.flatMap(({ kinds, segments, uniques = false }) =>
        segments.map(
          ({ size, open, from, to }) =>
            sql`select ${wanted}${uniquesOf(uniques)} from ${table} where kind in (${sql.join(kinds)}) and size = ${sql.lit(size)} and start >= ${from} and start < ${to}${
              open ? sql` and rolled = 0` : sql``
            }${of}`,
        ),
      );
      return told<ReadRollup>(sql<ReadRollup>`${sql.join(selects, sql` union all `)}`);
    },
    fragment(from, to, principal, period) {
      const address = sql.ref(addressPeriod(from) === period ? 'address' : 'address_next');
      const of = principal === null ? sql`` : sql` and principal = ${principal}`;
      return told<FragmentRow>(
        sql<FragmentRow>`select ${address} as address, count(*) as requests, sum(case when status >= 400 then 1 else 0 end) as errors,
          count(ms) as timed, coalesce(sum(ms), 0) as ms from ${sql.raw(database.table('usage', 'requests'))}
          where at >= ${from} and at < ${to}${of} group by ${address}`,
      );
    },
    async since() {
      // It never changes once it is there.
      if (begin !== null) return begin;
      const rows = await told<{ value: number }>(
        sql<{ value: number }>`select value from ${sql.raw(database.table('usage', 'usage_marks'))} where name = 'since'`,
      );
      begin = rows[0] ? Number(rows[0].value) : null;
      return begin;
    },
  };
}

/** Notes when recording began, once and for all. */
export async function markBegin(database: Database, now: number): Promise<void> {
  try {
    await sql`insert into ${sql.raw(database.table('usage', 'usage_marks'))} (name, value) values ('since', ${now}) on conflict (name) do nothing`.execute(
      database.usage,
    );
  } catch (error) {
    throw databaseFault(error);
  }
}

import { DAY_MS, startOfDay, startOfHour, type UsageWindow } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { addressPeriod } from '../../platform/address-hash.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { type COUNTS, DAY, HOUR, MINUTE, type Kind, type PrincipalKind, type RollupRow } from './types.ts';

/** Rows of one size in a stretch; `open`: only those that the next size does not have yet. */
export interface Segment {
  size: number;
  open: boolean;
  from: number;
  to: number;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

/** What adds up to a window that ends now: whole days and what is not in days yet, or hours for the last 24 hours. */
export function segmentsOf({ from, unit }: UsageWindow): Segment[] {
  return [
    ...(unit === 'day' ? [{ size: DAY, open: false, from, to: FOREVER }] : []),
    { size: HOUR, open: unit === 'day', from, to: FOREVER },
    { size: MINUTE, open: true, from, to: FOREVER },
  ];
}

/** The same, every hour by itself. */
export const hoursFrom = (from: number): Segment[] => segmentsOf({ from, to: FOREVER, days: 1, unit: 'hour' });

/** What adds up to a window that ended in the past; the hour it ends in is not among it. */
export function pastSegments({ from, to, unit }: UsageWindow): Segment[] {
  const hour = startOfHour(to);
  const day = unit === 'day' ? startOfDay(to) : from;
  const days =
    unit === 'day'
      ? [
          { size: DAY, open: false, from, to: day },
          { size: HOUR, open: true, from, to: day },
          { size: MINUTE, open: true, from, to: day },
        ]
      : [];
  return [...days, { size: HOUR, open: false, from: day, to: hour }, { size: MINUTE, open: true, from: day, to: hour }];
}

export type RollupColumn = (typeof COUNTS)[number] | 'part' | 'sketch' | 'addresses' | 'addresses_next';
/** A roll-up as far as it was asked for. */
export type ReadRollup = Pick<RollupRow, 'start' | 'kind' | 'name' | 'principal'> & Partial<RollupRow>;

export interface RollupQuestion {
  kinds: readonly Kind[];
  segments: readonly Segment[];
  principal: PrincipalKind | null;
  columns: readonly RollupColumn[];
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
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(db)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    rollups({ kinds, segments, principal, columns }) {
      const wanted = sql.join(['start', 'kind', 'name', 'principal', ...columns].map((name) => sql.ref(name)));
      const of = principal === null ? sql`` : sql` and principal = ${principal}`;
      const parts = segments.map(
        ({ size, open, from, to }) =>
          sql`select ${wanted} from ${table} where kind in (${sql.join(kinds)}) and size = ${sql.lit(size)} and start >= ${from} and start < ${to}${
            open ? sql` and rolled = 0` : sql``
          }${of}`,
      );
      return told<ReadRollup>(sql<ReadRollup>`${sql.join(parts, sql` union all `)}`);
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
      const rows = await told<{ value: number }>(
        sql<{ value: number }>`select value from ${sql.raw(database.table('usage', 'usage_marks'))} where name = 'since'`,
      );
      return rows[0] ? Number(rows[0].value) : null;
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

/** A window of at most 90 days touches at most two periods: everything in it is counted under the key of its end. */
export const keyPeriod = (window: UsageWindow): number => addressPeriod(window.to);
export const isCountedAsNext = (start: number, period: number): boolean => addressPeriod(start) < period;
export const MAX_WINDOW_MS = 90 * DAY_MS;

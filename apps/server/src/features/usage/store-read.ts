import { DAY_MS, startOfDay, startOfHour, startOfTenDays, TEN_DAYS_MS, type UsageWindow } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { ADDRESS_PERIOD_MS, addressPeriod } from '../../platform/address-hash.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { type COUNTS, DAY, HOUR, MINUTE, TEN_DAYS, type Kind, type PrincipalKind, type RollupRow } from './types.ts';

/** Rows of one size in a stretch; `open`: only those that the next size does not have yet. */
export interface Segment {
  size: number;
  open: boolean;
  from: number;
  to: number;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

const openFrom = (from: number): Segment[] => [
  { size: HOUR, open: true, from, to: FOREVER },
  { size: MINUTE, open: true, from, to: FOREVER },
];

/** What adds up to a window that ends now, in as few stretches as there are: ten days, days, what is not in days yet; hours for the last 24 hours. */
export function segmentsOf(window: UsageWindow): Segment[] {
  const { from, unit } = window;
  if (unit === 'hour') return hoursFrom(from);
  // The first ten days that lie in the window as a whole.
  const whole = startOfTenDays(from + TEN_DAYS_MS - 1);
  return [
    { size: TEN_DAYS, open: false, from: whole, to: FOREVER },
    { size: DAY, open: false, from, to: whole },
    { size: DAY, open: true, from: whole, to: FOREVER },
    ...openFrom(from),
  ];
}

/** The same, every day by itself. */
export function daysOf({ from, unit }: UsageWindow): Segment[] {
  return unit === 'hour' ? hoursFrom(from) : [{ size: DAY, open: false, from, to: FOREVER }, ...openFrom(from)];
}

/** The same, every hour by itself. */
export const hoursFrom = (from: number): Segment[] => [
  { size: HOUR, open: false, from, to: FOREVER },
  { size: MINUTE, open: true, from, to: FOREVER },
];

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

/** A window of at most 90 days touches at most two periods: everything in it is counted under the key of its end. */
export const keyPeriod = (window: UsageWindow): number => addressPeriod(window.to);
export const isCountedAsNext = (start: number, period: number): boolean => addressPeriod(start) < period;
export const MAX_WINDOW_MS = 90 * DAY_MS;

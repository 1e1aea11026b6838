import { ERRORS, type UsageRequest } from '@nwms/contract';
import { type RawBuilder, sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { ActiveElsewhere } from './active.ts';
import type { PrincipalKind } from './types.ts';

export interface RequestFilter {
  from?: number;
  to?: number;
  minMs?: number;
  visitor?: string;
  equal: Partial<Record<'endpoint' | 'method' | 'status' | 'error' | 'principal' | 'key_id' | 'user_id' | 'country', string | number>>;
}

/** One row as stored, without addresses. */
export interface StoredRequest {
  id: string;
  at: number;
  endpoint: string;
  method: string;
  status: number;
  error: string | null;
  ms: number | null;
  bytes: number;
  principal: UsageRequest['principal'];
  key_id: string | null;
  user_id: string | null;
  visitor: string;
  country: string;
  region: string | null;
  city: string | null;
  browser: string | null;
  os: string | null;
  device: UsageRequest['device_type'];
  agent: string | null;
  cache: UsageRequest['cache'];
  alerts: number;
  geographic: number;
  time_filtered: number;
  cost: number;
  request_id: string;
}

/** Newest first, after a position. */
export interface RequestReads {
  list(filter: RequestFilter, position: { at: number; id: string } | null, limit: number): Promise<StoredRequest[]>;
  /** How many there are; of more than `most`, one more than that. */
  countUpTo(filter: RequestFilter, most: number): Promise<number>;
  /** Accounts with the most requests refused for their number since then, beside all their requests. */
  refusals(from: number): Promise<{ userId: string; requests: number; refused: number }[]>;
  /** Who asked since then, and how much in every second, by what others than `own` recorded. */
  activeElsewhere(from: number, own: string): Promise<ActiveElsewhere>;
}

/** Codes of refusals for number. */
const QUOTA_CODES = Object.keys(ERRORS).filter((code) => code.startsWith('quota.'));
const MOST_REFUSED = 20;
const COLUMNS =
  'id, at, endpoint, method, status, error, ms, bytes, principal, key_id, user_id, visitor, country, region, city, browser, os, device, agent, cache, alerts, geographic, time_filtered, cost, request_id';

function whereOf({ from, to, minMs, visitor, equal }: RequestFilter, position: { at: number; id: string } | null): RawBuilder<unknown> {
  const conditions = [
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`]),
    ...(minMs === undefined ? [] : [sql`ms >= ${minMs}`]),
    // A visitor has another name under the next key: figures over two periods use that one.
    ...(visitor === undefined ? [] : [sql`(visitor = ${visitor} or visitor_next = ${visitor})`]),
    ...Object.entries(equal).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...(position === null ? [] : [sql`(at < ${position.at} or (at = ${position.at} and id < ${position.id}))`]),
  ];
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

export function createRequestReads(database: Database): RequestReads {
  const table = sql.raw(database.table('usage', 'requests'));
  return {
    async list(filter, position, limit) {
      const where = whereOf(filter, position);
      try {
        const answer =
          await sql<StoredRequest>`select ${sql.raw(COLUMNS)} from ${table}${where} order by at desc, id desc limit ${limit}`.execute(
            database.reads.usage,
          );
        return answer.rows;
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async countUpTo(filter, most) {
      try {
        const answer = await sql<{ n: number }>`select count(*) as n from
          (select id from ${table}${whereOf(filter, null)} limit ${most + 1}) found`.execute(database.reads.usage);
        return Number(answer.rows[0]?.n ?? 0);
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async refusals(from) {
      try {
        const answer = await sql<{ user_id: string; refused: number; requests: number }>`select user_id, refused,
            (select count(*) from ${table} t where t.user_id = r.user_id and t.at >= ${from}) as requests
          from (select user_id, count(*) as refused from ${table} where error in (${sql.join(QUOTA_CODES)}) and at >= ${from} and user_id is not null
            group by user_id order by refused desc, user_id limit ${sql.lit(MOST_REFUSED)}) r`.execute(database.reads.usage);
        return answer.rows.map((row) => ({ userId: row.user_id, requests: Number(row.requests), refused: Number(row.refused) }));
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async activeElsewhere(from, own) {
      // The name of a row begins with that of the start of a process that wrote it.
      const where = sql`where at >= ${from} and substr(id, 1, ${sql.lit(own.length)}) <> ${own}`;
      const second = sql`at / 1000`;
      try {
        const [seconds, callers] = await Promise.all([
          sql<{ principal: PrincipalKind; second: number; requests: number }>`select principal, ${second} as second, count(*) as requests
            from ${table} ${where} group by principal, ${second}`.execute(database.reads.usage),
          sql<{ principal: PrincipalKind; address: string; user_id: string | null; last_at: number }>`select principal, address, user_id,
            max(at) as last_at from ${table} ${where} group by principal, address, user_id`.execute(database.reads.usage),
        ]);
        return {
          seconds: seconds.rows.map((row) => ({ ...row, second: Math.floor(Number(row.second)), requests: Number(row.requests) })),
          callers: callers.rows.map(({ user_id, last_at, ...row }) => ({ ...row, userId: user_id, lastAt: Number(last_at) })),
        };
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

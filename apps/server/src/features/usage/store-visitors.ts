import { DAY_MS, POWER_USER_REQUESTS, startOfDay, startOfTenDays, TEN_DAYS_MS, type UserType, type UsageWindow } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { ADDRESS_PERIOD_MS } from '../../platform/address-hash.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { keyPeriod, type Segment } from './store-read.ts';
import { DAY, HOUR, MINUTE, TEN_DAYS, type Device, type PrincipalKind } from './types.ts';
import { SESSION_GAP_MS } from './visitor-tally.ts';

/** One visitor over a window. */
export interface VisitorFigures {
  v: string;
  user_id: string | null;
  first_seen: number;
  last_seen: number;
  requests: number;
  errors: number;
  timed: number;
  ms: number;
  bot: number;
  by_key: number;
  sessions: number;
  user_type: UserType;
  device: Device;
}

/** All of them together. */
export interface VisitorTotals {
  visitors: number;
  newcomers: number;
  accounts: number;
  requests: number;
  sessions: number;
  active_ms: number;
  byDevice: Map<string, number>;
  byType: Map<string, number>;
}

export interface VisitorQuestion {
  window: UsageWindow;
  principal: PrincipalKind | null;
}

export interface VisitorPage extends VisitorQuestion {
  userType: UserType | null;
  /** A member of the figures, `-` before it: largest first. */
  order: string;
  limit: number;
  offset: number;
}

export interface VisitorReads {
  totals(question: VisitorQuestion): Promise<VisitorTotals>;
  page(page: VisitorPage): Promise<{ visitors: VisitorFigures[]; total: number }>;
  /** What these visitors used, as stored; several per visitor. */
  details(question: VisitorQuestion, visitors: readonly string[]): Promise<{ v: string; detail: string }[]>;
}

const ORDERS: Record<string, string> = {
  total_requests: 'requests',
  total_sessions: 'sessions',
  avg_response_time_ms: 'case when timed = 0 then -1 else ms / timed end',
  error_rate_percent: '1.0 * errors / requests',
  last_seen: 'last_seen',
};

export function createVisitorReads(database: Database): VisitorReads {
  const db = database.reads.usage;
  const table = sql.raw(database.table('usage', 'visitors'));
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(db)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    async totals(question) {
      const rows = await told<Record<string, number | string>>(
        sql`${typed(table, question)} select user_type, device, count(*) as visitors, sum(case when first_seen >= ${question.window.from} then 1 else 0 end) as newcomers,
          count(user_id) as accounts, sum(requests) as requests, sum(sessions) as sessions, sum(active_ms) as active_ms from typed group by user_type, device`,
      );
      const sum = (member: string) => rows.reduce((total, row) => total + Number(row[member]), 0);
      const by = (member: string) => {
        const groups = new Map<string, number>();
        for (const row of rows) groups.set(String(row[member]), (groups.get(String(row[member])) ?? 0) + Number(row['visitors']));
        return groups;
      };
      return {
        visitors: sum('visitors'),
        newcomers: sum('newcomers'),
        accounts: sum('accounts'),
        requests: sum('requests'),
        sessions: sum('sessions'),
        active_ms: sum('active_ms'),
        byDevice: by('device'),
        byType: by('user_type'),
      };
    },
    async page({ userType, order, limit, offset, ...question }) {
      const of = userType === null ? sql`` : sql` where user_type = ${userType}`;
      const by = sql.raw(`${ORDERS[order.replace('-', '')] ?? 'requests'} ${order.startsWith('-') ? 'desc' : 'asc'}`);
      const rows = await told<VisitorFigures & { total: number }>(
        sql`${typed(table, question)} select *, count(*) over () as total from typed${of} order by ${by}, v limit ${limit} offset ${offset}`,
      );
      const total =
        rows[0]?.total ??
        (offset === 0 ? 0 : (await told<{ n: number }>(sql`${typed(table, question)} select count(*) as n from typed${of}`))[0]?.n);
      return { visitors: rows.map(numbered), total: Number(total ?? 0) };
    },
    async details(question, visitors) {
      if (visitors.length === 0) return [];
      return told<{ v: string; detail: string }>(
        sql`with ${picked(table, { ...question, columns: ['detail'], visitors })} select v, detail from picked where inside = 1`,
      );
    },
  };
}

/** Sums of PostgreSQL come as text. */
function numbered(row: VisitorFigures): VisitorFigures {
  const { v, user_id, user_type, device, ...figures } = row;
  const numbers = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]));
  return { v, user_id, user_type, device, ...(numbers as Omit<VisitorFigures, 'v' | 'user_id' | 'user_type' | 'device'>) };
}

/** Which rows, and what of them: what is not needed is not read, as details are most of a row. */
interface Wanted extends VisitorQuestion {
  columns: readonly string[];
  /** Of these visitors alone. */
  visitors?: readonly string[];
}

/**
 * Rows of the window (`inside`) and of the time before it that can be recognised: the period of the window's key and the one before,
 * whose rows carry the next key's names. `edge`: the row begins or ends so near to the end of its stretch that a visit may go on in the next one.
 * `late`: not in its day yet though that is over, so it may lie within it. Not materialized: it is read thrice, and each time little of it is needed.
 */
function picked(table: RawBuilder<unknown>, { window, principal, columns, visitors }: Wanted): RawBuilder<unknown> {
  const keyFrom = sql.lit(keyPeriod(window) * ADDRESS_PERIOD_MS);
  const scopes = principal === null ? ['all', 'anonymous'] : [principal];
  const of = visitors
    ? sql` and ((start >= ${keyFrom} and visitor in (${sql.join(visitors)})) or (start < ${keyFrom} and visitor_next in (${sql.join(visitors)})))`
    : sql``;
  const parts = segmentsOf(window, keyPeriod(window) * ADDRESS_PERIOD_MS - ADDRESS_PERIOD_MS).map(
    ({ size, open, from, to }) =>
      sql`select case when start < ${keyFrom} then visitor_next else visitor end as v, case when start >= ${sql.lit(window.from)} then 1 else 0 end as inside,
        ${edgeOf(size)} as edge, ${isLate(size, open) ? sql`case when start < ${sql.lit(startOfDay(window.to))} then 1 else 0 end` : sql`0`} as late, ${sql.raw(columns.join(', '))}
        from ${table} where size = ${sql.lit(size)} and start >= ${sql.lit(from)} and start < ${sql.lit(to)} and scope in (${sql.join(scopes)})${
          open ? sql` and rolled = 0` : sql``
        }${of}`,
  );
  return sql`picked as not materialized (${sql.join(parts, sql` union all `)})`;
}

/** Stretches of at most an hour are all edge; longer ones begin and end at a midnight, the running ten days at any. */
const edgeOf = (size: number): RawBuilder<unknown> =>
  size === MINUTE || size === HOUR
    ? sql`1`
    : sql.raw(`case when first_at % ${DAY_MS} < ${SESSION_GAP_MS} or last_at % ${DAY_MS} >= ${DAY_MS - SESSION_GAP_MS} then 1 else 0 end`);

const isLate = (size: number, open: boolean) => open && (size === MINUTE || size === HOUR);

function segmentsOf({ from, unit }: UsageWindow, history: number): Segment[] {
  const end = Number.MAX_SAFE_INTEGER;
  // The last 24 hours begin inside a day: that day by hours, the days before it whole.
  const edge = unit === 'day' ? from : startOfDay(from);
  const tens = startOfTenDays(edge);
  /** The first ten days that lie in the window as a whole. */
  const whole = unit === 'day' ? startOfTenDays(edge + TEN_DAYS_MS - 1) : end;
  return [
    { size: TEN_DAYS, open: false, from: history, to: tens },
    { size: TEN_DAYS, open: false, from: whole, to: end },
    { size: DAY, open: false, from: tens, to: unit === 'day' ? whole : edge },
    { size: DAY, open: true, from: history, to: tens },
    ...(unit === 'day' ? [{ size: DAY, open: true, from: whole, to: end }] : [{ size: HOUR, open: false, from: edge, to: end }]),
    { size: HOUR, open: true, from: history, to: unit === 'day' ? end : edge },
    { size: MINUTE, open: true, from: history, to: end },
  ];
}

const inside = (expression: string) => `sum(case when inside = 1 then ${expression} else 0 end)`;
const isJoined = `first_at - before < ${SESSION_GAP_MS}`;
const SUMS = ['requests', 'errors', 'timed', 'ms', 'desktop', 'mobile', 'bot', 'client', 'unknown', 'by_key', 'by_api'];
const READ = ['start', 'user_id', ...SUMS, 'sessions', 'active_ms', 'first_at', 'last_at'];
const DEVICES = ['desktop', 'mobile', 'client', 'bot', 'unknown'];

/** One row per visitor of the window, with what they are. Visits that go on from one stored stretch to the next are one. */
function typed(table: RawBuilder<unknown>, question: VisitorQuestion): RawBuilder<unknown> {
  const device = DEVICES.map((name) => `when ${DEVICES.map((other) => `${name} >= ${other}`).join(' and ')} then '${name}'`).join(' ');
  return sql`with ${picked(table, { ...question, columns: READ })},
    gaps as (select v, first_at, lag(last_at) over (partition by v order by first_at, last_at) as before from picked
      where inside = 1 and (edge = 1 or v in (select v from picked where late = 1))),
    joins as (select v, count(*) as joined, sum(first_at - before) as joined_ms from gaps where ${sql.raw(isJoined)} group by v),
    sums as (select v, max(user_id) as user_id, min(first_at) as first_seen, max(last_at) as last_seen,
      ${sql.raw([...SUMS, 'sessions', 'active_ms'].map((name) => `${inside(name)} as ${name}`).join(', '))}
      from picked group by v having ${sql.raw(inside('requests'))} > 0),
    people as (select sums.v, user_id, first_seen, last_seen, ${sql.raw(SUMS.join(', '))}, sessions - coalesce(joined, 0) as sessions,
      active_ms + coalesce(joined_ms, 0) as active_ms from sums left join joins on joins.v = sums.v),
    typed as (select people.*, ${sql.raw(`case ${device} end`)} as device,
      case when bot * 2 > requests then 'bot' when requests > ${sql.lit(POWER_USER_REQUESTS)} then 'power_user'
        when by_api * 5 >= requests * 4 then 'api_client' when sessions >= 2 then 'regular' else 'casual' end as user_type from people)`;
}

import { DAY_MS, POWER_USER_REQUESTS, type UserType, type UsageWindow } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { FIGURE_TABLES } from './store-figures.ts';
import { HOUR, MINUTE, TEN_DAYS, type Device, type PrincipalKind } from './types.ts';
import { type Piece, piecesOf } from './visitor-pieces.ts';
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
  /** How many there are, and how many are power users: without their visits, which are most of the work. */
  counts(question: VisitorQuestion): Promise<{ visitors: number; powerUsers: number }>;
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
  const rows = createRows(database);
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(db)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    async counts(question) {
      const inside = piecesOf(question.window).filter(({ isHistory }) => !isHistory);
      const [row] = await told<{ visitors: number; power_users: number | null }>(
        sql`select count(*) as visitors, sum(case when ${sql.raw(IS_BOT)} or not ${sql.raw(IS_POWER_USER)} then 0 else 1 end) as power_users
          from (select v, ${sql.raw(['requests', 'bot'].map(asReal).join(', '))} from (${sql.join(
            inside.map((piece) => rows(question, piece, { columns: 'requests, bot' })),
            UNION,
          )}) counted group by v) people`,
      );
      return { visitors: Number(row?.visitors ?? 0), powerUsers: Number(row?.power_users ?? 0) };
    },
    async totals(question) {
      const groups = await told<Record<string, number | string>>(
        sql`${typed(rows, question)} select user_type, device, count(*) as visitors, sum(case when first_seen >= ${question.window.from} then 1 else 0 end) as newcomers,
          count(user_id) as accounts, sum(requests) as requests, sum(sessions) as sessions, sum(active_ms) as active_ms from typed group by user_type, device`,
      );
      const sum = (member: string) => groups.reduce((total, row) => total + Number(row[member]), 0);
      const by = (member: string) => {
        const found = new Map<string, number>();
        for (const row of groups) found.set(String(row[member]), (found.get(String(row[member])) ?? 0) + Number(row['visitors']));
        return found;
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
      const found = await told<VisitorFigures & { total: number }>(
        sql`${typed(rows, question)} select *, count(*) over () as total from typed${of} order by ${by}, v limit ${limit} offset ${offset}`,
      );
      const total =
        found[0]?.total ??
        (offset === 0 ? 0 : (await told<{ n: number }>(sql`${typed(rows, question)} select count(*) as n from typed${of}`))[0]?.n);
      return { visitors: found.map(numbered), total: Number(total ?? 0) };
    },
    async details(question, visitors) {
      if (visitors.length === 0) return [];
      return told(detailRows(rows, question, visitors));
    },
  };
}

/** Sums of PostgreSQL come as text. */
function numbered(row: VisitorFigures): VisitorFigures {
  const { v, user_id, user_type, device, ...figures } = row;
  const numbers = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]));
  return { v, user_id, user_type, device, ...(numbers as Omit<VisitorFigures, 'v' | 'user_id' | 'user_type' | 'device'>) };
}

const UNION = sql` union all `;
const isAccountOr = (principal: PrincipalKind | null) => sql.join(principal === null ? ['all', 'anonymous'] : [principal]);

/** Builds the statements of one database: which tables, and which rows of them. */
function createRows(database: Database) {
  const table = (name: string) => sql.raw(database.table('usage', name));
  /** Rows of days and ten days are narrow where what visitors used is not asked for; what is in no bigger stretch yet has one form only. */
  const from = ({ size, open }: Piece, wide: boolean) => {
    const narrow = wide || open ? undefined : FIGURE_TABLES.get(size);
    if (narrow !== undefined) return sql`${table(narrow)} where`;
    // Written out, as the index of these rows is found by it.
    return sql`${table('visitors')} where size = ${sql.lit(size)} and${open ? sql` rolled = 0 and size < ${sql.lit(TEN_DAYS)} and` : sql``}`;
  };
  return ({ principal }: VisitorQuestion, piece: Piece, what: { columns: string; wide?: boolean; of?: RawBuilder<unknown> }) =>
    sql`select ${sql.raw(nameOf(piece))} as v, ${sql.raw(what.columns)} from ${from(piece, what.wide ?? false)} start >= ${sql.lit(piece.from)}
      and start < ${sql.lit(piece.to)} and scope in (${isAccountOr(principal)})${what.of ?? sql``}`;
}
type Rows = ReturnType<typeof createRows>;

const nameOf = ({ isNext }: Piece) => (isNext ? 'visitor_next' : 'visitor');

/** What these visitors used, of rows that have it. */
function detailRows(rows: Rows, question: VisitorQuestion, visitors: readonly string[]): RawBuilder<{ v: string; detail: string }> {
  const parts = piecesOf(question.window)
    .filter(({ isHistory }) => !isHistory)
    .map((piece) =>
      rows(question, piece, { columns: 'detail', wide: true, of: sql` and ${sql.ref(nameOf(piece))} in (${sql.join(visitors)})` }),
    );
  return sql`${sql.join(parts, UNION)}`;
}

/**
 * Which rows may hold a visit that goes on in another one. Stretches of at most an hour: all. Longer ones begin and end at a midnight, the running ten days at
 * any: those whose requests begin or end near one. And all of a visitor who has late rows, which may lie anywhere.
 */
const isNear = (piece: Piece) =>
  piece.size === MINUTE || piece.size === HOUR
    ? sql``
    : sql.raw(` and (first_at % ${DAY_MS} < ${SESSION_GAP_MS} or last_at % ${DAY_MS} >= ${DAY_MS - SESSION_GAP_MS}
        or ${nameOf(piece)} in (select v from late))`);

const isJoined = `first_at - before < ${SESSION_GAP_MS}`;
const COUNTS = [
  'requests',
  'errors',
  'timed',
  'desktop',
  'mobile',
  'bot',
  'client',
  'unknown',
  'by_key',
  'by_api',
  'sessions',
  'active_ms',
];
const READ = ['user_id', 'ms', ...COUNTS, 'first_at', 'last_at'].join(', ');
const DEVICES = ['desktop', 'mobile', 'client', 'bot', 'unknown'];
const IS_BOT = 'bot * 2 > requests';
const IS_POWER_USER = `requests > ${POWER_USER_REQUESTS}`;
const asReal = (name: string) => `sum(cast(${name} as double precision)) as ${name}`;

/** One row per visitor of the window, with what they are. Visits that go on from one stored stretch to the next are one. */
function typed(rows: Rows, question: VisitorQuestion): RawBuilder<unknown> {
  const pieces = piecesOf(question.window);
  const inside = pieces.filter(({ isHistory }) => !isHistory);
  const history = pieces.filter(({ isHistory }) => isHistory);
  const union = (of: readonly RawBuilder<unknown>[]) => (of.length === 0 ? noRows : sql.join(of, UNION));
  const times = { columns: 'first_at, last_at' };
  const noRows = sql`select null as v, 0 as first_at, 0 as last_at where 1 = 0`;
  const late = union(inside.filter(({ isLate }) => isLate).map((piece) => rows(question, piece, times)));
  const near = union(inside.map((piece) => rows(question, piece, { ...times, of: isNear(piece) })));
  const device = DEVICES.map((name) => `when ${DEVICES.map((other) => `${name} >= ${other}`).join(' and ')} then '${name}'`).join(' ');
  // Sums of counts are whole numbers far below 2^53: as reals they are exact, and PostgreSQL adds them without its decimals.
  return sql`with late as (${late}),
    gaps as (select v, first_at, lag(last_at) over (partition by v order by first_at, last_at) as before from (${near}) near),
    joins as (select v, count(*) as joined, sum(first_at - before) as joined_ms from gaps where ${sql.raw(isJoined)} group by v),
    known as (select v, min(first_at) as known_at from (${union(history.map((piece) => rows(question, piece, times)))}) earlier group by v),
    sums as (select v, max(user_id) as user_id, min(first_at) as first_at, max(last_at) as last_seen, sum(ms) as ms,
      ${sql.raw(COUNTS.map(asReal).join(', '))} from (${union(inside.map((piece) => rows(question, piece, { columns: READ })))}) counted group by v),
    people as (select sums.v, user_id, coalesce(known_at, first_at) as first_seen, last_seen, ms, requests, errors, timed, desktop, mobile, bot, client,
      unknown, by_key, by_api, sessions - coalesce(joined, 0) as sessions, active_ms + coalesce(joined_ms, 0) as active_ms
      from sums left join joins on joins.v = sums.v left join known on known.v = sums.v),
    typed as (select people.*, ${sql.raw(`case ${device} end`)} as device,
      case when ${sql.raw(IS_BOT)} then 'bot' when ${sql.raw(IS_POWER_USER)} then 'power_user'
        when by_api * 5 >= requests * 4 then 'api_client' when sessions >= 2 then 'regular' else 'casual' end as user_type from people)`;
}

import { bundlesOf } from '@nwms/server/features/usage/bundles';
import { putRollups, VISITOR_COLUMNS } from '@nwms/server/features/usage/store-write';
import { Tally } from '@nwms/server/features/usage/tally';
import { traitsOf } from '@nwms/server/features/usage/traits';
import {
  DAY,
  type Described,
  HOUR,
  type RollupRow,
  TEN_DAYS,
  type Traits,
  type UsageRow,
  type VisitorRow,
} from '@nwms/server/features/usage/types';
import { VisitorTally } from '@nwms/server/features/usage/visitor-tally';
import { startOfDay, startOfHour, startOfTenDays } from '@nwms/domain';
import type { Database } from '@nwms/server/platform/db/types';
import type pg from 'pg';

const DAY_MS = 86_400_000;
const noPause = async () => {};

/**
 * Fills the records with made-up requests of the last 90 days, on the server: a few routes and callers make most of them. Indexes are those of the
 * product, made afterwards; nothing here needs to survive a crash.
 */
export async function fillRequests(client: pg.Client, count: number, now: number): Promise<void> {
  const { rows: indexes } = await client.query<{ indexdef: string; indexname: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = 'usage' and tablename = 'requests' and indexname like 'requests\\_%' and indexname <> 'requests_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index usage."${indexname}"`);
  await client.query(
    `alter table usage.requests set unlogged; alter table usage.visitors set unlogged; alter table usage.rollups set unlogged`,
  );
  await client.query(
    `insert into usage.requests select 'r' || n, $2::bigint - (u1 * 90 * ${DAY_MS})::bigint,
      '/api/v1/route/' || floor(25 * u2 * u2), case when u3 < 0.95 then 'GET' else 'POST' end,
      s.status, case when s.status >= 400 then 'error.code_' || (n % 5) else null end, exp(1 + 5 * u4), 1000 + n % 50000,
      p.principal, case when p.principal = 'key' then 'key_' || c.caller % 50 end, case when p.principal <> 'anonymous' then 'usr_' || c.caller % 300 end,
      case when p.principal <> 'anonymous' then 'usr_' || c.caller % 300 else 'vis_' || c.caller end,
      case when p.principal <> 'anonymous' then 'usr_' || c.caller % 300 else 'vis_n' || c.caller end,
      left(md5(c.caller::text), 22), left(md5('next' || c.caller), 22), 'C' || chr(65 + c.caller % 20), null, 'City ' || c.caller % 80,
      'Browser ' || c.caller % 8, 'OS ' || c.caller % 4, (array['desktop', 'desktop', 'mobile', 'bot', 'client'])[1 + c.caller % 5],
      case when c.caller % 5 >= 3 then 'agent ' || c.caller % 9 end, 'none', case when s.status = 200 then n % 30 else 0 end, (n % 7 = 0)::int, (n % 11 = 0)::int, 1, 'req_' || n
    from (select n, random() as u1, random() as u2, random() as u3, random() as u4, random() as u5, random() as u6, random() as u7 from generate_series(1, $1::bigint) n) g
    cross join lateral (select case when u5 < 0.8 then 200 when u5 < 0.93 then 304 when u5 < 0.98 then 404 else 503 end as status) s
    cross join lateral (select case when u6 < 0.7 then 'anonymous' when u6 < 0.85 then 'key' else 'session' end as principal) p
    cross join lateral (select floor(20000 * u7 * u7 * u7)::int as caller) c`,
    [count, now],
  );
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query('vacuum analyze usage.requests');
}

/** One stretch of what is counted by. */
type OpenRollups = Map<string, { size: number; start: number; kind: string; name: string; principal: string; tally: Tally }>;
type OpenVisitors = Map<string, { visitor: string; scope: string; tally: VisitorTally }>;

/** Puts the roll-ups together as the product would have by now: hours, days and ten days, all marked. */
export async function rollUpRequests(database: Database, client: pg.Client, now: number): Promise<void> {
  const known = new Map<string, Traits>();
  let tens = { start: Number.NaN, rollups: new Map() as OpenRollups, visitors: new Map() as OpenVisitors };
  const closeTens = async () => {
    await put(database, tens.rollups);
    await putVisitors(client, tens.visitors, { size: TEN_DAYS, start: tens.start, rolled: 0 });
  };
  for (let day = startOfDay(now) - 90 * DAY_MS; day <= now; day += DAY_MS) {
    if (startOfTenDays(day) !== tens.start) {
      await closeTens();
      tens = { start: startOfTenDays(day), rollups: new Map(), visitors: new Map() };
    }
    const rollups: OpenRollups = new Map();
    const visitors: OpenVisitors = new Map();
    for (const bundles of (await bundlesOf(await rowsOf(client, day, known), noPause)).values()) {
      for (const bundle of bundles) {
        const { kinds, principal, scopes, visitor } = bundle.traits;
        for (const [kind, name] of kinds) {
          // Hours that are in their day already are read of everything together only.
          if (kind === 'all') tallyOf(rollups, { size: HOUR, start: startOfHour(bundle.firstAt), kind, name, principal }).add(bundle);
          tallyOf(rollups, { size: DAY, start: day, kind, name, principal }).add(bundle);
          tallyOf(tens.rollups, { size: TEN_DAYS, start: tens.start, kind, name, principal }).add(bundle);
        }
        for (const scope of scopes) for (const open of [visitors, tens.visitors]) visitorOf(open, visitor, scope).add(bundle);
      }
    }
    await put(database, rollups);
    await putVisitors(client, visitors, { size: DAY, start: day, rolled: 1 });
  }
  await closeTens();
  await client.query('vacuum analyze usage.rollups');
  await client.query('vacuum analyze usage.visitors');
}

function tallyOf(open: OpenRollups, key: Omit<RollupRow, keyof ReturnType<Tally['encoded']> | 'part' | 'rolled'>): Tally {
  const text = `${key.size} ${key.start} ${key.kind} ${key.principal} ${key.name}`;
  let one = open.get(text);
  if (!one) open.set(text, (one = { ...key, tally: new Tally(key.kind) }));
  return one.tally;
}

function visitorOf(open: OpenVisitors, visitor: string, scope: string): VisitorTally {
  let one = open.get(`${scope} ${visitor}`);
  if (!one) open.set(`${scope} ${visitor}`, (one = { visitor, scope, tally: new VisitorTally() }));
  return one.tally;
}

const put = (database: Database, open: OpenRollups): Promise<void> =>
  database.usage.transaction().execute((transaction) => {
    const rows = [...open.values()].map(({ tally, ...key }) => ({
      ...key,
      part: '',
      rolled: key.size === TEN_DAYS ? 0 : 1,
      ...tally.encoded(),
    }));
    return putRollups(database, transaction, rows, noPause);
  });

const VISITOR_TYPES: Record<string, string> = {
  visitor: 'text',
  scope: 'text',
  part: 'text',
  visitor_next: 'text',
  user_id: 'text',
  detail: 'text',
  ms: 'float8',
};
const ROWS_PER_STATEMENT = 5_000;

/** Column by column: a few thousand rows in one statement of two dozen parameters. */
async function putVisitors(client: pg.Client, open: OpenVisitors, at: Pick<VisitorRow, 'size' | 'start' | 'rolled'>): Promise<void> {
  const all = [...open.values()];
  const arrays = VISITOR_COLUMNS.map((name, n) => `$${n + 1}::${VISITOR_TYPES[name] ?? 'int8'}[]`);
  for (let start = 0; start < all.length; start += ROWS_PER_STATEMENT) {
    const rows: VisitorRow[] = all
      .slice(start, start + ROWS_PER_STATEMENT)
      .map(({ tally, ...key }) => ({ ...at, ...key, part: '', ...tally.encoded() }));
    await client.query({
      name: 'put visitors',
      text: `insert into usage.visitors (${VISITOR_COLUMNS.join(', ')}) select * from unnest(${arrays.join(', ')})`,
      values: VISITOR_COLUMNS.map((name) => rows.map((row) => row[name])),
    });
  }
}

const TRAIT_COLUMNS = {
  endpoint: 'endpoint',
  method: 'method',
  status: 'status',
  error: 'error',
  cache: 'cache',
  principal: 'principal',
  keyId: 'key_id',
  userId: 'user_id',
  visitor: 'visitor',
  visitorNext: 'visitor_next',
  address: 'address',
  addressNext: 'address_next',
  country: 'country',
  region: 'region',
  city: 'city',
  browser: 'browser',
  os: 'os',
  device: 'device',
  agent: 'agent',
} as const satisfies Record<keyof Described, string>;

/** Requests of one day. Traits are remembered: what callers and routes have in common is worked out once. */
async function rowsOf(client: pg.Client, day: number, known: Map<string, Traits>): Promise<UsageRow[]> {
  const columns = Object.values(TRAIT_COLUMNS);
  const { rows } = await client.query<unknown[]>({
    name: 'requests of a day',
    text: `select at::float8, ms, bytes::float8, alerts, geographic, time_filtered, ${columns.join(', ')} from usage.requests where at >= $1 and at < $2 order by at`,
    values: [day, day + DAY_MS],
    rowMode: 'array',
  });
  return rows.map(([at, ms, bytes, alerts, geographic, timeFiltered, ...described]) => {
    const key = described.join('|');
    let traits = known.get(key);
    if (!traits) {
      const members = Object.fromEntries(Object.keys(TRAIT_COLUMNS).map((name, n) => [name, described[n]]));
      if (known.size > 300_000) known.clear();
      known.set(key, (traits = traitsOf(members as unknown as Described)));
    }
    const own = { at: at as number, ms: ms as number, bytes: bytes as number, alerts: alerts as number };
    return { traits, ...own, geographic: geographic === 1, timeFiltered: timeFiltered === 1, cost: 1, requestId: '' };
  });
}

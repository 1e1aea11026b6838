import { startOfDay, startOfHour } from '@nwms/domain';
import { cityName, endpointName, kindsOf, Tally } from '@nwms/server/features/usage/tally';
import { putRollups, putVisitors } from '@nwms/server/features/usage/store-write';
import { DAY, HOUR, type UsageRow } from '@nwms/server/features/usage/types';
import { VisitorTally } from '@nwms/server/features/usage/visitor-tally';
import type { Database } from '@nwms/server/platform/db/types';
import type pg from 'pg';

const DAY_MS = 86_400_000;
const noPause = async () => {};

/** Fills the records with made-up requests of the last 90 days, on the server: a few routes and callers make most of them. */
export async function fillRequests(client: pg.Client, count: number, now: number): Promise<void> {
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
  await client.query('analyze usage.requests');
}

/** Puts the roll-ups together as the product would have by now: hours and days, all marked. */
export async function rollUpRequests(database: Database, client: pg.Client, now: number): Promise<void> {
  for (let day = startOfDay(now) - 90 * DAY_MS; day <= now; day += DAY_MS) {
    const { rows } = await client.query<Record<string, unknown>>('select * from usage.requests where at >= $1 and at < $2 order by at', [
      day,
      day + DAY_MS,
    ]);
    const stretches = new Map<string, { size: number; start: number; kind: string; name: string; principal: string; tally: Tally }>();
    const visitors = new Map<string, { visitor: string; scope: string; tally: VisitorTally }>();
    for (const raw of rows) {
      const row = rowOf(raw);
      for (const [kind, name] of kindsOf(row)) {
        for (const [size, start] of [
          [HOUR, startOfHour(row.at)],
          [DAY, day],
        ] as const) {
          // Hours that are in their day already are read of everything together only.
          if (size === HOUR && kind !== 'all') continue;
          const key = `${size} ${start} ${kind} ${row.principal} ${name}`;
          let one = stretches.get(key);
          if (!one) stretches.set(key, (one = { size, start, kind, name, principal: row.principal, tally: new Tally(kind) }));
          one.tally.add(row);
        }
      }
      for (const scope of row.principal === 'anonymous' ? ['anonymous'] : ['all', row.principal]) {
        const key = `${scope} ${row.visitor}`;
        let one = visitors.get(key);
        if (!one) visitors.set(key, (one = { visitor: row.visitor, scope, tally: new VisitorTally() }));
        one.tally.add(row, { endpoint: endpointName(row.method, row.endpoint), place: cityName(row) });
      }
    }
    await database.usage.transaction().execute(async (transaction) => {
      const rolled = [...stretches.values()].map(({ tally, ...key }) => ({
        ...key,
        part: '',
        rolled: key.size === HOUR ? 1 : 0,
        ...tally.encoded(),
      }));
      await putRollups(database, transaction, rolled, noPause);
      const people = [...visitors.values()].map(({ tally, ...key }) => ({
        ...key,
        size: DAY,
        start: day,
        part: '',
        rolled: 0,
        ...tally.encoded(),
      }));
      await putVisitors(database, transaction, people, noPause);
    });
  }
  await client.query('analyze usage.rollups; analyze usage.visitors');
}

function rowOf(raw: Record<string, unknown>): UsageRow {
  return {
    ...(raw as unknown as UsageRow),
    at: Number(raw['at']),
    bytes: Number(raw['bytes']),
    keyId: raw['key_id'] as string | null,
    userId: raw['user_id'] as string | null,
    visitorNext: String(raw['visitor_next']),
    addressNext: String(raw['address_next']),
    geographic: raw['geographic'] === 1,
    timeFiltered: raw['time_filtered'] === 1,
    requestId: String(raw['request_id']),
  };
}

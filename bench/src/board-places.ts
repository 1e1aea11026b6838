import type { alerts, QueryOf } from '@nwms/contract';
import { systemClock } from '@nwms/server/platform/clock';
import { compileFilter } from '@nwms/server/features/alerts/query/filter';
import { factsOf } from '@nwms/server/features/alerts/query/kept-rows';
import { selectRows } from '@nwms/server/features/alerts/query/select';
import { compileTime } from '@nwms/server/features/alerts/query/time';
import pg from 'pg';
import { createWorld, type World } from '../../apps/server/test/alerts-world.ts';
import { generateMessages, seeded } from './board-messages.ts';
import { type BenchContext, type Benchmark, type Figure, figure, median } from './harness.ts';

type Query = Pick<QueryOf<typeof alerts.listAlerts>, 'lat' | 'lon' | 'radius_km' | 'bbox' | 'polygon'>;
interface Asked {
  ours: Query;
  sql: string;
  values: (number | string)[];
  /** Where, for asking many at once, and how. */
  wkt: string;
  within: 'ST_DWithin(s.geog, a.place::geography, 25000)' | 'ST_Intersects(s.geom, a.place)';
}

const NEAR = 'SELECT id FROM shapes WHERE ST_DWithin(geog, ST_MakePoint($1, $2)::geography, $3)';
const BOX = 'SELECT id FROM shapes WHERE ST_Intersects(geom, ST_MakeEnvelope($1, $2, $3, $4, 4326))';
const AREA = 'SELECT id FROM shapes WHERE ST_Intersects(geom, ST_GeomFromText($1, 4326))';

const degrees = (value: number): number => Math.round(value * 1e4) / 1e4;

const KINDS: Record<string, (random: () => number) => Asked> = {
  'point, 25 km': (random) => {
    const [lon, lat] = [degrees(-125 + random() * 60), degrees(25 + random() * 24)];
    return {
      ours: { lat, lon, radius_km: 25 },
      sql: NEAR,
      values: [lon, lat, 25_000],
      wkt: `POINT(${lon} ${lat})`,
      within: 'ST_DWithin(s.geog, a.place::geography, 25000)',
    };
  },
  box: (random) => {
    const [west, south] = [degrees(-125 + random() * 58), degrees(25 + random() * 22)];
    const [east, north] = [degrees(west + 0.5 + random() * 2), degrees(south + 0.5 + random() * 2)];
    const wkt = `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`;
    return {
      ours: { bbox: `${west},${south},${east},${north}` },
      sql: BOX,
      values: [west, south, east, north],
      wkt,
      within: 'ST_Intersects(s.geom, a.place)',
    };
  },
  polygon: (random) => {
    const [lon, lat] = [-123 + random() * 56, 27 + random() * 20];
    const ring = Array.from({ length: 12 }, (_, corner): [number, number] => {
      const reach = 0.5 + random();
      return [degrees(lon + reach * Math.cos((corner * Math.PI) / 6)), degrees(lat + reach * Math.sin((corner * Math.PI) / 6))];
    });
    const closed = [...ring, ring[0] ?? [lon, lat]];
    const wkt = `POLYGON((${closed.map((position) => position.join(' ')).join(',')}))`;
    return {
      ours: { polygon: ring.map((position) => position.join(',')).join(';') },
      sql: AREA,
      values: [wkt],
      wkt,
      within: 'ST_Intersects(s.geom, a.place)',
    };
  },
};

/** P4: places and areas against PostGIS with GiST on the same shapes, one caller each, identical ids. */
export const boardPlaces: Benchmark = {
  name: 'P4',
  what: 'alerts near a place and within an area, 2,000 shapes, against PostGIS',
  async run(context) {
    const few = await compare(context, 2_000);
    const many = await compare(context, 20_000);
    return [...few, ...many, ...few.flatMap((before, index) => (before.target ? growthOf(before, many[index]) : []))];
  },
};

/** How many times as long one question takes with ten times the shapes (and ten times the answers), ours and PostGIS's. */
function growthOf(before: Figure, after: Figure | undefined): Figure[] {
  if (!after) return [];
  const name = `${before.name.split(',')[0] ?? ''}, growth with 10 x the shapes`;
  return [figure({ name, unit: 'x', ours: before.ours / after.ours, yardstick: before.yardstick / after.yardstick, target: null })];
}

async function compare(context: BenchContext, count: number): Promise<Figure[]> {
  const now = systemClock.now();
  const world = await createWorld({ at: now });
  world.apply(generateMessages(count, now));
  const postgis = await openPostgis(world);
  if (!postgis) {
    context.log('PostGIS is not reachable (NWMS_TEST_POSTGRES_URL): nothing to compare with');
    await world.close();
    return [];
  }
  const figures: Figure[] = [];
  try {
    for (const [kind, make] of Object.entries(KINDS)) {
      const random = seeded(count + kind.length);
      const asked = Array.from({ length: context.quick ? 300 : 1_000 }, () => make(random));
      const different = await differences(world, postgis.client, asked);
      const [ours, theirs]: [number[], number[]] = [[], []];
      const processor = process.cpuUsage();
      for (const one of asked) await ask(world, one.ours);
      const { user, system } = process.cpuUsage(processor);
      const cpuMicroseconds = (user + system) / asked.length;
      for (let round = 0; round < (context.quick ? 2 : 5); round += 1) {
        ours.push(await ratePerSecond(asked, (one) => ask(world, one.ours)));
        theirs.push(await ratePerSecond(asked, (one) => postgis.client.query({ name: kind, text: one.sql, values: one.values })));
      }
      const same = different === 0 ? `identical ids in ${asked.length} queries` : `${different} of ${asked.length} queries differ`;
      const note = `${same}; ${cpuMicroseconds.toFixed(1)} µs of our processor per query`;
      const inServer = await ratesInServer(postgis.client, asked, context.quick ? 2 : 5);
      const target = count === 2_000 ? ({ sign: '>=', ratio: 20 } as const) : null;
      figures.push(
        figure({ name: `P4 ${kind}, ${count} shapes`, unit: '/s', ours: median(ours), yardstick: median(theirs), target, note }),
        // Without the way to the server and back, which a process that asks PostGIS has to go.
        figure({
          name: `P4 ${kind}, ${count}, inside the server`,
          unit: '/s',
          ours: median(ours),
          yardstick: median(inServer),
          target: null,
        }),
      );
    }
  } finally {
    await postgis.close();
    await world.close();
  }
  return figures;
}

async function ask({ alerts: { board }, places, clock }: World, query: Query): Promise<string[]> {
  const filter = { ...query, active_only: true };
  const question = { filter, compiled: compileFilter(filter, places), time: compileTime({}, clock.now()), view: 'events' as const };
  const { rows } = await selectRows({ board, places, clock, archive: noArchive }, question, ({ alert }) => alert.id);
  return rows.map(factsOf(({ alert }) => alert.id));
}

/** Active alerts are all on the board. */
const noArchive = {} as Parameters<typeof selectRows>[0]['archive'];

async function differences(world: World, client: pg.Client, asked: readonly Asked[]): Promise<number> {
  let different = 0;
  for (const { ours, sql, values } of asked) {
    const theirs = (await client.query<{ id: string }>(sql, values)).rows.map((row) => row.id).sort();
    if (JSON.stringify((await ask(world, ours)).sort()) !== JSON.stringify(theirs)) different += 1;
  }
  return different;
}

async function ratePerSecond(asked: readonly Asked[], run: (one: Asked) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (const one of asked) await run(one);
  return (asked.length * 1000) / (performance.now() - startedAt);
}

/** All places in one statement, by the same indexes: what PostGIS itself takes. */
async function ratesInServer(client: pg.Client, asked: readonly Asked[], rounds: number): Promise<number[]> {
  await client.query('CREATE TEMP TABLE asked (place geometry(Geometry, 4326))');
  await client.query('INSERT INTO asked SELECT ST_GeomFromText(r, 4326) FROM unnest($1::text[]) r', [asked.map(({ wkt }) => wkt)]);
  await client.query('ANALYZE asked');
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await client.query(`SELECT count(s.id) FROM asked a CROSS JOIN LATERAL (SELECT id FROM shapes s WHERE ${asked[0]?.within}) s`);
    rates.push((asked.length * 1000) / (performance.now() - startedAt));
  }
  await client.query('DROP TABLE asked');
  return rates;
}

/** A database of its own, dropped afterwards. */
async function openPostgis(world: World): Promise<{ client: pg.Client; close(): Promise<void> } | null> {
  const base = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const admin = new pg.Client({ connectionString: base, connectionTimeoutMillis: 1_000 });
  try {
    await admin.connect();
  } catch {
    return null;
  }
  const name = `nwms_bench_${process.pid}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query('CREATE EXTENSION postgis; CREATE TABLE shapes (id text PRIMARY KEY, geom geometry(Geometry, 4326), geog geography)');
  const rows = world.alerts.board.rows().map((row) => [row.alert.id, row.presented.area.json]);
  await client.query(
    'INSERT INTO shapes SELECT r->>0, ST_GeomFromGeoJSON(r->>1), ST_GeomFromGeoJSON(r->>1)::geography FROM jsonb_array_elements($1::jsonb) r',
    [JSON.stringify(rows)],
  );
  await client.query('CREATE INDEX ON shapes USING gist (geom); CREATE INDEX ON shapes USING gist (geog)');
  await client.query('VACUUM ANALYZE shapes');
  return {
    client,
    async close() {
      await client.end();
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    },
  };
}

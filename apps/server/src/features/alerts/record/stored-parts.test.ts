import { DAY_MS } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fakePlaces } from '../../../../test/alerts-world.ts';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import { createShapeCache } from '../board/shapes.ts';
import type { AlertFilter } from '../query/filter.ts';
import { dump, openStorage, type Opened, runStep, STEP_MS, T0 } from '../storage/storage-fixture.ts';
import { createWorld } from '../storage/storage-world-fixture.ts';
import { createAlertRecord } from './index.ts';
import type { AlertRecord } from './types.ts';
import { createTimelineFace, type TimelineFace } from './timeline-rows.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const signal = new AbortController().signal;
const LAST = 50;
const LIMIT = 10_000;

/** Is every revision said to have its parts? */
async function isComplete({ parts }: Pick<AlertRecord, 'parts'>): Promise<boolean> {
  for await (const slice of parts.between({ from: T0, to: T0 + 1, countableOnly: false, subjects: false })) return slice !== null;
  return false;
}

/** Both ways to the same rows: from what was written with every version, and from the states by the domain's rule. */
function facesOf({ database, clock, storage }: Opened): Record<'stored' | 'derived', TimelineFace> {
  const record = createAlertRecord({ database, clock, places: fakePlaces() });
  const board = { message: () => undefined, shapes: createShapeCache() };
  const deps = { clock, places: fakePlaces(), board, alertLog: storage.log, archive: storage.archive } as never;
  const notYet = {
    async *between() {
      yield null;
    },
  };
  const only = { ...record.reigns, spans: () => Promise.reject(new Error('states were asked for')) };
  return {
    stored: createTimelineFace(deps, { ...record, reigns: only }, async () => null),
    derived: createTimelineFace(deps, { ...record, parts: notYet }, async () => null),
  };
}

const FILTERS: AlertFilter[] = [
  {},
  { severity: ['Severe', 'Extreme'] },
  { family: ['severe', 'flood', 'tropical'] },
  { event: ['tornado warning', 'Flood Warning', 'Severe Thunderstorm Warning'] },
  { min_rank: 700 },
  { office: ['K'] },
  { status: ['Actual', 'Exercise', 'Test'] },
  { status: ['Test'] },
  { source: ['nws'] },
];

/** Mulberry: the same ranges on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function lines(face: TimelineFace, from: number, to: number, filter: AlertFilter): Promise<string[]> {
  const { rows } = await face.rows({ from, to, known: 'then', filter, limit: LIMIT, signal });
  return rows.map((row) => JSON.stringify(row));
}

const run = async (opened: Opened, first: number, last: number) => {
  const world = createWorld(23, 0.1);
  for (let step = first; step <= last; step += 1) await runStep(opened, world, step);
};

describe.each(engines)('stored parts on $name', (engine) => {
  it('API-45: answer every range and filter with the very rows that the states give by the rule of the domain', async () => {
    const place = await engine.place();
    const opened = await openStorage(place.config);
    await run(opened, 0, LAST);
    const { stored, derived } = facesOf(opened);
    const random = seeded(5);
    let seen = 0;
    for (let n = 0; n < 120; n += 1) {
      // Ranges begin up to two days before anything, so that slices of a day end in the midst of it, and some lie in the future.
      const from = Math.floor(T0 - 2 * DAY_MS + random() * (2 * DAY_MS + (LAST + 20) * STEP_MS));
      const to = from + Math.floor(1 + random() ** 3 * 4 * DAY_MS);
      const filter = FILTERS[n % FILTERS.length] ?? {};
      const expected = await lines(derived, from, to, filter);
      expect(await lines(stored, from, to, filter)).toEqual(expected);
      seen += expected.length;
    }
    expect(seen).toBeGreaterThan(1_000);
    await opened.close();
    await place.dispose();
  });

  it('are made for a record without them, in pieces, beside a writer, and become what the writer would have written', async () => {
    const places = [await engine.place(), await engine.place()] as const;
    const straight = await openStorage(places[0].config);
    await run(straight, 0, LAST);
    const wanted = (await dump(straight.database))['known_parts'];
    await straight.close();

    const opened = await openStorage(places[1].config);
    await run(opened, 0, LAST - 10);
    // As a record of the version before: revisions, and nothing of their parts.
    const table = (name: string) => sql.raw(opened.database.table('log', name));
    await sql`delete from ${table('known_parts')}`.execute(opened.database.log);
    await sql`delete from ${table('meta')} where key like 'parts%'`.execute(opened.database.log);
    const { derived } = facesOf(opened);
    const record = createAlertRecord({ database: opened.database, clock: opened.clock, places: fakePlaces() });
    const face = createTimelineFace(
      { clock: opened.clock, places: fakePlaces(), board: { message: () => undefined, shapes: createShapeCache() } } as never,
      record,
      async () => null,
    );
    const world = createWorld(23, 0.1);
    let pieces = 0;
    for (let step = LAST - 9; step <= LAST; step += 1) {
      if (!(await face.prepare(-1, signal))) pieces += 1;
      await runStep(opened, world, step);
      // Whether they are complete or not: never fewer rows than there are.
      expect(await lines(face, T0, opened.clock.now(), {})).toEqual(await lines(derived, T0, opened.clock.now(), {}));
    }
    expect(pieces).toBeGreaterThan(0);
    while (!(await face.prepare(0, signal))) pieces += 1;
    expect(await isComplete(record)).toBe(true);
    expect((await dump(opened.database))['known_parts']).toEqual(wanted);

    // A writer of the version before took over for a while: its entries have no parts, and that is noticed.
    await sql`update ${table('meta')} set value = '1' where key = 'parts_head'`.execute(opened.database.log);
    await sql`delete from ${table('known_parts')} where seq > 20`.execute(opened.database.log);
    expect(await isComplete(record)).toBe(false);
    expect(await lines(face, T0, opened.clock.now(), {})).toEqual(await lines(derived, T0, opened.clock.now(), {}));
    while (!(await face.prepare(0, signal)));
    expect((await dump(opened.database))['known_parts']).toEqual(wanted);
    await opened.close();
    for (const place of places) await place.dispose();
  });

  it('are complete in a new database, and refuse more versions than may be asked', async () => {
    const place = await engine.place();
    const database = await openDatabase(place.config, { migrations: MIGRATIONS });
    const opened = await openStorage(database);
    const record = createAlertRecord({ database, clock: opened.clock, places: fakePlaces() });
    expect(await isComplete(record)).toBe(true);
    await run(opened, 0, 12);
    expect(await isComplete(record)).toBe(true);
    const ask = { from: T0, to: T0 + DAY_MS, known: 'then', filter: {}, limit: 3, signal } as const;
    await expect(facesOf(opened).stored.rows(ask)).rejects.toMatchObject({ code: 'query.window_too_large' });
    await opened.close();
    await database.close();
    await place.dispose();
  });
});

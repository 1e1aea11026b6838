import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type ArchiveKind, DAY_MS, evaluate } from '@nwms/domain';
import { polygon, statement, warningColumns, watch } from '@nwms/domain/archive/archive-fixture';
import { sharedData, testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message, vtec } from '../../../test/alerts-world.ts';
import { createAlertRecord } from '../alerts/index.ts';
import { openStorage, noPlaces } from '../alerts/storage/storage-fixture.ts';
import { createCoveredFor, RefusedFile, StrictStop } from './index.ts';
import { importFile, manyWarnings, picture, testFolder } from './import-fixture.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const NOW = Date.UTC(2026, 10, 21, 19);
const SOURCES = { sources: ['nws', 'import'] };
const folder = testFolder();
afterAll(() => folder.dispose());

const row = (columns: Record<string, unknown> = {}) => warningColumns(columns) as Record<string, string>;
const feature = ({ columns, geometry }: { columns: object; geometry: unknown }) => ({ type: 'Feature', properties: columns, geometry });

async function openedOn(engine: (typeof engines)[number]) {
  const place = await engine.place();
  const storage = await openStorage(place.config, { at: NOW });
  const deps = { database: storage.database, clock: storage.clock, places: noPlaces };
  return { ...storage, deps, dispose: async () => (await storage.close(), await place.dispose()) };
}

describe.each(engines)('import on $name', (engine) => {
  const opened = () => openedOn(engine);

  it('API-24: adds each event once with what was known when, tells nobody, and finds nothing new the second time', async () => {
    const world = await opened();
    const { deps, storage } = world;
    const told: number[] = [];
    storage.log.onCommitted((batch) => told.push(batch.entries.length));
    const path = folder.csv(`many-${engine.name}.csv.gz`, manyWarnings(100));
    const first = await importFile(deps, 'warnings', path, { complete: 'us' });
    expect(first.summary).toMatchObject({ rows: 300, added: 100, known: 0, own: 0, refused: [] });
    const before = await picture(world.database);
    const again = await importFile(deps, 'warnings', path, { complete: 'us' });
    expect(again.summary).toMatchObject({ rows: 300, added: 0, extended: 0, known: 100, refused: [] });
    expect(await picture(world.database)).toEqual(before);
    expect([told, before['log'], storage.log.latestSeq()]).toEqual([[], [], 0]);
    // Numbers of revisions are apart from those of the log, and no two are alike.
    const numbers = (before['revisions'] ?? []).map((text) => (JSON.parse(text) as { seq: number }).seq);
    expect(Math.max(...numbers)).toBe(-1);
    expect(new Set(numbers).size).toBe(numbers.length);

    const { archive } = storage;
    const all = await archive.find({ limit: 1_000 });
    expect(all.events).toHaveLength(100);
    expect(all.events.filter((event) => evaluate(event, NOW).isActive)).toEqual([]);
    expect(all.messages.every((each) => each.source === 'import' && each.headline === null && each.description === null)).toBe(true);
    // The first event, 00:00 to 00:45 on 1 May; one of its zones was cancelled at 00:20.
    const at = (minute: number) => Date.UTC(2024, 4, 1) + minute * 60_000;
    const then = async (minute: number) => (await archive.asOf(at(minute), { limit: 1_000, activeOnly: true })).events;
    expect(await then(-1)).toEqual([]);
    expect((await then(10)).map((event) => event.eventId)).toEqual(['KDMX.TO.W.0001.2024']);
    expect((await then(30))[0]?.zones.map((zone) => zone.over?.how ?? null)).toEqual(['cancelled', null, null]);
    expect(await then(50)).toEqual([]);
    expect((await archive.revisions('KDMX.TO.W.0001.2024')).map((each) => each.kind)).toEqual(['issued', 'revised', 'corrected', 'ended']);
    await world.dispose();
  });

  it('Joins what one archive tells by zone and another by polygon, in either order', async () => {
    const zones = folder.csv(`zones-${engine.name}.csv`, [row(), row({ ugc: 'IAC049' })]);
    const shapes = folder.geojson(`shapes-${engine.name}.geojson`, [feature(polygon())]);
    const pictures: unknown[] = [];
    for (const order of [
      ['warnings', zones, 'polygons', shapes],
      ['polygons', shapes, 'warnings', zones],
    ] as const) {
      const world = await opened();
      await importFile(world.deps, order[0], order[1]);
      const second = await importFile(world.deps, order[2], order[3]);
      expect(second.summary).toMatchObject({ added: 0, extended: 1 });
      const found = await world.storage.archive.event('KDMX.TO.W.0027.2024');
      expect(found?.event.zones.map((zone) => zone.code)).toEqual(['IAC049', 'IAC153']);
      const { messages } = await world.storage.archive.find({ limit: 10 });
      const history = await world.storage.archive.messages(found?.event.versions.map((version) => version.messageId) ?? []);
      expect(messages).toHaveLength(1);
      expect(history.filter((each) => each.polygon !== null)).toHaveLength(1);
      expect((await importFile(world.deps, order[0], order[1])).summary).toMatchObject({ known: 1, extended: 0 });
      const { revisions: _numbers, events: _rows, ...rest } = await picture(world.database);
      pictures.push(rest['messages']?.map((text) => (JSON.parse(text) as { parsed: string }).parsed.replace(/"contentHash":"[^"]+"/, '')));
      await world.dispose();
    }
    expect(pictures[0]).toEqual(pictures[1]);
  });
});

describe.each(engines.slice(0, 1))('import', (engine) => {
  const opened = () => openedOn(engine);

  it('B1: failing at any write and run again ends with the same record as undisturbed, numbers included', async () => {
    const [calm, broken] = [await opened(), await opened()];
    const path = folder.csv(`resume-${engine.name}.csv`, manyWarnings(110));
    await importFile(calm.deps, 'warnings', path);
    for (const failAt of [1, 2]) {
      let writes = 0;
      const around = async (write: () => Promise<void>) => {
        if (++writes === failAt) throw new Error('killed');
        await write();
      };
      // The write before the third is there already on the third try, and so on: each try comes one further.
      await expect(importFile(broken.deps, 'warnings', path, { around })).rejects.toThrow('killed');
    }
    const last = await importFile(broken.deps, 'warnings', path);
    expect(last.summary.known).toBeGreaterThan(0);
    expect(await picture(broken.database)).toEqual(await picture(calm.database));
    await calm.dispose();
    await broken.dispose();
  });

  it('INTL-01: facts are there with the events, and days count as covered only for hazards and places that were declared', async () => {
    const world = await opened();
    const { deps } = world;
    const path = folder.csv(`covered-${engine.name}.csv`, manyWarnings(90));
    const observed = { from: NOW - 3 * DAY_MS, to: NOW };
    const covered = createCoveredFor({ clock: world.clock, reads: world.database.reads.log, observed: async () => [observed] });
    const [from, to] = [Date.UTC(2024, 4, 1), NOW];
    await importFile(deps, 'warnings', path);
    const scope = { events: ['Tornado Warning'] };
    expect(await covered(from, to, scope)).toEqual([observed]);
    const record = createAlertRecord(deps);
    expect(await record.facts.catchUp(10_000)).toBe(true);
    const counts = await record.facts.counts(0, 100_000, SOURCES, { event: true });
    expect(counts.reduce((sum, each) => sum + each.count, 0)).toBe(90);
    expect(await record.facts.since()).toBe(from);
    // Built again from the record they are the same.
    const written = (await picture(world.database))['event_facts'];
    for (const table of ['event_facts', 'meta']) {
      const rows = sql.raw(world.database.table('log', table));
      await (table === 'meta' ? sql`delete from ${rows} where key like 'facts%'` : sql`delete from ${rows}`).execute(world.database.log);
    }
    expect(await createAlertRecord(deps).facts.catchUp(10_000)).toBe(true);
    expect((await picture(world.database))['event_facts']).toEqual(written);

    await importFile(deps, 'warnings', path, { complete: 'offices', from, to: from + 2 * DAY_MS });
    await world.clock.advance(20_000);
    expect(await covered(from, to, scope)).toEqual([observed]);
    const end = from + 2 * DAY_MS;
    expect(await covered(from, to, { ...scope, codes: ['KDMX'] })).toEqual([{ from, to: end, imported: true }, observed]);
    await importFile(deps, 'warnings', path, { complete: 'us', from, to: from + DAY_MS });
    await world.clock.advance(20_000);
    expect(await covered(from, to, scope)).toEqual([{ from, to: from + DAY_MS, imported: true }, observed]);
    expect(await covered(from, to, { ...scope, codes: ['019001'] })).toHaveLength(2);
    expect(await covered(from, to, { events: ['Winter Storm Warning'] })).toEqual([observed]);
    expect(await covered(from, to)).toEqual([observed]);
    await world.dispose();
  });

  it('What was heard live wins, and a later live message of an imported number makes an event of its own', async () => {
    const world = await opened();
    const { writer } = world.storage;
    const own = {
      vtec: vtec('NEW', 'KDMX.TO.W.0027', Date.UTC(2024, 4, 21, 18), Date.UTC(2024, 4, 21, 18, 45)),
      sent: Date.UTC(2024, 4, 21, 18),
    };
    const live = message({ ...own, event: 'Tornado Warning', ends: Date.UTC(2024, 4, 21, 18, 45) }, own.sent);
    await writer.applySnapshot({ incoming: [{ message: live, raw: '{}' }], listed: null, poll: null, source: 'nws' });
    const before = await world.storage.archive.event('KDMX.TO.W.0027.2024');
    const path = folder.csv(`own-${engine.name}.csv`, [row({ ugc: 'IAC049' }), row({ eventid: '28' })]);
    expect((await importFile(world.deps, 'warnings', path)).summary).toMatchObject({ added: 1, own: 1 });
    expect((await world.storage.archive.event('KDMX.TO.W.0027.2024'))?.event).toEqual(before?.event);
    // The number comes again two years later, live.
    const sent = NOW - 60_000;
    const next = message(
      { event: 'Tornado Warning', vtec: vtec('NEW', 'KDMX.TO.W.0028', sent, NOW + 1_800_000), sent, ends: NOW + 1_800_000 },
      NOW,
    );
    await writer.applySnapshot({ incoming: [{ message: next, raw: '{}' }], listed: null, poll: null, source: 'nws' });
    const ids = (await world.storage.archive.find({ limit: 10 })).events.map((event) => event.eventId).sort();
    expect(ids).toEqual(['KDMX.TO.W.0027.2024', 'KDMX.TO.W.0028.2024', 'KDMX.TO.W.0028.2026']);
    await world.dispose();
  });

  it('Refuses with line, field and fix what is not over, too recent or unreadable, and takes the rest', async () => {
    const world = await opened();
    const time = (at: number) => new Date(at).toISOString();
    const around = (from: number, until: number) => ({
      issue: time(from),
      product_issue: time(from),
      expire: time(until),
      init_expire: time(until),
      updated: time(from),
      status: 'NEW',
    });
    const path = folder.csv(`bad-${engine.name}.csv`, [
      row(),
      row({ eventid: '28', expire: 'soon' }),
      row({ eventid: '29', ...around(NOW - 3_600_000, NOW + 3_600_000) }),
      row({ eventid: '30', ...around(NOW - 2 * DAY_MS, NOW - DAY_MS) }),
      row({ eventid: '31', ...around(NOW - 10 * DAY_MS, NOW - 9 * DAY_MS) }),
    ]);
    const { summary, refusals } = await importFile(world.deps, 'warnings', path);
    expect(summary).toMatchObject({ rows: 5, added: 2 });
    expect(refusals.map(({ line, fault }) => [line, fault.field, fault.reason]).sort()).toEqual([
      [3, 'expire', 'time_unreadable'],
      [4, 'expire', 'not_over'],
      [5, 'expire', 'too_recent'],
    ]);
    expect(refusals.every(({ fault }) => fault.fix.length > 10)).toBe(true);
    const strict = importFile(world.deps, 'warnings', path, { strict: true });
    await expect(strict).rejects.toBeInstanceOf(StrictStop);
    await world.dispose();
  });

  it('A dry run counts and writes nothing; from and to choose by time of issue', async () => {
    const world = await opened();
    const before = await picture(world.database);
    const path = folder.csv(`dry-${engine.name}.csv`, manyWarnings(48));
    const dry = await importFile(world.deps, 'warnings', path, { dryRun: true, from: Date.UTC(2024, 4, 2) });
    expect(dry.summary).toMatchObject({ added: 24, outside: 24 });
    expect(await picture(world.database)).toEqual(before);
    await world.dispose();
  });
});

describe('files of an import', () => {
  let world: Awaited<ReturnType<typeof openedOn>>;
  beforeAll(async () => {
    world = await openedOn(engines[0] as (typeof engines)[number]);
  });
  afterAll(() => world.dispose());
  const tried = (kind: ArchiveKind, path: string) => importFile(world.deps, kind, path);

  it('Each source is read, and another file is refused with what it is', async () => {
    const statements = folder.geojson('sps.geojson.gz', [
      feature(statement()),
      feature(statement({ segmentnum: '1', ugcs: '{IAZ001}' })),
      { type: 'Feature' },
    ]);
    expect((await tried('statements', statements)).summary).toMatchObject({
      rows: 3,
      added: 2,
      refused: [{ reason: 'row_unreadable', rows: 1 }],
    });
    const watches = folder.geojson('watches.geojson', [feature(watch()), feature(watch({ num: '276', type: 'SVR' }))]);
    expect((await tried('watches', watches)).summary).toMatchObject({ added: 2, refused: [] });
    await expect(tried('polygons', watches)).rejects.toThrow('of "watches"');
    await expect(tried('warnings', folder.csv('events.csv', [{ EPISODE_ID: '1', EVENT_TYPE: 'Hail' }]))).rejects.toThrow('observations');
    await expect(tried('polygons', folder.geojson('hail.geojson', []).replace('hail', 'none'))).rejects.toBeInstanceOf(RefusedFile);
    await expect(tried('warnings', folder.csv('other.csv', [{ a: '1' }]))).rejects.toThrow('lacks the columns');
    await expect(tried('warnings', folder.csv('shapes.zip', [row()]))).rejects.toThrow('GeoJSON');
  });

  it('A file that ends early changes nothing', async () => {
    const whole = folder.geojson('whole.geojson', [feature(watch()), feature(watch({ num: '276' }))]);
    const { writeFileSync } = await import('node:fs');
    const text = readFileSync(whole, 'utf8');
    writeFileSync(whole, text.slice(0, -30));
    await expect(tried('watches', whole)).rejects.toThrow('cut off');
  });

  it('Real archives: as many events as they have distinct VTEC numbers', async () => {
    const expected = new Map<string, Set<string>>();
    for (const name of [
      'iem-warnings_2018-1.csv.gz',
      'iem-warnings_2020-5.csv.gz',
      'iem-warnings_2023-6.csv.gz',
      'iem-warnings_2024-2.csv.gz',
    ]) {
      const path = sharedData(`events/${name}`);
      if (path === null) {
        console.log(`skipped: ${name} is not on this machine`);
        return;
      }
      const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n').slice(1);
      const cells = lines.map((line) => line.split(','));
      expected.set(path, new Set(cells.map((cell) => [cell[2], cell[8], cell[9], cell[3], cell[13]?.slice(0, 4)].join(' '))));
    }
    for (const [path, keys] of expected) {
      const { summary, refusals } = await tried('warnings', path);
      expect([path, refusals, summary.added]).toEqual([path, [], keys.size]);
    }
  }, 120_000);
});

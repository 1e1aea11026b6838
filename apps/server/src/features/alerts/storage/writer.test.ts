import { sqliteEngine, testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ShapeFacts } from './working-set.ts';
import type { Places } from '../../places/types.ts';
import { dump, faultsOf, noPlaces, openStorage, runStep } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const world = createWorld(41, 0.1);

describe.each(engines)('alert writer on $name', (engine) => {
  it('knows what is stored, from memory and from the store, and keeps two contents under one upstream id apart', async () => {
    const place = await engine.place();
    const opened = await openStorage(place.config);
    const { writer } = opened.storage;
    const snapshot = world.snapshot(0);
    const one = snapshot.incoming[0];
    if (!one) throw new Error('an empty world proves nothing');
    const { upstreamId, contentHash } = one.message;
    expect(await writer.storedId(upstreamId, contentHash)).toBeNull();
    const other = { ...one, message: { ...one.message, contentHash: `beefbeef${contentHash.slice(8)}`, headline: 'second content' } };
    const result = await writer.applySnapshot({ ...snapshot, incoming: [...snapshot.incoming, other, other] });
    expect(result).toMatchObject({ stored: snapshot.incoming.length + 1, duplicates: 1 });
    const known = await Promise.all([contentHash, other.message.contentHash, 'unknown'].map((hash) => writer.storedId(upstreamId, hash)));
    expect(known.toSorted()).toEqual([upstreamId, known.find((id) => id?.includes('~')) ?? '', null].toSorted());
    expect(known[2]).toBeNull();
    await opened.close();
    const again = await openStorage(place.config);
    expect(await again.storage.writer.storedId(upstreamId, contentHash)).toBe(known[0]);
    expect(await again.storage.writer.applySnapshot({ ...snapshot, incoming: [other], poll: null, listed: null })).toMatchObject({
      stored: 0,
      duplicates: 1,
    });
    await again.close();
    await place.dispose();
  });

  it('a message that the machine cannot take does not stop the others, and is taken when it can be (A6)', async () => {
    const place = await engine.place();
    let isBroken = true;
    const snapshot = world.snapshot(0);
    const poison = snapshot.incoming[1]?.message.id;
    const opened = await openStorage(place.config, {
      encodeAlert: (event) => {
        if (isBroken && event.currentId === poison) throw new Error('cannot be shown');
        return '{}';
      },
    });
    expect(await opened.storage.writer.applySnapshot(snapshot)).toMatchObject({ stored: snapshot.incoming.length - 1 });
    expect(await faultsOf(opened.database)).toEqual([]);
    isBroken = false;
    expect(await opened.storage.writer.applySnapshot(snapshot)).toMatchObject({ stored: 1 });
    expect(await faultsOf(opened.database)).toEqual([]);
    await opened.close();
    await place.dispose();
  });

  it('tells a late shape once', async () => {
    const place = await engine.place();
    let facts: ShapeFacts = { source: 'none', quality: 'none', areaKm2: null };
    const places: Places = { ...noPlaces, resolve: () => ({ ...noPlaces.resolve({ zones: [], polygons: [], at: 0 }), ...facts }) };
    const opened = await openStorage(place.config, { places });
    await runStep(opened, world, 0);
    const before = opened.storage.log.latestSeq();
    const codes = world.snapshot(0).incoming.flatMap(({ message }) => message.zones.map((zone) => zone.code));
    expect((await opened.storage.writer.relocate(codes)).seqs).toBeNull();
    facts = { source: 'zones', quality: 'resolved', areaKm2: 100 };
    const told = await opened.storage.writer.relocate(codes);
    expect(told.seqs?.first).toBe(before + 1);
    const entries = await opened.storage.log.read(before, 100);
    expect(new Set(entries.map((entry) => entry.kind))).toEqual(new Set(['located']));
    expect(entries[0]?.diff?.geometry).toEqual({
      source: { from: 'none', to: 'zones' },
      area_km2: { from: null, to: 100 },
      overlap_share: null,
    });
    expect((await opened.storage.writer.relocate(codes)).seqs).toBeNull();
    expect(await faultsOf(opened.database)).toEqual([]);
    await opened.close();
    await place.dispose();
  });
});

describe('full disk (I6)', () => {
  it('tells nothing, keeps reads going, and goes on by itself when there is room again', async () => {
    const place = await sqliteEngine().place();
    const opened = await openStorage(place.config);
    await runStep(opened, world, 0);
    const [latest, before] = [opened.storage.log.latestSeq(), await dump(opened.database)];
    let told = 0;
    opened.storage.log.onCommitted(() => {
      told += 1;
    });
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(opened.database.log);
    await sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count ?? 1)}`.execute(opened.database.log);
    opened.clock.jump(3_600_000);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(opened.storage.writer.applySnapshot(world.snapshot(12))).rejects.toMatchObject({ code: 'server.disk_full' });
    }
    expect([told, opened.storage.log.latestSeq()]).toEqual([0, latest]);
    expect(await dump(opened.database)).toEqual(before);
    expect((await opened.storage.archive.find({ limit: 1_000 })).events.length).toBeGreaterThan(0);
    await sql`pragma max_page_count = 1000000`.execute(opened.database.log);
    expect((await opened.storage.writer.applySnapshot(world.snapshot(12))).seqs?.first).toBe(latest + 1);
    expect(told).toBe(1);
    expect(await faultsOf(opened.database)).toEqual([]);
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(opened.database.log);
    expect(rows[0]?.integrity_check).toBe('ok');
    await opened.close();
    await place.dispose();
  });
});

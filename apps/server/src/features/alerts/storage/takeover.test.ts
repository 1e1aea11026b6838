import { sqliteEngine, testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import { dump, faultsOf, openStorage, runStep, STEP_MS, T0 } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import { pruneLog, KEEP_LOG_ENTRIES, KEEP_LOG_MS } from './retention.ts';
import { createCommittedLog } from './log.ts';
import { createAlertStore, META } from './store.ts';
import { silentLog } from '../../../platform/log.ts';

const postgres = (await testEngines()).filter((engine) => engine.skip === null && engine.name === 'postgres');
const world = createWorld(51, 0.1);

/** Ends the other connections of this database that hold an advisory lock: what a cut network does to a writer. */
async function cutWriterLock(opened: Awaited<ReturnType<typeof openStorage>>): Promise<void> {
  await sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`.execute(opened.database.log);
}

describe.each(postgres)('two processes on $name', (engine) => {
  it('a second writer is refused while the first holds the right', async () => {
    const place = await engine.place();
    const first = await openStorage(place.config);
    await expect(openStorage(place.config)).rejects.toMatchObject({ code: 'server.database_unavailable' });
    await first.close();
    const second = await openStorage(place.config);
    await second.close();
    await place.dispose();
  });

  it('a writer that lost the right can write nothing more, and follows the new one without hole or repeat when it gets it back', async () => {
    const place = await engine.place();
    const old = await openStorage(place.config);
    const told: number[] = [];
    old.storage.log.onCommitted((batch) => told.push(...batch.entries.map((entry) => entry.seq)));
    await runStep(old, world, 0);
    await cutWriterLock(old);
    const next = await openStorage(place.config, { at: T0 });
    await runStep(next, world, 1);
    const refused = old.storage.writer.applySnapshot(world.snapshot(2));
    await expect(refused).rejects.toThrow(/another process is the writer|the log ends at/i);
    expect(await faultsOf(next.database)).toEqual([]);
    await runStep(next, world, 2);
    const kept = await dump(next.database);
    await next.close();
    await runStep(old, world, 3, 3);
    const latest = old.storage.log.latestSeq();
    expect(told).toEqual(Array.from({ length: latest }, (_, i) => i + 1));
    expect(await faultsOf(old.database)).toEqual([]);
    expect((await dump(old.database))['log']?.length).toBeGreaterThanOrEqual(kept['log']?.length ?? 0);
    await old.close();

    const calm = await engine.place();
    const alone = await openStorage(calm.config);
    for (const step of [0, 1, 2, 3]) await runStep(alone, world, step);
    const opened = await openStorage(place.config, { at: T0 + 3 * STEP_MS });
    expect(await dump(opened.database)).toEqual(await dump(alone.database));
    await opened.close();
    await alone.close();
    await calm.dispose();
    await place.dispose();
  });

  it('refuses a server that acknowledges before it is on disk (B4)', async () => {
    const place = await engine.place();
    const db = await openDatabase(place.config, { migrations: MIGRATIONS });
    await sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`.execute(db.log);
    await db.close();
    await expect(openDatabase(place.config, { migrations: MIGRATIONS })).rejects.toThrow(/synchronous_commit=off/);
    await place.dispose();
  });
});

describe('retention of the log', () => {
  it('removes entries only when they are old and more than the floor, and says first what is gone', async () => {
    const place = await sqliteEngine().place();
    const opened = await openStorage(place.config);
    await runStep(opened, world, 0);
    const { database, clock } = opened;
    const latest = KEEP_LOG_ENTRIES + 700;
    await sql`insert into log select s.n, ${T0}, 'revised', '[]', 'e', 'm', 1, 'in_force', 'issued', 1, 1, '', null, '{}'
      from (with recursive s(n) as (select 1000 union all select n + 1 from s where n < ${latest}) select n from s) s`.execute(
      database.log,
    );
    const alerts = createAlertStore(database);
    const committed = createCommittedLog({ database, clock, log: silentLog, epoch: 'x', latestSeq: latest, oldestSeq: 0 });
    const prune = () => pruneLog({ database, clock, log: silentLog, alerts, committed });
    expect(await prune()).toBe(0);
    clock.jump(KEEP_LOG_MS + 1);
    expect(await prune()).toBe(700);
    expect([committed.oldestSeq(), await alerts.meta(META.oldestSeq)]).toEqual([700, '700']);
    const { rows } = await sql<{ n: number; first: number }>`select count(*) as n, min(seq) as first from log`.execute(database.log);
    expect(rows[0]).toMatchObject({ n: latest - 999, first: 1000 });
    expect(await prune()).toBe(0);
    await opened.close();
    await place.dispose();
  });
});

import { testEngines, type TestEngine } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../../migrations/index.ts';
import { breaker, type FaultKind } from '../../../platform/db/breaker-fixture.ts';
import { openDatabase } from '../../../platform/db/open.ts';
import type { Database } from '../../../platform/db/types.ts';
import { dump, faultsOf, openStorage, runStep, type Opened } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import type { CommittedBatch } from '../types.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);

/** Thin enough that breaking every single statement in turn takes seconds, thick enough to have updates, ends and expired zones. */
const world = createWorld(11, 0.06);
const STEPS = [0, 12];

async function emptyAll(database: Database): Promise<void> {
  for (const table of ['messages', 'events', 'event_keys', 'event_areas', 'log', 'revisions', 'known_parts', 'polls']) {
    await sql`delete from ${sql.raw(database.table('log', table))}`.execute(database.log);
  }
  await sql`update ${sql.raw(database.table('log', 'meta'))} set value = '0' where key = 'parts_head'`.execute(database.log);
}

async function runAll(opened: Opened, attempts: number): Promise<void> {
  for (const step of STEPS) await runStep(opened, world, step, attempts);
}

/** Every statement under NWMS_CHAOS=1; else every seventh, another one each day, so that the everyday suite stays quick. */
const STRIDE = process.env['NWMS_CHAOS'] === '1' ? 1 : 7;
const FIRST = 1 + (Math.floor(Date.now() / 86_400_000) % STRIDE);

/** Runs the world with the N-th statement broken for growing N until no statement is left to break. Returns their number. */
async function breakEveryStatement(engine: TestEngine, kind: FaultKind): Promise<number> {
  const place = await engine.place();
  const fault = breaker(engine.name);
  const database = await openDatabase(place.config, { migrations: MIGRATIONS, around: fault.around });
  try {
    const clean = await openStorage(database);
    await runAll(clean, 1);
    const expected = await dump(database);
    await clean.close();
    expect(expected['log']?.length).toBeGreaterThan(15);
    for (let n = FIRST; ; n += STRIDE) {
      await emptyAll(database);
      const opened = await openStorage(database);
      const told: CommittedBatch[] = [];
      opened.storage.log.onCommitted((batch) => told.push(batch));
      fault.arm(n, kind);
      await runAll(opened, 3);
      const label = `statement ${n} ${kind}`;
      const wasReached = fault.count() >= n;
      fault.disarm();
      const seqs = told.flatMap((batch) => batch.entries.map((entry) => entry.seq));
      expect({ label, faults: await faultsOf(database), seqs }).toEqual({ label, faults: [], seqs: expected['log']?.map((_, i) => i + 1) });
      expect({ label, kept: await dump(database) }).toEqual({ label, kept: expected });
      await opened.close();
      if (!wasReached) return n - STRIDE;
    }
  } finally {
    await database.close();
    await place.dispose();
  }
}

describe.each(engines)('a broken database on $name (B5)', (engine) => {
  it.each(['refused', 'cut before', 'cut after'] as const)(
    'whichever statement is %s, the record is in the end as if nothing had happened, and all is told once, in order',
    async (kind) => {
      expect(await breakEveryStatement(engine, kind)).toBeGreaterThan(30);
    },
    STRIDE === 1 ? 1_800_000 : 120_000,
  );
});

import { sqliteEngine, testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import type { AroundStatement } from '../../../platform/db/types.ts';
import { openStorage, runStep } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import type { AlertLog } from '../types.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const world = createWorld(21, 0.1);

/** Reads from `after` on until the log's end as a client would, in pieces. */
async function drain(log: AlertLog, after: number, until: () => boolean): Promise<number[]> {
  const seen: number[] = [];
  for (;;) {
    const isLast = until();
    const entries = await log.read(seen.at(-1) ?? after, 7);
    seen.push(...entries.map((entry) => entry.seq));
    if (entries.length === 0 && isLast) return seen;
    if (entries.length === 0) await new Promise<void>((next) => setImmediate(next));
  }
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe.each(engines)('numbered log on $name', (engine) => {
  it('shows eight readers every number once and in order while the writer commits with delays (C2)', async () => {
    const place = await engine.place();
    const around: AroundStatement = async (sql, run) => {
      // A commit that takes its time is where numbers get lost when readers go by the table alone.
      if (sql === 'commit') for (let i = 0; i < 20; i += 1) await new Promise<void>((next) => setImmediate(next));
      return run();
    };
    const opened = await openStorage(place.config, { around, ringLimits: { entries: 40, bytes: 1e9 } });
    let isOver = false;
    const readers = Array.from({ length: 8 }, () => drain(opened.storage.log, 0, () => isOver));
    const told: number[] = [];
    opened.storage.log.onCommitted((batch) => told.push(...batch.entries.map((entry) => entry.seq)));
    for (let step = 0; step < 30; step += 1) await runStep(opened, world, step);
    isOver = true;
    const latest = opened.storage.log.latestSeq();
    expect(latest).toBeGreaterThan(60);
    expect(told).toEqual(upTo(latest));
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(upTo(latest));
    await opened.close();
    await place.dispose();
  });

  it('a follower tells what the writer committed, without hole or repeat, and starts from the same state', async () => {
    const place = await engine.place();
    const writer = await openStorage(place.config);
    await runStep(writer, world, 0);
    // On SQLite no second process can open the folder: the follower then shares the connection, the code path is the same.
    const follower = await openStorage(engine.name === 'sqlite' ? writer.database : place.config, { role: 'follower' });
    const told: number[] = [];
    follower.storage.log.onCommitted((batch) => told.push(...batch.entries.map((entry) => entry.seq)));
    const start = (await follower.storage.boot.load()).latestSeq;
    expect(follower.storage.log.epoch()).toBe(writer.storage.log.epoch());
    for (let step = 1; step < 12; step += 1) {
      await runStep(writer, world, step);
      await follower.clock.advance(600);
    }
    const latest = writer.storage.log.latestSeq();
    const deadline = performance.now() + 10_000;
    while (follower.storage.log.latestSeq() < latest && performance.now() < deadline) await follower.clock.advance(600);
    expect(told).toEqual(upTo(latest).slice(start));
    const [mine, theirs] = [await writer.storage.boot.load(), await follower.storage.boot.load()];
    const ids = (events: { eventId: string }[]) => events.map((event) => event.eventId).sort();
    expect(ids(theirs.events)).toEqual(ids(mine.events));
    await expect(follower.storage.writer.tick()).rejects.toThrow(/follows the log/);
    await follower.close();
    await writer.close();
    await place.dispose();
  });

  it('resumes ten thousand readers with at most ten queries (P6)', async () => {
    const place = await engine.place();
    const first = await openStorage(place.config);
    for (let step = 0; step < 30; step += 1) await runStep(first, world, step);
    const latest = first.storage.log.latestSeq();
    await first.close();
    let queries = 0;
    const around: AroundStatement = (_sql, run) => {
      queries += 1;
      return run();
    };
    const again = await openStorage(place.config, { around });
    queries = 0;
    const resumes = Array.from({ length: 10_000 }, (_, i) => again.storage.log.read(latest - 60 + (i % 50), 500));
    const answers = await Promise.all(resumes);
    expect(answers.every((entries) => entries.at(-1)?.seq === latest)).toBe(true);
    expect(queries).toBeLessThanOrEqual(10);
    await again.close();
    await place.dispose();
  });
});

describe('listeners', () => {
  it('one that fails does not keep the news from the others', async () => {
    const place = await sqliteEngine().place();
    const complaints: string[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (_fields: object, text: string) => void complaints.push(text) };
    const opened = await openStorage(place.config, { log });
    const told: number[] = [];
    opened.storage.log.onCommitted(() => {
      throw new Error('broken listener');
    });
    opened.storage.log.onCommitted((batch) => told.push(...batch.entries.map((entry) => entry.seq)));
    await runStep(opened, world, 0);
    expect(told).toEqual(upTo(opened.storage.log.latestSeq()));
    expect(complaints[0]).toContain('listener');
    await opened.close();
    await place.dispose();
  });
});

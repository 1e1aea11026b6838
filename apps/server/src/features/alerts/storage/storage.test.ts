import { testEngines, type TestEngine } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { dump, faultsOf, openStorage, runStep, STEP_MS, T0, type Opened } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import type { DatabaseConfig } from '../../../platform/db/types.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);

async function withPlace(engine: TestEngine, run: (config: DatabaseConfig) => Promise<void>): Promise<void> {
  const place = await engine.place();
  try {
    await run(place.config);
  } finally {
    await place.dispose();
  }
}

async function runWorld(config: DatabaseConfig, seed: number, steps: number, restartEvery = Infinity): Promise<Opened> {
  const world = createWorld(seed);
  let opened = await openStorage(config);
  for (let step = 0; step < steps; step += 1) {
    if (step > 0 && step % restartEvery === 0) {
      await opened.close();
      opened = await openStorage(config, { at: T0 + (step - 1) * STEP_MS });
    }
    await runStep(opened, world, step);
  }
  return opened;
}

describe.each(engines)('alert storage on $name', (engine) => {
  it('keeps messages, events, revisions and a log without holes', () =>
    withPlace(engine, async (config) => {
      const opened = await runWorld(config, 1, 40);
      expect(await faultsOf(opened.database)).toEqual([]);
      const picture = await dump(opened.database);
      expect(picture['messages']?.length).toBeGreaterThan(30);
      expect(picture['log']?.length).toBeGreaterThanOrEqual(picture['messages']?.length ?? 0);
      expect(opened.storage.log.latestSeq()).toBe(picture['log']?.length);
      await opened.close();
    }));

  it('stores nothing and tells nothing when the same list comes again', () =>
    withPlace(engine, async (config) => {
      const opened = await runWorld(config, 2, 5);
      const before = await dump(opened.database);
      const again = await opened.storage.writer.applySnapshot(createWorld(2).snapshot(4));
      expect(again).toMatchObject({ seqs: null, stored: 0 });
      expect(again.duplicates).toBeGreaterThan(5);
      expect(await dump(opened.database)).toEqual(before);
      await opened.close();
    }));

  it('behaves after a restart as if it had never stopped', () =>
    withPlace(engine, (straight) =>
      withPlace(engine, async (restarted) => {
        const one = await runWorld(straight, 3, 60);
        const two = await runWorld(restarted, 3, 60, 7);
        expect(await dump(two.database)).toEqual(await dump(one.database));
        const [a, b] = [await one.storage.boot.load(), await two.storage.boot.load()];
        expect(b.latestSeq).toBe(a.latestSeq);
        await one.close();
        await two.close();
      }),
    ));
});

describe('both engines', () => {
  it.skipIf(engines.length < 2)('keep identical rows for the same input', async () => {
    const pictures: unknown[] = [];
    for (const engine of engines) {
      await withPlace(engine, async (config) => {
        const opened = await runWorld(config, 4, 40);
        pictures.push(await dump(opened.database));
        await opened.close();
      });
    }
    expect(pictures[1]).toEqual(pictures[0]);
  });
});

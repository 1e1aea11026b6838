import { testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { crashRun } from './storage-crash-fixture.ts';

const isChaos = process.env['NWMS_CHAOS'] === '1';
const engines = isChaos ? (await testEngines()).filter((engine) => engine.skip === null) : [];
/** Kills per world, so that a world of a few hundred steps is not through before its kills are. */
const KILLS_PER_WORLD = 20;

describe.runIf(isChaos).each(engines)('crashes on $name (B1)', (engine) => {
  it('200 killed processes leave exactly what undisturbed ones keep', async () => {
    const base = Math.floor(Math.random() * 2 ** 30);
    let killed = 0;
    for (let world = 0; killed < 200; world += 1) {
      const seed = base + world;
      console.info(`B1 ${engine.name} seed ${seed}`);
      const { kills, faults, kept, oracle } = await crashRun(engine, seed, KILLS_PER_WORLD, 600);
      expect({ seed, faults }).toEqual({ seed, faults: [] });
      expect({ seed, kept }).toEqual({ seed, kept: oracle });
      killed += kills;
    }
    console.info(`B1 ${engine.name}: ${killed} kills, 0 differences`);
  }, 1_800_000);
});

it.skipIf(isChaos)('the long crash runs need NWMS_CHAOS=1', () => {
  expect(engines).toEqual([]);
});

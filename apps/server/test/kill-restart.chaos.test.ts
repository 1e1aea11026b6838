import { testEngines } from '@nwms/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killAgainAndAgain } from './kill-restart.ts';
import { seeded } from './live-recovery.ts';

const isChaos = process.env['NWMS_CHAOS'] === '1';
const engines = isChaos ? (await testEngines()).filter((engine) => engine.skip === null) : [];
/** Of the whole product: a start on PostgreSQL takes longer, and what it could lose is in the storage's own 200 (storage.chaos.test.ts). */
const KILLS = { sqlite: 200, postgres: 50 };
/**
 * Lives end within this time. A process says where it is before the simulated world is made, so the first poll takes up to half a second of it. On PostgreSQL the right to
 * collect outlives its process for a few seconds: shorter lives would collect nothing.
 */
const LIFE_MS = { sqlite: 1_800, postgres: 6_000 };
/** Fewer entries than this prove too little. Weather goes by the clock: the faster a machine starts, the fewer come in as many kills (1,596 once, 259 on one twice as fast). */
const ENTRIES = { sqlite: 200, postgres: 400 };
const seed = Number(process.env['NWMS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe.runIf(isChaos).each(engines)('a process killed again and again on $name', (engine) => {
  it(`loses nothing it told in ${KILLS[engine.name]} kills`, { timeout: 5_400_000 }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nwms-kill-'));
    const place = engine.name === 'postgres' ? await engine.place() : null;
    const random = seeded(seed);
    try {
      const databaseUrl = place?.config.kind === 'postgres' ? { databaseUrl: place.config.url } : {};
      const result = await killAgainAndAgain({ dataDir, ...databaseUrl }, KILLS[engine.name], () => random() * LIFE_MS[engine.name]);
      console.log(`${engine.name}, seed ${seed}: ${JSON.stringify(result)}`);
      expect(result.faults).toEqual([]);
      expect(result.entries).toBeGreaterThan(ENTRIES[engine.name]);
    } finally {
      await place?.dispose();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

it.skipIf(isChaos)('the long kill runs need NWMS_CHAOS=1', () => {
  expect(engines).toEqual([]);
});

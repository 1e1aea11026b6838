import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/index.ts';
import { manyWarnings, picture, testFolder } from '../src/features/import/import-fixture.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import type { DatabaseConfig } from '../src/platform/db/types.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const seed = Number(process.env['NWMS_CHAOS_SEED'] ?? Date.now() % 100_000);
const folder = testFolder();
afterAll(() => folder.dispose());
const root = resolve(import.meta.dirname, '../../..');

/** The command in a process of its own; killed after so many milliseconds, if said. */
async function run(env: Record<string, string>, path: string, killAfterMs: number | null): Promise<number | null> {
  const child = spawn(process.execPath, ['scripts/import.ts', 'warnings', path], {
    cwd: root,
    env: { ...process.env, ...env, INIT_CWD: folder.dir },
  });
  const ended = once(child, 'exit');
  if (killAfterMs !== null) {
    await Promise.race([wait(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  return code;
}

async function pictureOf(config: DatabaseConfig) {
  const database = await openDatabase(config, { migrations: MIGRATIONS });
  try {
    return await picture(database);
  } finally {
    await database.close();
  }
}

describe.each(engines)('imports killed on $name', (engine) => {
  it('B1: killed anywhere, often, and run again: the record is that of an import that nobody disturbed', { timeout: 900_000 }, async () => {
    console.log(`seed ${seed}`);
    const random = seededRandom(seed);
    const path = folder.csv(`kill-${engine.name}.csv`, manyWarnings(2_000));
    const places = [await engine.place(), await engine.place()] as const;
    const environment = (n: 0 | 1): { env: Record<string, string>; config: DatabaseConfig } => {
      const { config } = places[n];
      if (config.kind === 'postgres') return { env: { DATABASE_URL: config.url }, config };
      return { env: { DATA_DIR: config.dir, DATABASE_URL: '' }, config: { kind: 'sqlite', dir: join(config.dir, 'nws') } };
    };
    const [calm, disturbed] = [environment(0), environment(1)];
    const startedMs = performance.now();
    expect(await run(calm.env, path, null)).toBe(0);
    const wholeMs = performance.now() - startedMs;
    let kills = 0;
    for (; kills < 12; kills += 1) if ((await run(disturbed.env, path, random() * wholeMs)) === 0) break;
    expect(await run(disturbed.env, path, null)).toBe(0);
    console.log(`${engine.name}: undisturbed ${Math.round(wholeMs)} ms, ${kills} kills`);
    expect(kills).toBeGreaterThan(0);
    const [one, other] = [await pictureOf(calm.config), await pictureOf(disturbed.config)];
    expect(one['events']).toHaveLength(2_000);
    expect(other).toEqual(one);
    for (const place of places) await place.dispose();
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestEngine } from '@nwms/testkit';
import { dump, faultsOf, openStorage, runStep } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import type { DatabaseConfig } from '../../../platform/db/types.ts';

/** Numbers from a seed (mulberry32), so that a failing run can be repeated. */
function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface CrashReport {
  kills: number;
  faults: string[];
  kept: Record<string, unknown[]>;
  oracle: Record<string, unknown[]>;
}

/**
 * B1: writing processes are killed with SIGKILL at random moments and started again until the world is through; what was kept must
 * be, row for row, what one undisturbed process keeps.
 */
export async function crashRun(engine: TestEngine, seed: number, kills: number, steps: number): Promise<CrashReport> {
  const random = seeded(seed);
  const world = createWorld(seed, 0.1);
  const dir = mkdtempSync(join(tmpdir(), 'nwms-crash-'));
  const recording = join(dir, 'world.json');
  const [place, calm] = [await engine.place(), await engine.place()];
  try {
    const snapshots = Array.from({ length: steps }, (_, step) => world.snapshot(step));
    writeFileSync(recording, JSON.stringify(snapshots.map((each) => ({ ...each, listed: [...(each.listed ?? [])] }))));
    let done = 0;
    let isThrough = false;
    while (!isThrough) {
      const delayMs = done < kills ? random() * 120 : null;
      isThrough = (await runChild(place.config, recording, delayMs)) === 'done';
      if (!isThrough) done += 1;
    }
    const oracle = await openStorage(calm.config);
    for (let step = 0; step < steps; step += 1) await runStep(oracle, world, step);
    const expected = await dump(oracle.database);
    await oracle.close();
    const opened = await openStorage(place.config);
    const report = { kills: done, faults: await faultsOf(opened.database), kept: await dump(opened.database), oracle: expected };
    await opened.close();
    return report;
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await place.dispose();
    await calm.dispose();
  }
}

/** Kills the child so long after it began to write; null = lets it finish. */
function runChild(config: DatabaseConfig, recording: string, killAfterMs: number | null): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'storage-crash-child-fixture.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, JSON.stringify(config), recording], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const before = said;
      said += chunk.toString();
      if (killAfterMs !== null && !before.includes('running') && said.includes('running'))
        setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('done');
      else reject(new Error(`the writing process ended with ${code}: ${complaint}`));
    });
  });
}

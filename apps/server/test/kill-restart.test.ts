import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { poll, refusedStart, startChild } from './child-server.ts';
import { killAgainAndAgain } from './kill-restart.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nwms-kill-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('a process that dies without warning', () => {
  it('keeps every entry it ever told, in its place and words, and starts again without repair', async () => {
    // Longer and longer lives: kills fall into the first poll as well as into ordinary work.
    const result = await killAgainAndAgain({ dataDir }, 5, (round) => 200 + round * 350);
    console.log(`kill -9: ${JSON.stringify(result)}`);
    expect(result.faults).toEqual([]);
    expect(result.entries).toBeGreaterThan(100);
  }, 400_000);
});

describe('a second process on the same data folder', () => {
  it('is refused in words that name the folder and the process that has it', async () => {
    const first = await startChild(dataDir);
    try {
      const second = await refusedStart(dataDir);
      expect(second.code).toBe(1);
      expect(second.said).toContain(dataDir);
      expect(second.said).toContain(`process ${first.pid}`);
      expect(second.said).not.toContain('    at ');
      // The first one goes on: its first poll may still be under way.
      await poll(
        () => first.json('/alerts?limit=1'),
        (answer) => answer.error === undefined,
        30_000,
      );
    } finally {
      first.kill('SIGKILL');
      await first.exited;
    }
  }, 200_000);
});

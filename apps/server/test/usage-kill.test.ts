import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { killWhileRecording } from './usage-kill.ts';

it(
  'B3: after a kill without warning only the last moment of usage is missing, and nothing counts twice',
  { timeout: 240_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nwms-usage-kill-'));
    try {
      const result = await killWhileRecording(dataDir, 2, (round) => 2_500 + 1_300 * round);
      console.log(`usage over kill -9: ${JSON.stringify(result)}`);
      expect(result.faults).toEqual([]);
      expect(result.recorded).toBeGreaterThan(50);
      // A batch is at most 0.8 s old when its write begins; the rest is the disk of a busy machine.
      expect(result.lostWithinMs).toBeLessThan(2_500);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

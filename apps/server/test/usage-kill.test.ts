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
      const result = await killWhileRecording(dataDir, 2, (round) => 4_000 + 1_300 * round);
      console.log(`usage over kill -9: ${JSON.stringify(result)}`);
      expect(result.faults).toEqual([]);
      expect(result.recorded).toBeGreaterThan(50);
      // What is missing came last; answers under way at the same time reach their callers in another order than the record.
      expect(result.lostBeforeRecordedMs).toBeLessThan(500);
      // A batch is at most 0.8 s old when its write begins; the rest is a machine with more to do than processors.
      expect(result.lostWithinMs).toBeLessThan(3_500);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

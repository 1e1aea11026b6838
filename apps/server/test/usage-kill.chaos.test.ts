import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { killWhileRecording } from './usage-kill.ts';

it.runIf(process.env['NWMS_CHAOS'] === '1')('B3: thirty kills while callers ask', { timeout: 1_800_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-usage-kill-'));
  try {
    const result = await killWhileRecording(dataDir, 30, (round) => 1_000 + 137 * round);
    console.log(`usage over 30 kills: ${JSON.stringify(result)}`);
    expect(result.faults).toEqual([]);
    expect(result.lostBeforeRecordedMs).toBeLessThan(500);
    expect(result.lostWithinMs).toBeLessThan(2_000);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

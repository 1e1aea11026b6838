import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killWhileCounting } from './quota-kill.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nwms-quota-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('counting across kills (B3)', () => {
  it('two kills in the middle of calls let nothing pass twice and lose at most a percent', { timeout: 240_000 }, async () => {
    const { faults, ...ledger } = await killWhileCounting(dataDir, { kills: 2, limit: 2_000, liveMs: 700 });
    expect(faults).toEqual([]);
    expect(ledger.passed).toBeGreaterThan(0);
  });
});

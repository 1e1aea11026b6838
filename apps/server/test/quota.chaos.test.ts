import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killWhileCounting } from './quota-kill.ts';

const KILLS = Number(process.env['NWMS_KILLS'] ?? 30);

describe.skipIf(process.env['NWMS_CHAOS'] !== '1')('counting across many kills (B3)', () => {
  it(`${KILLS} kills let nothing pass twice`, { timeout: 1_800_000 }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nwms-quota-'));
    const { faults, ...ledger } = await killWhileCounting(dataDir, { kills: KILLS, limit: 9_000, liveMs: 2_000 });
    rmSync(dataDir, { recursive: true, force: true });
    console.log(`quota ledger: ${JSON.stringify(ledger)}`);
    expect(faults).toEqual([]);
  });
});

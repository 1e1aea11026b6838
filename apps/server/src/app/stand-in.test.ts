import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStormFeed } from '@nwms/nws-sim';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { standInHere, standInThread, type StandInWorld } from './stand-in.ts';

const deps = { clock: systemClock, log: silentLog };
const STORMS = { kind: 'storms', seed: 11, speed: 1, targetActive: 150, seasons: 'all' } satisfies StandInWorld;
const BEGAN_MS = 3_600_000;

async function listed(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/alerts/active`, { headers: { 'User-Agent': 'tests (tests@example.invalid)' } });
  const { features } = (await response.json()) as { features: { id: string }[] };
  return features.map(({ id }) => id.slice(id.lastIndexOf('/') + 1));
}

describe.each([
  { where: 'in this thread', prepare: standInHere },
  { where: 'in a thread of its own', prepare: standInThread },
])('a stand-in for the weather service $where', ({ prepare }) => {
  it('shows the weather of its settings, as it would be had it begun at that instant', async () => {
    const startedAt = Date.now() - BEGAN_MS;
    const feed = createStormFeed({ ...STORMS, startedAt });
    const known = (at: number) => feed.activeAt(at).features.map(({ properties }) => properties.id);
    const { baseUrl, close } = await prepare(STORMS, deps).open(startedAt);
    try {
      const before = known(Date.now());
      const shown = await listed(baseUrl);
      expect(shown.length).toBeGreaterThan(100);
      // A minute may have begun meanwhile.
      expect([before, known(Date.now())]).toContainEqual(shown);
    } finally {
      await close();
    }
    await expect(listed(baseUrl)).rejects.toThrow('fetch failed');
  });

  it('says at the start that a recording cannot be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nwms-stand-in-'));
    const path = join(folder, 'list.json');
    writeFileSync(path, 'nonsense');
    await expect(prepare({ kind: 'replay', path }, deps).open(Date.now())).rejects.toThrow('list.json: not JSON');
    rmSync(folder, { recursive: true });
  });
});

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sharedData } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { parseSafeJson } from '../../platform/safe-json.ts';
import { judgeSnapshot } from './accept-snapshot.ts';
import { readFeatures } from './parse.ts';

const CAPTURES = [
  ['active-us-2025-12-15T2155Z.json.gz', 529],
  ['active-us-2024-12-08.json.gz', 444],
  ['active-iowa-2024-05-21T1934Z.json', 48],
] as const;

describe('recorded lists of the weather service', () => {
  it.each(CAPTURES)('%s: every feature is read, none is quarantined, and the same list again costs no parsing', async (name, count) => {
    const path = sharedData(`alerts/${name}`);
    if (path === null) {
      console.log(`SKIPPED: the recording ${name} is not on this machine`);
      return;
    }
    const body = name.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
    const parsed = parseSafeJson(body, { deep: 'prune', poison: 'remove' });
    const { features } = (parsed as unknown as { value: { features: unknown[] } }).value;
    const first = await readFeatures(features, { source: 'nws', receivedAt: 0, known: new Map() });
    expect(first.unreadable).toEqual([]);
    expect(first.readable.length + first.duplicates).toBe(count);
    const known = new Map(first.readable.map(({ digest, fact }) => [digest, { fact, storedId: fact.upstreamId }]));
    const again = await readFeatures(features, { source: 'nws', receivedAt: 0, known });
    expect(again.readable.every(({ message, storedId }) => message === null && storedId !== null)).toBe(true);
    const facts = first.readable.map(({ fact }) => fact);
    const newest = Math.max(...facts.map(({ sent }) => sent));
    const snapshot = { updated: newest, facts, unreadableIds: [], complete: true };
    const verdict = judgeSnapshot({ updated: null, listed: null, earlierCount: null, suspected: null }, snapshot, newest);
    expect(verdict.kind).toBe('accept');
    expect(
      judgeSnapshot(
        (verdict as { memory: Parameters<typeof judgeSnapshot>[0] }).memory,
        { ...snapshot, facts: facts.toReversed() },
        newest,
      ),
    ).toMatchObject({ changed: false });
  });
});

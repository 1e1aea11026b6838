import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GuardMemory, judgeSnapshot, type Snapshot } from './accept-snapshot.ts';
import type { ListedFact } from './parse.ts';

const NOW = Date.UTC(2026, 4, 14, 16);
const HOUR = 3_600_000;

const fact = (n: number, change: Partial<ListedFact> = {}): ListedFact => ({
  upstreamId: `urn:${n}`,
  contentHash: `hash${n}`,
  sent: NOW - HOUR + n,
  until: NOW + 5 * HOUR,
  expires: NOW + 4 * HOUR,
  isTerminal: false,
  topics: [`KDMX.SV.W.${n}`],
  ancestors: [],
  ...change,
});
const facts = (count: number, change: Partial<ListedFact> = {}) => Array.from({ length: count }, (_, n) => fact(n, change));
const fresh: GuardMemory = { updated: null, listed: null, earlierCount: null, suspected: null };
const snapshot = (list: readonly ListedFact[], change: Partial<Snapshot> = {}): Snapshot => ({
  updated: NOW,
  facts: list,
  unreadableIds: [],
  complete: true,
  ...change,
});

function after(list: readonly ListedFact[]): GuardMemory {
  const verdict = judgeSnapshot(fresh, snapshot(list), NOW);
  if (verdict.kind !== 'accept') throw new Error(verdict.reason);
  return verdict.memory;
}

describe('judgeSnapshot', () => {
  it('accepts the same list again as unchanged, in any order and with duplicates', () => {
    const list = facts(100);
    const memory = after(list);
    fc.assert(
      fc.property(fc.shuffledSubarray(list, { minLength: list.length }), (shuffled) => {
        expect(judgeSnapshot(memory, snapshot([...shuffled, ...shuffled.slice(0, 7)]), NOW)).toMatchObject({
          kind: 'accept',
          changed: false,
        });
      }),
    );
  });

  it.each([
    ['the clock (end)', { until: NOW - 1 }],
    ['the clock (text lapsed)', { expires: NOW - 1 }],
    ['being terminal itself', { isTerminal: true }],
  ])('accepts that everything leaves when %s accounts for it', (_, change) => {
    expect(judgeSnapshot(after(facts(100, change)), snapshot([]), NOW)).toMatchObject({ kind: 'accept', changed: true });
  });

  it('accepts that messages are replaced: by reference, or by a newer message of the same event', () => {
    const memory = after(facts(100));
    const byReference = facts(100).map((old, n) => fact(1_000 + n, { ancestors: [old.upstreamId] }));
    const byTopic = facts(100).map((old, n) => fact(1_000 + n, { topics: old.topics }));
    for (const list of [byReference, byTopic]) expect(judgeSnapshot(memory, snapshot(list), NOW).kind).toBe('accept');
    const older = facts(100).map((old, n) => fact(1_000 + n, { topics: old.topics, sent: old.sent - 1 }));
    expect(judgeSnapshot(memory, snapshot(older), NOW).kind).toBe('quarantine');
  });

  it('puts an unexplained shrink aside until the next poll confirms it, and never longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 500 }), fc.double({ min: 0.2, max: 1, noNaN: true }), (count, share) => {
        const list = facts(count);
        const shrunk = list.slice(Math.ceil(count * share));
        const first = judgeSnapshot(after(list), snapshot(shrunk), NOW);
        expect(first).toMatchObject({ kind: 'quarantine', reason: 'shrink_quarantined' });
        expect(judgeSnapshot(first.memory, snapshot(shrunk), NOW)).toMatchObject({ kind: 'accept', changed: true });
        expect(judgeSnapshot(first.memory, snapshot(list), NOW)).toMatchObject({ kind: 'accept', changed: false });
      }),
    );
  });

  it('another shrink does not confirm the first', () => {
    const list = facts(100);
    const first = judgeSnapshot(after(list), snapshot(list.slice(50)), NOW);
    const other = judgeSnapshot(first.memory, snapshot(list.slice(0, 50)), NOW);
    expect(other).toMatchObject({ kind: 'quarantine', unexplained: 50 });
  });

  it('lets a few messages go without a word, but never the last ones', () => {
    const list = facts(100);
    expect(judgeSnapshot(after(list), snapshot(list.slice(14)), NOW).kind).toBe('accept');
    expect(judgeSnapshot(after(list), snapshot(list.slice(16)), NOW).kind).toBe('quarantine');
    expect(judgeSnapshot(after(facts(1)), snapshot([]), NOW).kind).toBe('quarantine');
  });

  it('counts unreadable features as listed', () => {
    const list = facts(100);
    const unreadableIds = list.slice(0, 60).map(({ upstreamId }) => upstreamId);
    expect(judgeSnapshot(after(list), snapshot(list.slice(60), { unreadableIds }), NOW).kind).toBe('accept');
  });

  it('never goes back in time, unless only the clock took messages away', () => {
    const list = facts(100);
    const memory = after(list);
    const older = { updated: NOW - 60_000 };
    expect(judgeSnapshot(memory, snapshot(list.slice(3), older), NOW)).toMatchObject({ kind: 'quarantine', reason: 'older_snapshot' });
    expect(judgeSnapshot(memory, snapshot([...list, fact(500)], older), NOW)).toMatchObject({
      kind: 'quarantine',
      reason: 'older_snapshot',
    });
    const ending = [fact(0, { until: NOW }), ...list.slice(1)];
    expect(judgeSnapshot(after(ending), snapshot(list.slice(1), older), NOW).kind).toBe('accept');
    expect(judgeSnapshot(memory, snapshot(list, { updated: null }), NOW).kind).toBe('accept');
  });

  it('an incomplete list proves nothing', () => {
    expect(judgeSnapshot(after(facts(100)), snapshot(facts(100), { complete: false }), NOW)).toMatchObject({ reason: 'list_incomplete' });
  });

  it('after a restart a list that goes back is looked at twice, then believed: its newest message may just have ended', () => {
    const restarted: GuardMemory = { ...fresh, updated: NOW, earlierCount: 100 };
    const older = snapshot(facts(100), { updated: NOW - 60_000 });
    const first = judgeSnapshot(restarted, older, NOW);
    expect(first).toMatchObject({ kind: 'quarantine', reason: 'older_snapshot' });
    expect(judgeSnapshot(first.memory, older, NOW)).toMatchObject({ kind: 'accept', memory: { updated: NOW - 60_000 } });
  });

  it('after a restart a list much smaller than before it needs a second look', () => {
    const restarted: GuardMemory = { ...fresh, earlierCount: 400 };
    const first = judgeSnapshot(restarted, snapshot(facts(150)), NOW);
    expect(first).toMatchObject({ kind: 'quarantine', reason: 'shrink_quarantined' });
    expect(judgeSnapshot(first.memory, snapshot(facts(150)), NOW).kind).toBe('accept');
    expect(judgeSnapshot(restarted, snapshot(facts(250)), NOW).kind).toBe('accept');
  });
});

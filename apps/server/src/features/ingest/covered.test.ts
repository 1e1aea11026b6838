import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { createCovered } from './covered.ts';
import type { Gap, IngestStore } from './types.ts';

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 4, 20);

function coveredWith(gaps: Partial<Gap>[], options: { first?: number | null; last?: number | null } = {}) {
  const store = {
    firstGoodPollAt: async () => (options.first === undefined ? T0 : options.first),
    gaps: async () => gaps.map((gap, id) => ({ id, from: T0, to: null, cause: 'poll_failing', backfilled: false, ...gap })),
  } as unknown as IngestStore;
  return createCovered({
    clock: fakeClock(T0),
    store,
    lastAcceptedAt: () => (options.last === undefined ? T0 + 10 * HOUR : options.last),
    pollSeconds: 30,
  });
}

describe('covered', () => {
  it('is nothing before the first good poll, and nothing at all when there was none', async () => {
    expect(await coveredWith([])(T0 - 1, T0)).toBe(false);
    expect(await coveredWith([], { first: null })(T0, T0)).toBe(false);
    expect(await coveredWith([], { last: null })(T0, T0)).toBe(false);
  });

  it('is the time between the first and the last good poll', async () => {
    expect(await coveredWith([])(T0 + HOUR, T0 + 2 * HOUR)).toBe(true);
    expect(await coveredWith([])(T0 + HOUR, T0 + 11 * HOUR)).toBe(false);
  });

  it('is not a time that a gap touches, unless the gap was filled afterwards', async () => {
    const hole = { from: T0 + 2 * HOUR, to: T0 + 3 * HOUR };
    expect(await coveredWith([hole])(T0 + HOUR, T0 + 2.5 * HOUR)).toBe(false);
    expect(await coveredWith([hole])(T0 + 2.5 * HOUR, T0 + 2.5 * HOUR)).toBe(false);
    expect(await coveredWith([hole])(T0 + 4 * HOUR, T0 + 5 * HOUR)).toBe(true);
    expect(await coveredWith([{ ...hole, backfilled: true }])(T0 + HOUR, T0 + 5 * HOUR)).toBe(true);
    expect(await coveredWith([{ from: T0 + 2 * HOUR, to: null }])(T0 + 5 * HOUR, T0 + 5 * HOUR)).toBe(false);
  });
});

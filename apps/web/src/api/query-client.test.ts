import { expect, test } from 'vitest';
import { POLICIES } from './intervals.ts';
import { byPolicy } from './query-client.ts';

const deps = { budget: { take: () => true }, random: Math.random, pollSpread: 0.37 };

test('TICK-02, NET-13: a screen that renders every second tells the same wait each time, so that its poll does come', () => {
  const answered = { state: { error: null } };
  for (const name of ['ticker', 'health', 'landing'] as const) {
    const waits = Array.from({ length: 50 }, () => byPolicy(name, deps).refetchInterval(answered));
    expect(new Set(waits).size).toBe(1);
    expect(Number(waits[0])).toBeGreaterThanOrEqual(POLICIES[name].every * 1000);
    expect(Number(waits[0])).toBeLessThanOrEqual(POLICIES[name].every * 1100);
  }
});

test('what asks only when told to does not ask by itself', () => {
  expect(byPolicy('admin', deps).refetchInterval({ state: { error: null } })).toBe(false);
  expect(byPolicy('health', deps, false).refetchInterval({ state: { error: null } })).toBe(false);
});

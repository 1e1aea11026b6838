import { expect, it } from 'vitest';
import { runPlan } from './live-recovery.ts';

it('C1, LV15: through 20 random plans of drops, restarts and forgotten history nothing is missed, repeated or out of order', async () => {
  const base = Date.now() % 1_000_000;
  const plans = Array.from({ length: 20 }, (_, n) => base + n);
  console.log(`C1: seeds ${base} to ${base + 19}`);
  const results = [];
  for (let start = 0; start < plans.length; start += 5)
    results.push(...(await Promise.all(plans.slice(start, start + 5).map((seed) => runPlan(seed, 40)))));
  expect(results.flatMap((result) => result.faults.map((fault) => `seed ${result.seed}: ${fault}`))).toEqual([]);
  // A run in which nothing happened proves nothing.
  expect(results.reduce((sum, result) => sum + result.drops, 0)).toBeGreaterThan(50);
  expect(results.reduce((sum, result) => sum + result.received, 0)).toBeGreaterThan(200);
}, 120_000);

import { PRINCIPAL_KINDS } from '@nwms/contract/usage-parts';
import { sqliteEngine } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';
import { OBJECT_QUESTIONS } from './usage-model-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12, 34, 56);
/** Null because it is so, and not because nobody knows: nothing fails, nobody is to be named, nobody is found anywhere. */
const MEANT = new Set([
  'usageGeographic attribution',
  'usageGeographic attribution_url',
  'usageInsights system_insights.error_prone_endpoint',
]);

/** Members that are null, by path; rows of series stand for their series. */
function nullsOf(value: unknown, path: string): string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => nullsOf(one, path)))];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'insufficient' ? [] : nullsOf(one, Array.isArray(value) ? path : path ? `${path}.${name}` : name),
  );
}

/** Null members that the answer does not explain. Averages of rows without a request say so by their count. */
function unexplained(operation: string, answer: { insufficient: { field: string }[] }): string[] {
  const told = answer.insufficient.map(({ field }) => field);
  const inRows = /_(trends|performance|minute)\.(avg_|error_rate)|^(timeline|top_|slowest_)/;
  return nullsOf(answer, '').filter(
    (path) =>
      !inRows.test(path) && !MEANT.has(`${operation} ${path}`) && !told.some((field) => path === field || path.startsWith(`${field}.`)),
  );
}

describe('what cannot be known is null, and why is told', () => {
  let world: UsageWorld;
  afterEach(() => world.close());

  it.each([
    ['nothing yet', 0, 0],
    ['one request', HOUR, 1],
    ['streams alone', HOUR, -30],
    ['an hour', HOUR, 40],
    ['a day', DAY, 60],
    ['eight days of little', 9 * DAY, 40],
    ['eight days', 9 * DAY, 300],
    ['fifteen days', 16 * DAY, 300],
    ['a month', 30 * DAY, 600],
  ] as const)('API-11 to API-22 with the record of %s', { timeout: 60_000 }, async (_name, age, count) => {
    world = await usageWorld(await sqliteEngine().place(), NOON - age);
    await world.usage.start();
    for (let n = 0; n < Math.abs(count); n += 1) {
      world.seen({ ms: count < 0 ? null : 12, address: `203.0.113.${n % 5}` });
      world.clock.jump(age / Math.abs(count));
      if (n % 20 === 0) await world.usage.flush();
    }
    world.clock.jump(NOON - world.clock.now());
    await world.usage.flush();
    const faults: string[] = [];
    for (const principal of ['all', ...PRINCIPAL_KINDS]) {
      for (const days_back of [1, 7, 30, 90])
        for (const operation of OBJECT_QUESTIONS) {
          const answer = await world.ask(operation, { days_back, principal });
          faults.push(...unexplained(operation, answer).map((path) => `${operation} ${days_back} ${principal}: ${path}`));
        }
      const now = await world.ask('usageRealtime', { minutes_back: 15, principal });
      faults.push(...unexplained('usageRealtime', now).map((path) => `usageRealtime ${principal}: ${path}`));
    }
    expect(faults).toEqual([]);
  });
});

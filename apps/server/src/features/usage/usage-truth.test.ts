import { testEngines } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { PRINCIPAL_KINDS } from '@nwms/contract/usage-parts';
import { type UsageWorld, usageWorld } from './usage-fixture.ts';
import { play, script } from './usage-model-fixture.ts';
import * as truths from './usage-truth-fixture.ts';
import { truthOf, type TruthQuestion } from './usage-truth-parts-fixture.ts';
import { peopleTruth } from './usage-truth-people-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A moment after a midnight, 79 days into a 90-day period of address keys: windows of 90 days reach over its begin. */
const MIDNIGHT = Date.UTC(2026, 10, 22, 0, 0, 7);

/** Where an answer is not what the tally says; percentiles may differ by the error of the sketch. */
function differences(told: unknown, truth: unknown, path: string): string[] {
  if (Array.isArray(truth)) {
    const rows = told as unknown[];
    if (rows.length !== truth.length) return [`${path}: ${rows.length} rows, not ${truth.length}`];
    return truth.flatMap((one, n) => differences(rows[n], one, `${path}[${n}]`));
  }
  if (typeof truth === 'object' && truth !== null)
    return Object.entries(truth).flatMap(([name, value]) =>
      differences((told as Record<string, unknown> | null)?.[name], value, `${path}.${name}`),
    );
  const isClose = typeof truth === 'number' && /\.p\d\d_/.test(path) && Math.abs(Number(told) - truth) <= 0.0105 * truth + 0.06;
  return told === truth || isClose ? [] : [`${path}: ${String(told)}, not ${String(truth)}`];
}

/** Every figure over days against the tally. */
async function faultsOf(world: Pick<UsageWorld, 'ask'>, question: TruthQuestion): Promise<string[]> {
  const { days, principal } = question;
  const asked = { days_back: days, principal };
  const truth = truthOf(question);
  const [people, rows] = [peopleTruth(truth), await world.ask('usageUsersDetailed', { ...asked, limit: 100 })];
  const answers: [operation: string, truth: object, more?: object][] = [
    ['usageOverview', truths.overviewTruth(truth)],
    ['usageEndpoints', truths.endpointsTruth(truth), { limit: 200 }],
    ['usagePerformance', truths.performanceTruth(truth)],
    ['usageErrors', truths.errorsTruth(truth)],
    ['usageGeographic', truths.geographicTruth(truth)],
    ['usageUserAgents', truths.agentsTruth(truth)],
    ['usageBusinessMetrics', truths.businessTruth(truth)],
    ['usageUsersOverview', people.overview],
  ];
  const faults: string[] = [];
  for (const [operation, expected, more] of answers)
    faults.push(
      ...differences(await world.ask(operation, { ...asked, ...more }), expected, `${operation} of ${days} days of ${principal}`),
    );
  const texts = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort();
  const withoutIds = rows.map(({ id: _id, ...row }: { id: string }) => row);
  if (people.rows.length > 100) return rows.length === 100 ? faults : [...faults, `${rows.length} people on a page of 100`];
  return [...faults, ...differences(texts(withoutIds), texts(people.rows), `people of ${days} days of ${principal}`)];
}

describe.each((await testEngines()).filter((engine) => engine.skip === null))('every figure against a tally on $name', (engine) => {
  let world: UsageWorld;
  afterEach(() => world.close());

  it.each([
    { name: 'right after midnight, with earlier months', now: MIDNIGHT, begun: 100 * DAY + 5 * HOUR },
    { name: 'a second before midnight, recorded for three days', now: MIDNIGHT - 8_000, begun: 3 * DAY + 5 * HOUR },
    { name: 'in an hour that has just begun', now: MIDNIGHT + 13 * HOUR, begun: 9 * DAY + 70_000 },
  ])(
    'API-11 API-12 API-13 API-14 API-15 API-16 API-17 API-19 API-20: every member, every window and kind of caller: $name',
    { timeout: 300_000 },
    async ({ now, begun }) => {
      const since = now - begun;
      world = await usageWorld(await engine.place(), since);
      await world.usage.start();
      const requests = script(31, 900, since, now);
      await play(world, requests, 3);
      world.clock.jump(now - world.clock.now());
      const check = async (asked: Pick<UsageWorld, 'ask'>) => {
        const faults: string[] = [];
        for (const days of [1, 7, 30, 90])
          for (const principal of ['all', ...PRINCIPAL_KINDS] as const)
            faults.push(...(await faultsOf(asked, { requests, now, since, days, principal })));
        return faults;
      };
      expect(await check(world)).toEqual([]);
      await world.usage.compactNow();
      await world.usage.expireNow();
      expect(await check(await world.another())).toEqual([]);
    },
  );
});

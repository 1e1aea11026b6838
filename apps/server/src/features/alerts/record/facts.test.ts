import { DAY_MS, evaluate, type EventFact, hazardRank, SEVERITY_LEVELS } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { noPlaces, openStorage, runStep, STEP_MS, T0 } from '../storage/storage-fixture.ts';
import { createWorld } from '../storage/storage-world-fixture.ts';
import { createAlertRecord } from './index.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const SOURCES = { sources: ['simulator'] };
const MANY = 10_000;

const all = async (pages: AsyncIterable<EventFact[]>) => {
  const found: EventFact[] = [];
  for await (const page of pages) found.push(...page);
  return found.sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
};

describe.each(engines)('facts on $name', (engine) => {
  it('say of every countable event what its messages say, once per event, and follow later changes', async () => {
    const place = await engine.place();
    const opened = await openStorage(place.config);
    const world = createWorld(7, 0.1);
    const { facts } = createAlertRecord({ database: opened.database, clock: opened.clock, places: noPlaces });
    expect(await facts.since()).toBeNull();
    for (let step = 0; step <= 60; step += 1) {
      await runStep(opened, world, step);
      if (step === 20 || step === 40) await facts.catchUp(60_000);
    }
    expect(await facts.catchUp(60_000)).toBe(true);
    const { archive } = opened.storage;
    const { events, messages } = await archive.find({ limit: MANY });
    const byId = new Map((await archive.messages(events.flatMap((e) => e.versions.map((v) => v.messageId)))).map((m) => [m.id, m]));
    expect(messages.length).toBeGreaterThan(10);
    const found = await all(facts.meeting(0, T0 + 100 * DAY_MS, SOURCES));
    const countable = events.filter((event) => event.countable);
    expect(found.map((fact) => fact.eventId)).toEqual(countable.map((event) => event.eventId).sort());
    expect(found.some((fact) => fact.steps.length > 1)).toBe(true);
    for (const event of countable) {
      const fact = found.find((each) => each.eventId === event.eventId);
      const own = event.versions.map((version) => byId.get(version.messageId)).filter((each) => each !== undefined);
      expect(fact?.versions).toBe(event.versions.length);
      expect(fact?.severity).toBe(Math.max(...own.map((message) => SEVERITY_LEVELS[message.severity])));
      expect(Math.max(...(fact?.steps.map((step) => step.rank) ?? []))).toBeLessThanOrEqual(Math.max(...own.map(hazardRank)));
      expect(fact?.zones.toSorted()).toEqual(event.zones.map((zone) => zone.code).toSorted());
      expect(new Set(fact?.areas.map(([code]) => code))).toEqual(new Set(own.flatMap((m) => m.same.map((same) => `0${same.slice(1)}`))));
      const { state } = evaluate(event, opened.clock.now());
      const byMessage = state === 'cancelled' || state === 'upgraded' || state === 'withdrawn';
      const how = fact?.end?.how ?? 'ended';
      expect(how).toBe(byMessage ? state : 'ended');
    }

    const [from, to] = [T0 + 20 * STEP_MS, T0 + 25 * STEP_MS];
    const meets = (fact: EventFact) => Math.min(fact.firstSeen, fact.begin) < to && (fact.overAt ?? Infinity) > from;
    const inWindow = await all(facts.meeting(from, to, SOURCES));
    expect(inWindow.map((fact) => fact.eventId)).toEqual(found.filter(meets).map((fact) => fact.eventId));
    expect(inWindow.length).toBeGreaterThan(3);
    expect(await all(facts.meeting(0, to, { sources: ['nws'] }))).toEqual([]);

    const sample = found.find((fact) => fact.states.length > 0);
    const [state = '', name = ''] = [sample?.states[0], sample?.event];
    const some = await all(facts.meeting(0, T0 + DAY_MS, { ...SOURCES, codes: [state], events: [name.toUpperCase()] }));
    expect(some.map((fact) => fact.eventId)).toEqual(
      found.filter((fact) => fact.event === name && fact.states.includes(state)).map((fact) => fact.eventId),
    );

    const counted = await facts.counts(0, 100_000, SOURCES, { hour: true, event: true, states: true });
    const key = (fact: EventFact) => {
      const local = new Date(fact.begin + fact.offsetMinutes * 60_000);
      return `${Math.floor(local.getTime() / DAY_MS)}/${local.getUTCHours()}/${fact.severity}/${fact.event}/${fact.states.join(' ')}`;
    };
    const expected = new Map<string, number>();
    for (const fact of found) expected.set(key(fact), (expected.get(key(fact)) ?? 0) + 1);
    expect(new Map(counted.map((c) => [`${c.day}/${c.hour}/${c.severity}/${c.event}/${c.states}`, c.count]))).toEqual(expected);
    expect(await facts.since()).toBe(Math.min(...found.map((fact) => Math.min(fact.firstSeen, fact.begin))));
    await opened.close();
    await place.dispose();
  });
});

import { evaluate, overAt, type EventState } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { spanClassOf } from './spans.ts';
import { alertTables, FOREVER } from './tables.ts';
import { openStorage, runStep, STEP_MS, T0 } from './storage-fixture.ts';
import { createWorld } from './storage-world-fixture.ts';
import type { AlertArchive, ArchiveBounds } from '../types.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const LAST = 80;
const MANY = 10_000;

const ids = (events: readonly EventState[]) => events.map((event) => event.eventId).sort();
const byName = (events: readonly EventState[]) => events.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
/** Names of what is found; asked for names alone, they are the same. */
const found = async (archive: AlertArchive, bounds: Omit<ArchiveBounds, 'limit'>) => {
  const names = ids((await archive.find({ limit: MANY, ...bounds })).events);
  expect((await archive.ids({ limit: MANY, ...bounds })).toSorted()).toEqual(names);
  return names;
};

describe.each(engines)('archive on $name', (engine) => {
  it('shows every past instant as it was known then, and answers every bound like a plain filter', async () => {
    const place = await engine.place();
    const opened = await openStorage(place.config);
    const world = createWorld(31, 0.15);
    const { archive, boot } = opened.storage;
    const known = new Map<number, EventState[]>();
    for (let step = 0; step <= LAST; step += 1) {
      await runStep(opened, world, step);
      if (step % 16 === 0)
        known.set(
          T0 + step * STEP_MS,
          (await boot.load()).events.map((event) => structuredClone(event)),
        );
    }

    let skipped = 0;
    for (const [at, events] of known) {
      const active = events.filter((event) => evaluate(event, at).isActive);
      const asOf = await archive.asOf(at, { activeOnly: true, limit: MANY });
      expect(ids(asOf.events.filter((event) => evaluate(event, at).isActive))).toEqual(ids(active));
      expect(ids((await archive.asOf(at, { limit: MANY })).events)).toEqual(ids(events));
      // By their names the same is read.
      const names = await archive.idsAt(at, { limit: MANY });
      expect(names.toSorted()).toEqual(ids(events));
      expect(byName((await archive.events(names, at)).events)).toEqual(byName((await archive.asOf(at, { limit: MANY })).events));
      // Bounded by when it was over as known then: nothing that matters is missing, and what was over long before is not read.
      const since = at - 5 * STEP_MS;
      const recent = ids((await archive.asOf(at, { from: since, limit: MANY })).events);
      expect(recent).toEqual(expect.arrayContaining(ids(events.filter((event) => (overAt(event) ?? Infinity) > since))));
      skipped += events.length - recent.length;
      const one = active[0];
      if (!one) throw new Error('an empty world proves nothing');
      const then = await archive.event(one.eventId, at);
      expect(then?.event.versions).toEqual(one.versions);
      expect(then?.messages.map((message) => message.id)).toEqual(expect.arrayContaining([one.currentId]));
      expect(evaluate(then?.event ?? one, at)).toEqual(evaluate(one, at));
    }

    expect(skipped).toBeGreaterThan(5);

    const { events, messages } = await archive.find({ limit: MANY });
    const message = new Map(messages.map((each) => [each.id, each]));
    const end = (event: EventState) => overAt(event) ?? Infinity;
    const [from, to] = [T0 + 20 * STEP_MS, T0 + 35 * STEP_MS];
    const expectFound = async (bounds: Omit<ArchiveBounds, 'limit'>, fits: (event: EventState) => boolean) => {
      const expected = ids(events.filter(fits));
      expect(await found(archive, bounds)).toEqual(expected);
      return expected.length;
    };
    expect(await expectFound({ from, to }, (event) => event.from < to && end(event) > from)).toBeGreaterThan(5);
    const sent = (event: EventState) => message.get(event.currentId)?.sent ?? 0;
    expect(await expectFound({ from, to, timeField: 'sent' }, (event) => sent(event) >= from && sent(event) < to)).toBeGreaterThan(3);
    await expectFound({ from, to, timeField: 'ended' }, (event) => end(event) >= from && end(event) < to);
    await expectFound({ inForceAt: from }, (event) => event.from <= from && end(event) > from);
    await expectFound({ updatedSince: to }, (event) => event.updatedAt >= to);
    const sample = events.find((event) => event.zones.length > 0 && event.eventCode !== null && event.office !== null);
    const { eventCode, office } = sample ?? {};
    await expectFound({ eventCodes: [eventCode ?? ''] }, (event) => event.eventCode === eventCode);
    await expectFound({ offices: [office ?? ''] }, (event) => event.office === office);
    const code = sample?.zones[0]?.code ?? '';
    for (const prefix of [code, code.slice(0, 3), code.slice(0, 2)]) {
      const inside = (event: EventState) => event.zones.some((zone) => zone.code.startsWith(prefix));
      expect(await expectFound({ ugcPrefixes: [prefix] }, inside)).toBeGreaterThan(0);
      await expectFound({ ugcPrefixes: [prefix], from, to }, (event) => inside(event) && event.from < to && end(event) > from);
    }
    // By type and time, with and without an area: the windows at both ends, whole codes, several types, and what is open for good.
    const codes = [...new Set(events.flatMap((event) => event.eventCode ?? []))];
    const windows = [{ from, to }, { from }, { to }, { inForceAt: from }, { from, to, inForceAt: from + STEP_MS }];
    let byKind = 0;
    for (const eventCodes of [...codes.map((each) => [each]), codes.slice(0, 3), []]) {
      for (const window of windows) {
        const start = Math.max(window.from ?? 0, window.inForceAt ?? 0);
        const stop = Math.min(window.to ?? Infinity, (window.inForceAt ?? Infinity) + 1);
        const fits = (event: EventState) => eventCodes.includes(event.eventCode ?? '') && event.from < stop && end(event) > start;
        byKind += await expectFound({ ...window, eventCodes }, fits);
        for (const prefix of [code, code.slice(0, 2)]) {
          const inside = (event: EventState) => event.zones.some((zone) => zone.code.startsWith(prefix));
          byKind += await expectFound({ ...window, eventCodes, ugcPrefixes: [prefix] }, (event) => fits(event) && inside(event));
        }
        await expectFound({ ...window, eventCodes, updatedSince: to }, (event) => fits(event) && event.updatedAt >= to);
      }
    }
    expect(byKind).toBeGreaterThan(50);
    // One that has lasted longer than every class of lengths, as fires and droughts do.
    const old = { in_force_from: T0 - 200 * 86_400_000, over_at: FOREVER, span_class: spanClassOf(T0 - 200 * 86_400_000, FOREVER) };
    await alertTables(opened.database.log)
      .updateTable('events')
      .set(old)
      .where('event_id', '=', sample?.eventId ?? '')
      .execute();
    for (const ugcPrefixes of [undefined, [code.slice(0, 2)]]) {
      const bounds = { from, to, eventCodes: [eventCode ?? ''], ...(ugcPrefixes && { ugcPrefixes }) };
      expect(await found(archive, bounds)).toContain(sample?.eventId);
    }
    await expect(archive.find({ limit: 3 })).rejects.toMatchObject({ code: 'query.window_too_large' });
    await expect(archive.ids({ limit: 3 })).rejects.toMatchObject({ code: 'query.window_too_large' });

    const last = events.find((event) => event.versions.length > 2) ?? events[0];
    const history = await archive.revisions(last?.eventId ?? '');
    expect(history.map((each) => each.seq)).toEqual(history.map((each) => each.seq).sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(new Set(history.map((each) => each.messageId))).toEqual(new Set(last?.versions.map((version) => version.messageId)));
    const messageId = last?.versions[0]?.messageId ?? '';
    const named = await archive.eventOfMessage(messageId);
    expect(named?.event.eventId).toBe(last?.eventId);
    expect(named?.message.id).toBe(messageId);
    expect(await archive.eventOfMessage(messageId, T0 - 1)).toBeNull();
    expect(JSON.parse((await archive.raw(messageId)) ?? '{}')).toHaveProperty('properties.event');
    expect(await archive.event('nothing')).toBeNull();
    expect(await archive.raw('nothing')).toBeNull();
    await opened.close();
    await place.dispose();
  });
});

import { describe, expect, it } from 'vitest';
import { evaluate, overAt } from './evaluate.ts';
import { bench, HOUR, message, MINUTE, NOON, type Parts, vtecText } from './fixture.ts';
import { applyPresence, locate } from './presence.ts';
import { tick } from './tick.ts';

const KEY = 'KTAE.FZ.A.0004';
const ID = `${KEY}.2026`;
const watch = (action: string, zones: string[], more: Parts = {}) =>
  message({
    event: 'Freeze Watch',
    eventCode: 'FZA',
    severity: 'Moderate',
    urgency: 'Future',
    zones,
    vtec: vtecText(action, KEY, NOON + 12 * HOUR, NOON + 20 * HOUR),
    onset: NOON + 12 * HOUR,
    ends: NOON + 20 * HOUR,
    ...more,
  });
const A = ['GAZ001', 'GAZ002'];

describe('trap 13, A4: absence', () => {
  const openEnded = () => {
    const b = bench();
    b.apply([
      message({ event: 'Flood Warning', eventCode: 'FLW', zones: ['IAC153'], vtec: vtecText('NEW', 'KDMX.FL.W.0007', null, null) }),
    ]);
    return b.index.event('KDMX.FL.W.0007.2026')!;
  };
  const poll = (at: number, ...listed: string[]) => ({ startedAt: at, listed: new Set(listed) });

  it('one missing poll tells nothing, two tell unconfirmed once, a return tells reconfirmed', () => {
    let event = openEnded();
    const kinds: string[] = [];
    for (let i = 1; i <= 5; i++) {
      const stepped = applyPresence(event, poll(NOON + i * MINUTE), NOON + i * MINUTE);
      event = stepped.event;
      kinds.push(stepped.entries.map((e) => e.kind).join());
    }
    expect(kinds).toEqual(['', 'unconfirmed', '', '', '']);
    expect(evaluate(event, NOON + 5 * MINUTE)).toMatchObject({ state: 'unconfirmed', isActive: true });
    const back = applyPresence(event, poll(NOON + 6 * MINUTE, event.currentId), NOON + 6 * MINUTE);
    expect(back.entries).toMatchObject([{ kind: 'reconfirmed', state: 'in_force' }]);
  });

  it('a new listed message confirms an unconfirmed event by itself', () => {
    const b = bench();
    b.apply([watch('NEW', A)]);
    let event = b.index.event(ID)!;
    for (let i = 1; i <= 2; i++) event = applyPresence(event, poll(NOON + i * MINUTE), NOON + i * MINUTE).event;
    b.index.put(event);
    const [entry] = b.apply([watch('CON', A, { sent: NOON + HOUR })]);
    expect(entry).toMatchObject({
      kind: 'corrected',
      event: { told: { unconfirmed: false }, presence: { absentSince: null, absentPolls: 0 } },
    });
  });

  it('absent polls that are not consecutive never tell anything', () => {
    let event = openEnded();
    for (let i = 1; i <= 100; i++) {
      const stepped = applyPresence(event, i % 2 === 0 ? poll(NOON + i, event.currentId) : poll(NOON + i), NOON + i);
      expect(stepped.entries).toEqual([]);
      event = stepped.event;
    }
  });

  it('an open-ended event is withdrawn only after 12 hours of good polls without it and lapsed text', () => {
    let event = openEnded();
    const kinds: [number, string][] = [];
    for (let minute = 1; minute <= 13 * 60; minute += 10) {
      const stepped = applyPresence(event, poll(NOON + minute * MINUTE), NOON + minute * MINUTE);
      event = stepped.event;
      for (const entry of stepped.entries) kinds.push([minute, entry.kind]);
    }
    expect(kinds).toEqual([
      [11, 'unconfirmed'],
      [721, 'withdrawn'],
    ]);
    expect(evaluate(event, NOON + 13 * HOUR)).toMatchObject({ state: 'withdrawn', reason: 'absent_12h', isActive: false });
  });

  it('an open-ended event whose text still runs is not withdrawn, however long it is absent', () => {
    let event = { ...openEnded(), expires: NOON + 48 * HOUR };
    for (let hour = 1; hour <= 47; hour++) event = applyPresence(event, poll(NOON + hour * HOUR), NOON + hour * HOUR).event as typeof event;
    expect(evaluate(event, NOON + 47 * HOUR)).toMatchObject({ state: 'unconfirmed', isActive: true });
    expect(applyPresence(event, poll(NOON + 49 * HOUR), NOON + 49 * HOUR).entries).toMatchObject([{ kind: 'withdrawn' }]);
  });

  it('a withdrawn event that is continued is active again', () => {
    const b = bench();
    const parts = { event: 'Flood Warning', eventCode: 'FLW', zones: ['IAC153'] };
    b.apply([message({ ...parts, vtec: vtecText('NEW', 'KDMX.FL.W.0007', null, null) })]);
    let event = b.index.event('KDMX.FL.W.0007.2026')!;
    for (let hour = 1; hour <= 14; hour++) event = applyPresence(event, poll(NOON + hour * HOUR), NOON + hour * HOUR).event;
    expect(event.withdrawnAt).not.toBeNull();
    b.index.put(event);
    const [entry] = b.apply([message({ ...parts, sent: NOON + 20 * HOUR, vtec: vtecText('CON', 'KDMX.FL.W.0007', null, null) })]);
    expect(entry).toMatchObject({ isActive: true, state: 'in_force', diff: { state: { from: 'withdrawn', to: 'in_force' } } });
  });

  it('the clock alone withdraws nothing: no poll, no withdrawal', () => {
    const event = openEnded();
    expect(tick(event, NOON + 1000 * HOUR).entries).toEqual([]);
    expect(overAt(event)).toBeNull();
  });

  it('an absent event with a known end runs to its end', () => {
    const b = bench();
    b.apply([message({ vtec: vtecText('NEW', 'KDMX.SV.W.0001', null, NOON + HOUR), ends: NOON + HOUR })]);
    let event = b.index.event('KDMX.SV.W.0001.2026')!;
    for (let i = 1; i < 59; i++) event = applyPresence(event, poll(NOON + i * MINUTE), NOON + i * MINUTE).event;
    expect(evaluate(event, NOON + 59 * MINUTE)).toMatchObject({ isActive: true, state: 'unconfirmed' });
    expect(tick(event, NOON + HOUR).entries).toMatchObject([{ kind: 'ended' }]);
  });

  it('a poll begun before the event was first seen cannot count against it', () => {
    const event = openEnded();
    expect(applyPresence(event, poll(NOON - MINUTE), NOON)).toEqual({ event, entries: [] });
    const b = bench();
    b.apply([watch('NEW', A)], { listed: false, pollStartedAt: null });
    const backfilled = b.index.event(ID)!;
    expect(applyPresence(backfilled, poll(NOON - MINUTE), NOON).event.presence.absentPolls).toBe(0);
    expect(applyPresence(backfilled, poll(NOON + MINUTE), NOON + MINUTE).event.presence.absentPolls).toBe(1);
  });

  it('a stale node that still lists an older version confirms the event', () => {
    const b = bench();
    const first = watch('NEW', A);
    b.apply([first]);
    b.apply([watch('CON', A, { sent: NOON + HOUR })]);
    const event = b.index.event(ID)!;
    const stepped = applyPresence(event, poll(NOON + 2 * HOUR, first.id), NOON + 2 * HOUR);
    expect(stepped.event.presence).toEqual({ lastListedAt: NOON + 2 * HOUR, absentSince: null, absentPolls: 0 });
  });

  it('an event without changes stays the same object, so nothing needs storing', () => {
    let event = openEnded();
    for (let i = 1; i <= 2; i++) event = applyPresence(event, poll(NOON + i), NOON + i).event;
    expect(applyPresence(event, poll(NOON + 3), NOON + 3).event).toBe(event);
    expect(tick(event, NOON + 3).event).toBe(event);
  });

  it('an open-ended message no poll ever listed lapses 12 hours after its text', () => {
    const b = bench();
    const m = message({ vtec: vtecText('NEW', 'KDMX.FL.W.0008', null, null), source: 'import' });
    const [entry] = b.apply([m], { now: NOON + 100 * HOUR, listed: false, pollStartedAt: null });
    expect(entry).toMatchObject({ kind: 'backfilled', state: 'withdrawn', channels: ['updates'] });
  });

  it('a list that holds a withdrawn event again takes the withdrawal back', () => {
    let event = openEnded();
    for (const hours of [1, 2, 15]) event = applyPresence(event, poll(NOON + hours * HOUR), NOON + hours * HOUR).event;
    expect(evaluate(event, NOON + 15 * HOUR)).toMatchObject({ state: 'withdrawn', isActive: false });
    const elsewhere = applyPresence(event, poll(NOON + 16 * HOUR, 'another'), NOON + 16 * HOUR);
    expect(elsewhere.entries).toEqual([]);
    const back = applyPresence(event, poll(NOON + 16 * HOUR, event.currentId), NOON + 16 * HOUR);
    expect(back.entries).toMatchObject([{ kind: 'reconfirmed', state: 'in_force', isActive: true, channels: ['updates'] }]);
    expect(back.event).toMatchObject({ withdrawnAt: null, told: { ended: false } });
  });

  it('a late shape is told as located, without a version', () => {
    const { entries, event } = locate(
      openEnded(),
      { source: { from: 'none', to: 'zones' }, area_km2: { from: null, to: 12 }, overlap_share: null },
      NOON,
    );
    expect(entries).toMatchObject([
      { kind: 'located', version: 1, channels: ['updates'], summary: 'Flood Warning located: shape none → zones' },
    ]);
    expect(event.versions).toHaveLength(1);
  });
});

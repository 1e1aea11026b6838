import { describe, expect, it } from 'vitest';
import { evaluate, overAt } from './evaluate.ts';
import { bench, HOUR, message, MINUTE, NOON, type Parts, vtecText } from './fixture.ts';
import { applyPresence } from './presence.ts';

const KEY = 'KTAE.FZ.W.0004';
const ID = `${KEY}.2026`;
const END = NOON + 30 * HOUR;
const warning = (action: string, zones: string[], sent: number, more: Parts = {}) =>
  message({
    event: 'Freeze Warning',
    eventCode: 'FZW',
    zones,
    sent,
    vtec: vtecText(action, KEY, NOON, END),
    onset: NOON,
    ends: END,
    ...more,
  });
const [X, Y] = ['GAZ001', 'GAZ002'];
/** The moment of the reading: after all that was sent, before the end that the messages name. */
const NOW = NOON + 20 * HOUR;
const past = { now: NOW, listed: false, pollStartedAt: null, past: true };
const stateAt = (b: ReturnType<typeof bench>) => evaluate(b.index.event(ID)!, NOW);

describe('the time before the first list, read after it', () => {
  it('is told as backfilled on no channel, whatever it says', () => {
    const b = bench();
    b.apply([warning('NEW', [X, Y], NOON), warning('CON', [X, Y], NOON + HOUR, { severity: 'Extreme' })], past);
    b.apply([warning('CAN', [X, Y], NOON + 2 * HOUR)], past);
    expect(b.entries.map(({ kind, channels, isActive }) => ({ kind, channels, isActive }))).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'backfilled', channels: [], isActive: false })),
    );
    expect(stateAt(b)).toMatchObject({ state: 'cancelled', endedAt: NOON + 2 * HOUR });
  });

  it('makes nothing active that no list held: it was over when its text lapsed, and not after the reading', () => {
    const b = bench();
    b.apply([warning('NEW', [X], NOON, { expires: NOON + 6 * HOUR })], past);
    expect(stateAt(b)).toMatchObject({ state: 'withdrawn', isActive: false, endedAt: NOON + 6 * HOUR });
    const fresh = bench();
    fresh.apply([warning('NEW', [X], NOON, { expires: NOW + HOUR })], past);
    expect(overAt(fresh.index.event(ID)!)).toBe(NOW);
  });

  it('becomes news when a list has it after all', () => {
    const b = bench();
    const only = warning('NEW', [X], NOON);
    b.apply([only], past);
    const again = applyPresence(b.index.event(ID)!, { startedAt: NOW + MINUTE, listed: new Set([only.id]) }, NOW + MINUTE);
    expect(again.entries).toMatchObject([{ kind: 'reconfirmed', isActive: true }]);
    const [entry] = b.apply([warning('CON', [X], NOW + HOUR)], { now: NOW + HOUR });
    expect(entry).toMatchObject({ kind: 'issued', channels: ['alerts', 'severe_alerts'], isActive: true });
  });

  it('adds to a listed event its history, and no zone that the list does not name', () => {
    const b = bench();
    const listed = warning('CON', [X], NOON + 10 * HOUR);
    b.apply([listed], { now: NOW - HOUR });
    b.apply([warning('NEW', [X, Y], NOON)], past);
    const before = b.index.event(ID)!;
    expect(before).toMatchObject({ currentId: listed.id, zones: [{ code: X, messageId: listed.id }] });
    expect(before.versions.map(({ kind }) => kind)).toEqual(['issued', 'backfilled']);
    b.apply([warning('CAN', [Y], NOON + 9 * HOUR)], past);
    expect(b.index.event(ID)?.zones).toMatchObject([
      { code: X, over: null },
      { code: Y, over: { how: 'cancelled', at: NOON + 9 * HOUR } },
    ]);
    expect(stateAt(b)).toMatchObject({ isActive: true, inForceUntil: END });
  });
});

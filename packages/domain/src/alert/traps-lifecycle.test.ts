import { describe, expect, it } from 'vitest';
import { evaluate, evaluateMessage, evaluateZone } from './evaluate.ts';
import { bench, HOUR, message, MINUTE, NOON, type Parts, vtecText } from './fixture.ts';
import { orderForApply } from './in-force.ts';
import { nextTransitionAt, tick } from './tick.ts';

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
const B = ['GAZ003'];

describe('traps 1 to 4: messages, cancels, references, parts', () => {
  it('trap 1: an update is a new version of the same event, the old message is superseded', () => {
    const b = bench();
    const first = watch('NEW', A);
    const second = watch('CON', A, { sent: NOON + HOUR, headline: 'still' });
    expect(b.apply([first])[0]).toMatchObject({ kind: 'issued', version: 1, state: 'upcoming', isActive: true });
    expect(b.apply([second])[0]).toMatchObject({ kind: 'revised', version: 2, eventId: ID });
    const event = b.index.event(ID)!;
    expect(evaluateMessage(event, first.id, NOON + HOUR)).toMatchObject({
      state: 'superseded',
      reason: 'superseded_by_update',
      isActive: false,
    });
    expect(evaluateMessage(event, second.id, NOON + HOUR)).toMatchObject({ state: 'upcoming', isActive: true });
  });

  it.each([
    ['VTEC CAN labelled Alert', { messageType: 'Alert', urgency: 'Past', response: 'AllClear' } as const, 'CAN', 'cancelled'],
    ['VTEC UPG labelled Alert', { messageType: 'Alert', urgency: 'Past', response: 'Monitor' } as const, 'UPG', 'upgraded'],
    ['urgency Past alone', { urgency: 'Past' } as const, 'CON', 'cancelled'],
    ['response AllClear alone', { response: 'AllClear' } as const, 'CON', 'cancelled'],
    ['messageType Cancel alone', { messageType: 'Cancel' } as const, 'CON', 'cancelled'],
  ])('trap 2: %s ends the event hours before its planned end', (_name, parts, action, state) => {
    const b = bench();
    const first = watch('NEW', A);
    b.apply([first]);
    const [entry] = b.apply([watch(action, A, { sent: NOON + HOUR, expiredRefs: [first.id], ...parts })]);
    expect(entry).toMatchObject({ kind: state, state, isActive: false, channels: ['updates'] });
    expect(b.index.event(ID)).toMatchObject({ until: NOON + 20 * HOUR, endedByMessage: { how: state, at: NOON + HOUR } });
    expect(evaluate(b.index.event(ID)!, NOON + 2 * HOUR).endedAt).toBe(NOON + HOUR);
  });

  it('a cancel sent after the planned end ended nothing: the event ended by the clock', () => {
    const b = bench();
    b.apply([watch('NEW', A)]);
    b.apply([watch('CAN', A, { sent: NOON + 21 * HOUR })]);
    expect(evaluate(b.index.event(ID)!, NOON + 22 * HOUR)).toMatchObject({ state: 'ended', endedAt: NOON + 20 * HOUR });
  });

  it('trap 2: response Monitor alone proves nothing', () => {
    const b = bench();
    b.apply([watch('NEW', A)]);
    b.apply([watch('CON', A, { sent: NOON + HOUR, response: 'Monitor' })]);
    expect(evaluate(b.index.event(ID)!, NOON + HOUR).isActive).toBe(true);
  });

  it('trap 3: a message whose ancestors are only in expiredReferences joins their event', () => {
    const b = bench();
    const first = message({ event: 'Air Quality Alert', eventCode: 'AQA', office: 'KSTO', zones: ['CAZ017'] });
    b.apply([first]);
    const next = message({
      event: 'Air Quality Alert',
      eventCode: 'AQA',
      office: 'KSTO',
      zones: ['CAZ018'],
      sent: NOON + HOUR,
      expiredRefs: [first.id],
    });
    expect(b.apply([next])[0]?.eventId).toBe(b.entries[0]?.eventId);
  });

  it('trap 4: a partial cancel ends only its own zones', () => {
    const b = bench();
    b.apply([watch('NEW', [...A, ...B])]);
    const [entry] = b.apply([watch('CAN', B, { sent: NOON + HOUR, urgency: 'Past' })]);
    expect(entry).toMatchObject({
      kind: 'revised',
      isActive: true,
      diff: { area: { added: [], removed: [{ ugc: 'GAZ003', reason: 'cancelled' }] } },
    });
    expect(entry?.summary).toBe('area −1 zone');
    const event = b.index.event(ID)!;
    expect(evaluateZone(event, 'GAZ003', NOON + HOUR)).toMatchObject({ state: 'cancelled', isActive: false });
    expect(evaluateZone(event, 'GAZ001', NOON + HOUR).isActive).toBe(true);
  });

  it('trap 4: upgraded in some zones and cancelled in the rest is upgraded, told when the last zone goes', () => {
    const b = bench();
    b.apply([watch('NEW', [...A, ...B])]);
    const entries = b.apply([watch('CAN', B, { id: 'a', sent: NOON + HOUR }), watch('UPG', A, { id: 'b', sent: NOON + HOUR })]);
    expect(entries.map((e) => e.kind)).toEqual(['revised', 'upgraded']);
    expect(evaluate(b.index.event(ID)!, NOON + HOUR).state).toBe('upgraded');
  });

  it('trap 4: several segments of one product are one event; a zone missing in the next product stays affected', () => {
    const b = bench();
    b.apply([watch('NEW', A), watch('NEW', B)]);
    expect(b.index.events()).toHaveLength(1);
    expect(b.index.event(ID)!.standingIds).toHaveLength(2);
    b.apply([watch('CON', A, { sent: NOON + HOUR })]);
    expect(evaluateZone(b.index.event(ID)!, 'GAZ003', NOON + HOUR).isActive).toBe(true);
  });

  it('a cancel for the same zones in the same product loses against the continuation: nothing ends by page order', () => {
    const messages = [watch('CAN', A, { id: 'z', sent: NOON + HOUR }), watch('CON', A, { id: 'a', sent: NOON + HOUR })];
    for (const order of [messages, [...messages].reverse()]) {
      const b = bench();
      b.apply([watch('NEW', A)]);
      b.apply(order);
      expect(evaluate(b.index.event(ID)!, NOON + HOUR).isActive).toBe(true);
    }
  });
});

describe('traps 6 to 8: upgrades, EXP, corrections', () => {
  const warning = (sent: number, zones = A) =>
    message({
      event: 'Freeze Warning',
      eventCode: 'FZW',
      zones,
      sent,
      vtec: vtecText('NEW', 'KTAE.FZ.W.0013', NOON + 12 * HOUR, NOON + 20 * HOUR),
      onset: NOON + 12 * HOUR,
      ends: NOON + 20 * HOUR,
    });

  it.each([
    ['in one batch', 0],
    ['the warning a minute later', MINUTE],
    ['the warning a minute earlier', -MINUTE],
  ])('trap 6: a watch upgraded to a warning points to it and back (%s)', (_name, shift) => {
    const b = bench();
    b.apply([watch('NEW', A)]);
    const both = [watch('UPG', A, { sent: NOON + HOUR }), warning(NOON + HOUR + shift)];
    for (const m of both.sort((x, y) => x.sent - y.sent)) b.apply([m]);
    expect(b.index.event(ID)?.upgradedTo).toBe('KTAE.FZ.W.0013.2026');
    expect(b.index.event('KTAE.FZ.W.0013.2026')?.upgradedFrom).toBe(ID);
  });

  it('trap 6: no link to another hazard, to other zones, or hours later', () => {
    const others = [
      warning(NOON + HOUR, ['GAZ099']),
      warning(NOON + 3 * HOUR),
      message({
        event: 'High Wind Warning',
        eventCode: 'HWW',
        zones: A,
        sent: NOON + HOUR,
        vtec: vtecText('NEW', 'KTAE.HW.W.0001', null, NOON + 9 * HOUR),
      }),
    ];
    for (const other of others) {
      const b = bench();
      b.apply([watch('NEW', A)]);
      b.apply([watch('UPG', A, { sent: NOON + HOUR })]);
      b.apply([other]);
      expect(b.index.event(ID)?.upgradedTo).toBeNull();
    }
  });

  it('trap 7: EXP runs to the VTEC end, however far expires lies, and the end is told once by the clock', () => {
    const b = bench();
    const end = NOON + 30 * MINUTE;
    const parts = { event: 'Small Craft Advisory', zones: ['LMZ740'], onset: NOON - HOUR };
    b.apply([message({ ...parts, vtec: vtecText('NEW', 'KLOT.SC.Y.0113', null, end), ends: end })]);
    b.apply([
      message({
        ...parts,
        sent: NOON + 25 * MINUTE,
        messageType: 'Update',
        urgency: 'Past',
        vtec: vtecText('EXP', 'KLOT.SC.Y.0113', null, end),
        ends: end,
        expires: NOON + 8 * HOUR,
      }),
    ]);
    const event = b.index.event('KLOT.SC.Y.0113.2026')!;
    expect(evaluate(event, NOON + 29 * MINUTE).isActive).toBe(true);
    expect(nextTransitionAt(event, NOON + 29 * MINUTE)).toBe(end);
    const ended = tick(event, end);
    expect(ended.entries).toMatchObject([{ kind: 'ended', state: 'ended', isActive: false }]);
    expect(evaluate(ended.event, end)).toMatchObject({ reason: 'expired_by_message', endedAt: end });
    expect(tick(ended.event, end + HOUR).entries).toEqual([]);
  });

  it('trap 7: an EXP that arrives after the end was told is history', () => {
    const b = bench();
    const end = NOON + 30 * MINUTE;
    b.apply([message({ vtec: vtecText('NEW', 'KDMX.SV.W.0001', null, end), ends: end })]);
    b.index.put(tick(b.index.event('KDMX.SV.W.0001.2026')!, end).event);
    const [entry] = b.apply([message({ sent: end + MINUTE, vtec: vtecText('EXP', 'KDMX.SV.W.0001', null, end) })]);
    expect(entry).toMatchObject({ kind: 'backfilled', isActive: false });
  });

  it('trap 8: a COR and an identical re-issue are corrections, never alerts', () => {
    const b = bench();
    const parts: Parts = { vtec: vtecText('NEW', 'KDMX.SV.W.0001', null, NOON + HOUR), ends: NOON + HOUR, onset: NOON };
    b.apply([message(parts)]);
    const again = message({ ...parts, sent: NOON + MINUTE });
    expect(b.apply([again])[0]).toMatchObject({ kind: 'corrected', diff: {}, channels: ['updates'] });
    const cor = message({
      ...parts,
      sent: NOON + 2 * MINUTE,
      vtec: vtecText('COR', 'KDMX.SV.W.0001', null, NOON + HOUR),
      headline: 'corrected text',
    });
    expect(b.apply([cor])[0]).toMatchObject({ kind: 'corrected', channels: ['updates'] });
    expect(evaluateMessage(b.index.event('KDMX.SV.W.0001.2026')!, again.id, NOON + 2 * MINUTE).reason).toBe('correction');
  });
});

describe('late and old messages', () => {
  it('a late older message becomes a version and overrides nothing', () => {
    const b = bench();
    const newer = watch('CON', A, { sent: NOON + HOUR, severity: 'Severe' });
    b.apply([newer]);
    const [entry] = b.apply([watch('NEW', A, { sent: NOON })], { now: NOON + 2 * HOUR });
    expect(entry).toMatchObject({ kind: 'backfilled', version: 2, channels: ['updates'] });
    expect(b.index.event(ID)).toMatchObject({ currentId: newer.id, standingIds: [newer.id] });
  });

  it('a late older NEW does not revive what a newer cancel ended', () => {
    const b = bench();
    b.apply([watch('CAN', A, { sent: NOON + HOUR })]);
    b.apply([watch('NEW', A, { sent: NOON })], { now: NOON + 2 * HOUR });
    expect(evaluate(b.index.event(ID)!, NOON + 2 * HOUR)).toMatchObject({ state: 'cancelled', isActive: false });
  });

  it('an update whose original we never saw is issued for us', () => {
    expect(bench().apply([watch('CON', A, { messageType: 'Update' })])[0]).toMatchObject({ kind: 'issued', channels: ['alerts'] });
  });

  it('an event of which we saw a cancelled part first is issued with the part that goes on, in one list or in two', () => {
    const [part, rest] = [watch('CAN', A, { sent: NOON }), watch('CON', B, { sent: NOON + MINUTE, messageType: 'Update' })];
    const kinds = [
      { kind: 'backfilled', isActive: false },
      { kind: 'issued', isActive: true, channels: ['alerts'] },
    ];
    expect(bench().apply([part, rest])).toMatchObject(kinds);
    const b = bench();
    expect([...b.apply([part]), ...b.apply([rest])]).toMatchObject(kinds);
  });

  it('a message first seen after its end is backfilled: history, not an alert', () => {
    const [entry] = bench().apply(
      [message({ vtec: vtecText('NEW', 'KDMX.TO.W.0001', null, NOON + HOUR), ends: NOON + HOUR, severity: 'Extreme' })],
      {
        now: NOON + 2 * HOUR,
        listed: false,
        pollStartedAt: null,
      },
    );
    expect(entry).toMatchObject({
      kind: 'backfilled',
      isActive: false,
      channels: ['updates'],
      event: { told: { started: true, ended: true } },
    });
  });

  it('a cancelled event issued anew under its number is an alert again', () => {
    const b = bench();
    b.apply([watch('NEW', A)]);
    b.apply([watch('CAN', A, { sent: NOON + HOUR })]);
    expect(b.apply([watch('NEW', A, { sent: NOON + 2 * HOUR })])[0]).toMatchObject({
      kind: 'issued',
      eventId: ID,
      channels: ['alerts'],
      isActive: true,
    });
  });

  it('an extension that arrives just after the end revives the event as a revision, and its end is told again', () => {
    const b = bench();
    const id = 'KDMX.SV.W.0001.2026';
    const end = NOON + 30 * MINUTE;
    b.apply([message({ vtec: vtecText('NEW', 'KDMX.SV.W.0001', null, end), ends: end })]);
    b.index.put(tick(b.index.event(id)!, end).event);
    const [entry] = b.apply(
      [message({ sent: end - MINUTE, vtec: vtecText('EXT', 'KDMX.SV.W.0001', null, end + HOUR), ends: end + HOUR })],
      { now: end + MINUTE },
    );
    expect(entry).toMatchObject({ kind: 'revised', isActive: true, diff: { state: { from: 'ended', to: 'in_force' } } });
    expect(tick(b.index.event(id)!, end + HOUR).entries).toMatchObject([{ kind: 'ended' }]);
  });
});

describe('order of a batch', () => {
  it('is by sent, then terminal before continuing, then id, whatever order it came in', () => {
    const batch = [
      watch('CON', A, { id: 'a' }),
      watch('CAN', B, { id: 'z' }),
      watch('UPG', A, { id: 'y' }),
      watch('NEW', A, { id: 'b', sent: NOON - HOUR }),
    ];
    const ids = ['b', 'y', 'z', 'a'];
    expect(orderForApply(batch).map((m) => m.id)).toEqual(ids);
    expect(orderForApply([...batch].reverse()).map((m) => m.id)).toEqual(ids);
  });
});

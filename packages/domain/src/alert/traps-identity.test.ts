import { describe, expect, it } from 'vitest';
import { evaluate, evaluateMessage } from './evaluate.ts';
import { bench, HOUR, message, MINUTE, NOON, type Parts, vtecText } from './fixture.ts';

const DAY = 24 * HOUR;
const storm = (action: string, sent: number, more: Parts = {}) =>
  message({
    event: 'Winter Storm Warning',
    eventCode: 'WSW',
    zones: ['MTZ301'],
    sent,
    vtec: vtecText(action, 'KTFX.WS.W.0001', null, sent + 12 * HOUR),
    ...more,
  });
const ids = (b: ReturnType<typeof bench>) =>
  b.index
    .events()
    .map((e) => e.eventId)
    .sort();

describe('trap 5: one key, one event, whatever the calendar does', () => {
  const newYear = Date.UTC(2027, 0, 1);

  it('a chain that crosses 1 January keeps its id', () => {
    const b = bench();
    for (let i = -6; i <= 6; i++) b.apply([storm(i === -6 ? 'NEW' : 'CON', newYear + i * 6 * HOUR)]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026']);
    expect(b.index.event('KTFX.WS.W.0001.2026')?.versions).toHaveLength(13);
  });

  it('an ETN that starts again on 1 January opens a new event while the old one is still known', () => {
    const b = bench();
    b.apply([storm('NEW', newYear - 20 * HOUR)]);
    b.apply([storm('NEW', newYear + 5 * HOUR, { zones: ['MTZ302'] })]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026', 'KTFX.WS.W.0001.2027']);
  });

  it('the next message of either chain finds its own event', () => {
    const b = bench();
    b.apply([storm('NEW', newYear - 2 * HOUR)]);
    b.apply([storm('NEW', newYear + 2 * HOUR, { zones: ['MTZ302'] })]);
    b.apply([storm('CON', newYear + 4 * HOUR, { zones: ['MTZ301'] }), storm('CON', newYear + 4 * HOUR, { zones: ['MTZ302'] })]);
    expect(b.index.events().map((e) => e.versions.length)).toEqual([2, 2]);
  });

  it('first seen as an update in January, an event keeps the year its oldest reference names', () => {
    const b = bench();
    const update = storm('CON', newYear + DAY);
    update.references = [{ id: 'urn:gone', sender: null, sent: newYear - HOUR, kind: 'expired_reference' }];
    b.apply([update]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026']);
  });

  it('a gap of more than 21 days opens generation 2, 20 days do not', () => {
    const b = bench();
    b.apply([storm('NEW', NOON)]);
    b.apply([storm('NEW', NOON + 20 * DAY)]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026']);
    b.apply([storm('NEW', NOON + 42 * DAY)]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026', 'KTFX.WS.W.0001.2026-2']);
    b.apply([storm('CON', NOON + 42 * DAY + HOUR)]);
    expect(b.index.event('KTFX.WS.W.0001.2026-2')?.versions).toHaveLength(2);
  });

  it('a chain of 60 updates over two months is one event', () => {
    const b = bench();
    for (let i = 0; i < 60; i++) {
      b.apply([
        message({
          event: 'Flood Warning',
          eventCode: 'FLW',
          sent: NOON + i * DAY,
          vtec: vtecText(i ? 'CON' : 'NEW', 'KBYZ.FL.W.0003', null, null),
        }),
      ]);
    }
    expect(ids(b)).toEqual(['KBYZ.FL.W.0003.2026']);
  });
});

describe('trap 9: no VTEC', () => {
  const air = (sent: number, more: Parts = {}) =>
    message({
      event: 'Air Quality Alert',
      eventCode: 'AQA',
      severity: 'Unknown',
      office: 'KSTO',
      zones: ['CAZ371', 'CAZ087'],
      sent,
      expires: sent + DAY,
      ...more,
    });

  it('a re-issue for the same zones in overlapping time is a version; newest sent wins', () => {
    const b = bench();
    const [first, second] = [air(NOON), air(NOON + 20 * HOUR)];
    b.apply([first, second]);
    const [event] = b.index.events();
    expect(b.index.events()).toHaveLength(1);
    expect(event).toMatchObject({ identity: 'inferred', currentId: second.id, until: NOON + 44 * HOUR });
    expect(event?.eventId).toMatch(/^n\.AQA\.KSTO\.[a-z2-7]{12}$/);
  });

  it('triple duplicates of one bulletin are one event with corrections, no second alert', () => {
    const b = bench();
    const entries = b.apply([air(NOON), air(NOON), air(NOON)]);
    expect(entries.map((e) => e.kind)).toEqual(['issued', 'corrected', 'corrected']);
    const event = b.index.events()[0]!;
    expect(evaluateMessage(event, event.versions[0]!.messageId, NOON).reason).toBe('duplicate');
  });

  it('other zones, another office, another hazard or time that does not overlap are events of their own', () => {
    const b = bench();
    b.apply([air(NOON), air(NOON, { zones: ['CAZ371'] }), air(NOON, { office: 'KMTR' }), air(NOON + 30 * HOUR)]);
    b.apply([air(NOON, { event: 'Special Weather Statement', eventCode: 'SPS' })]);
    expect(ids(b)).toHaveLength(5);
  });

  it('text alone never joins two events (weatheralerts#71)', () => {
    const b = bench();
    b.apply([air(NOON, { description: 'same' }), air(NOON, { description: 'same', zones: ['NVZ001'] })]);
    expect(ids(b)).toHaveLength(2);
  });

  it('two storms in one county with polygons that do not touch are two statements', () => {
    const box = (lon: number) => ({
      type: 'Polygon' as const,
      coordinates: [
        [
          [lon, 41],
          [lon + 0.2, 41],
          [lon + 0.2, 41.2],
          [lon, 41],
        ] as [number, number][],
      ],
    });
    const b = bench();
    const parts: Parts = { event: 'Special Weather Statement', eventCode: 'SPS', zones: ['IAZ060'] };
    b.apply([message({ ...parts, polygon: box(-94) }), message({ ...parts, sent: NOON + MINUTE, polygon: box(-93) })]);
    b.apply([message({ ...parts, sent: NOON + 2 * MINUTE, polygon: box(-93.9) })]);
    expect(b.index.events().map((e) => e.versions.length)).toEqual([2, 1]);
  });

  it('an update by reference replaces the whole message: zones it leaves out are no longer affected', () => {
    const b = bench();
    const first = air(NOON);
    b.apply([first]);
    const [entry] = b.apply([air(NOON + HOUR, { zones: ['CAZ371'], messageType: 'Update', refs: [first.id] })]);
    expect(entry?.event.zones.find((z) => z.code === 'CAZ087')?.over).toMatchObject({ how: 'cancelled', at: NOON + HOUR });
    expect(entry).toMatchObject({ kind: 'revised', isActive: true });
  });

  it('a cancelled alert issued again later is a new event', () => {
    const b = bench();
    b.apply([air(NOON)]);
    b.apply([air(NOON + HOUR, { messageType: 'Cancel' })]);
    expect(b.entries.at(-1)?.kind).toBe('cancelled');
    expect(b.apply([air(NOON + 2 * HOUR)])[0]?.kind).toBe('issued');
    expect(ids(b)).toHaveLength(2);
  });
});

describe('traps 10 to 12: ids and strings', () => {
  it('trap 10: an exact duplicate tells and changes nothing', () => {
    const b = bench();
    const m = storm('NEW', NOON);
    b.apply([m]);
    expect(b.apply([m, { ...m }])).toEqual([]);
    expect(b.index.events()[0]?.versions).toHaveLength(1);
  });

  it('trap 10: a duplicate of a message whose event is long cancelled opens no new event', () => {
    const b = bench();
    const m = message({ event: 'Air Quality Alert', eventCode: 'AQA', zones: ['CAZ371'], expires: NOON + DAY });
    b.apply([m]);
    b.apply([message({ event: 'Air Quality Alert', eventCode: 'AQA', zones: ['CAZ371'], messageType: 'Cancel', sent: NOON + HOUR })]);
    expect(b.apply([m], { now: NOON + 2 * HOUR })).toEqual([]);
    expect(ids(b)).toHaveLength(1);
  });

  it('trap 10: other content under the same identifier is a version of the same event', () => {
    const b = bench();
    const m = storm('NEW', NOON);
    b.apply([m]);
    b.apply([{ ...m, id: `${m.id}~0123abcd`, headline: 'other' }]);
    expect(b.index.event('KTFX.WS.W.0001.2026')?.versions).toHaveLength(2);
  });

  it('trap 10: a county message without URN, UGC, VTEC or onset is one alert', () => {
    const b = bench();
    const m = message({
      id: 'IINFO_2026_1',
      event: 'Civil Emergency Message',
      eventCode: 'CEM',
      office: null,
      zones: ['SAME048325'],
      effective: null,
    });
    expect(b.apply([m])[0]).toMatchObject({ kind: 'issued', isActive: true, event: { eventId: expect.stringMatching(/^n\.CEM\.NONE\./) } });
  });

  it('trap 12: two VTEC strings are two events with their own states', () => {
    const b = bench();
    const wwy = (action: string) => vtecText(action, 'KOKX.WW.Y.0010', null, NOON + 10 * HOUR);
    b.apply([message({ event: 'Winter Weather Advisory', eventCode: 'WWY', zones: ['NYZ069'], vtec: wwy('NEW') })]);
    const both = message({
      event: 'Winter Storm Warning',
      eventCode: 'WSW',
      zones: ['NYZ069'],
      sent: NOON + HOUR,
      vtec: [wwy('UPG'), vtecText('NEW', 'KOKX.WS.W.0003', null, NOON + 12 * HOUR)],
    });
    const entries = b.apply([both]);
    expect(entries.map((e) => [e.eventId, e.kind, e.isActive])).toEqual([
      ['KOKX.WW.Y.0010.2026', 'upgraded', false],
      ['KOKX.WS.W.0003.2026', 'issued', true],
    ]);
    expect(b.index.event('KOKX.WW.Y.0010.2026')).toMatchObject({ event: 'Winter Weather Advisory', upgradedTo: 'KOKX.WS.W.0003.2026' });
    expect(b.index.event('KOKX.WS.W.0003.2026')?.eventIds).toEqual(['KOKX.WS.W.0003.2026', 'KOKX.WW.Y.0010.2026']);
    expect(b.apply([both])).toEqual([]);
  });
});

describe('trap 23: fabricated Alaska marine numbers', () => {
  const gale = (etn: number, sent: number, from: number, until: number, zone = 'PKZ011') =>
    message({
      event: 'Gale Warning',
      eventCode: 'GLW',
      zones: [zone],
      sent,
      onset: from,
      ends: until,
      vtec: vtecText('NEW', `PAJK.GL.W.${String(etn).padStart(4, '0')}`, from, until),
    });

  it('every forecast brings a new number; the newest speaks for its zone, the event stays one and is marked weak', () => {
    const b = bench();
    const messages = [
      gale(8276, NOON, NOON, NOON + 12 * HOUR),
      gale(5365, NOON + 5 * HOUR, NOON + 5 * HOUR, NOON + 12 * HOUR),
      gale(9259, NOON + 10 * HOUR, NOON + 8 * HOUR, NOON + 20 * HOUR),
    ];
    for (const m of messages) b.apply([m]);
    expect(b.index.events()).toMatchObject([{ identity: 'weak', currentId: messages[2]!.id, until: NOON + 20 * HOUR }]);
    expect(b.entries.map((e) => e.kind)).toEqual(['issued', 'corrected', 'revised']);
  });

  it('other zones and later, separate gales are other events', () => {
    const b = bench();
    b.apply([
      gale(8276, NOON, NOON, NOON + 6 * HOUR),
      gale(8277, NOON, NOON, NOON + 6 * HOUR, 'PKZ012'),
      gale(8278, NOON, NOON + 12 * HOUR, NOON + 20 * HOUR),
    ]);
    expect(ids(b)).toHaveLength(3);
  });

  it('real numbers, land zones and other offices keep their VTEC identity', () => {
    const b = bench();
    b.apply([gale(12, NOON, NOON, NOON + HOUR)]);
    b.apply([message({ event: 'Gale Warning', zones: ['AKZ101'], vtec: vtecText('NEW', 'PAJK.GL.W.8000', null, NOON + HOUR) })]);
    b.apply([message({ event: 'Gale Warning', zones: ['PZZ100'], vtec: vtecText('NEW', 'KSEW.GL.W.8000', null, NOON + HOUR) })]);
    expect(b.index.events().map((e) => e.identity)).toEqual(['vtec', 'vtec', 'vtec']);
  });
});

describe('trap 31, A5: tests and simulations live apart', () => {
  it('a test with the number of a real event does not touch it', () => {
    const b = bench();
    const real = message({ event: 'Tsunami Warning', zones: ['AKZ181'], vtec: vtecText('NEW', 'PAAQ.TS.W.0013', null, null) });
    b.apply([real]);
    const drill = message({
      event: 'Tsunami Warning',
      zones: ['AKZ181'],
      sent: NOON + MINUTE,
      isTest: true,
      vtec: vtecText('CAN', 'PAAQ.TS.W.0013', null, null),
    });
    const [entry] = b.apply([drill]);
    expect(entry).toMatchObject({ eventId: 't.PAAQ.TS.W.0013.2026', channels: [], event: { countable: false } });
    expect(evaluate(b.index.event('PAAQ.TS.W.0013.2026')!, NOON + MINUTE).isActive).toBe(true);
  });

  it('a simulated alert with the number of a real event is an event of its own', () => {
    const b = bench();
    b.apply([storm('NEW', NOON)]);
    b.apply([storm('CAN', NOON + HOUR, { source: 'simulator', status: 'Exercise' })]);
    expect(ids(b)).toEqual(['KTFX.WS.W.0001.2026', 'KTFX.WS.W.0001.2026-2']);
    expect(evaluate(b.index.event('KTFX.WS.W.0001.2026')!, NOON + HOUR).isActive).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { channelsOf, isCountable } from './channels.ts';
import { evaluate, type Evaluation, overAt } from './evaluate.ts';
import { bench, HOUR, message, MINUTE, NO_TAGS, NOON, type Parts, vtecText } from './fixture.ts';
import { nextTransitionAt, tick } from './tick.ts';
import { CAP_STATUSES, type CapStatus, SOURCES } from './vocabulary.ts';

const evaluated = (parts: Parts, at: number): Evaluation => {
  const b = bench();
  b.apply([message(parts)], { now: at });
  return evaluate(b.index.events()[0]!, at);
};

describe('traps 14 to 16: times', () => {
  const KEY = 'KDMX.WS.W.0001';
  it.each<[string, Parts, number | null]>([
    ['ends first', { ends: NOON + HOUR, eventEndingTime: NOON + 3 * HOUR, vtec: vtecText('NEW', KEY, null, NOON + 2 * HOUR) }, NOON + HOUR],
    ['then the VTEC end', { eventEndingTime: NOON + 3 * HOUR, vtec: vtecText('NEW', KEY, null, NOON + 2 * HOUR) }, NOON + 2 * HOUR],
    ['then eventEndingTime', { eventEndingTime: NOON + 3 * HOUR }, NOON + 3 * HOUR],
    ['then expires, without VTEC', { expires: NOON + 4 * HOUR }, NOON + 4 * HOUR],
    ['VTEC zeros: until further notice', { expires: NOON + 4 * HOUR, vtec: vtecText('NEW', KEY, null, null) }, null],
    ['nothing at all: until further notice', { expires: null }, null],
  ])('trap 14: in force until: %s', (_name, parts, until) => {
    expect(evaluated(parts, NOON).inForceUntil).toBe(until);
  });

  it.each<[string, Parts, number]>([
    ['onset', { onset: NOON + HOUR, vtec: vtecText('NEW', KEY, NOON + 2 * HOUR, NOON + 9 * HOUR) }, NOON + HOUR],
    ['VTEC begin', { vtec: vtecText('NEW', KEY, NOON + 2 * HOUR, NOON + 9 * HOUR) }, NOON + 2 * HOUR],
    ['effective', { effective: NOON + 3 * HOUR, expires: NOON + 9 * HOUR }, NOON + 3 * HOUR],
    ['sent', { effective: null }, NOON],
  ])('trap 16: in force from %s', (_name, parts, from) => {
    expect(evaluated(parts, NOON).inForceFrom).toBe(from);
  });

  it('trap 15: expires in the past marks the text as overdue and nothing else', () => {
    const parts: Parts = { expires: NOON + HOUR, ends: NOON + 24 * HOUR, vtec: vtecText('NEW', KEY, null, NOON + 24 * HOUR) };
    expect(evaluated(parts, NOON + 2 * HOUR)).toMatchObject({ state: 'in_force', isActive: true, textOverdue: true });
    expect(evaluated(parts, NOON).textOverdue).toBe(false);
  });

  it('a continuation that writes "now" as onset does not move the beginning of a hazard under way', () => {
    const b = bench();
    const parts = (sent: number): Parts => ({
      sent,
      onset: sent,
      vtec: vtecText('CON', KEY, null, NOON + 9 * HOUR),
      ends: NOON + 9 * HOUR,
    });
    b.apply([message(parts(NOON))]);
    b.apply([message(parts(NOON + 3 * HOUR))]);
    expect(b.index.event(`${KEY}.2026`)?.from).toBe(NOON);
  });
});

describe('the state table by the clock', () => {
  const life: Parts = { onset: NOON + HOUR, ends: NOON + 3 * HOUR, vtec: vtecText('NEW', 'KDMX.WI.Y.0001', NOON + HOUR, NOON + 3 * HOUR) };
  it.each([
    [0, 'upcoming', true],
    [60, 'in_force', true],
    [149, 'in_force', true],
    // A quarter of two hours is 30 minutes.
    [150, 'expiring', true],
    [179, 'expiring', true],
    [180, 'ended', false],
  ])('%i minutes in: %s', (minutes, state, isActive) => {
    expect(evaluated(life, NOON + minutes * MINUTE)).toMatchObject({ state, isActive });
  });

  it.each([
    ['at least 5 minutes', 12, 7],
    ['at most 60 minutes', 24 * 60, 23 * 60],
  ])('expiring: %s', (_name, lastsMinutes, fromMinute) => {
    const parts: Parts = { onset: NOON, ends: NOON + lastsMinutes * MINUTE };
    expect(evaluated(parts, NOON + fromMinute * MINUTE - 1).state).toBe('in_force');
    expect(evaluated(parts, NOON + fromMinute * MINUTE).state).toBe('expiring');
  });

  it('the clock tells started and ended once each, at the instants it announced', () => {
    const b = bench();
    b.apply([message(life)]);
    let event = b.index.events()[0]!;
    const told: [number, string][] = [];
    for (let at = nextTransitionAt(event, NOON); at !== null; at = nextTransitionAt(event, at)) {
      const stepped = tick(event, at);
      event = stepped.event;
      for (const entry of stepped.entries) told.push([(at - NOON) / MINUTE, entry.kind]);
    }
    expect(told).toEqual([
      [60, 'started'],
      [180, 'ended'],
    ]);
  });

  it('zones that end earlier leave the event earlier', () => {
    const b = bench();
    const seg = (zones: string[], hours: number) =>
      message({ zones, ends: NOON + hours * HOUR, vtec: vtecText('NEW', 'KDMX.FF.W.0001', null, NOON + hours * HOUR) });
    b.apply([seg(['IAC001'], 1), seg(['IAC003'], 4)]);
    const stepped = tick(b.index.event('KDMX.FF.W.0001.2026')!, NOON + HOUR);
    expect(stepped.entries).toMatchObject([
      { kind: 'revised', isActive: true, diff: { area: { removed: [{ ugc: 'IAC001', reason: 'expired' }] } } },
    ]);
    expect(stepped.event.standingIds).toHaveLength(1);
    expect(stepped.event.currentId).toBe(stepped.event.standingIds[0]);
  });

  it('the open end of one zone keeps the event open, whichever zone comes first', () => {
    for (const [first, second] of [
      ['IAC001', 'IAC003'],
      ['IAC003', 'IAC001'],
    ] as const) {
      const b = bench();
      b.apply([
        message({ zones: [first], vtec: vtecText('NEW', 'KDMX.FL.W.0001', null, null) }),
        message({ zones: [second], vtec: vtecText('NEW', 'KDMX.FL.W.0001', null, NOON + HOUR) }),
      ]);
      const event = b.index.event('KDMX.FL.W.0001.2026')!;
      expect([event.until, overAt(event), evaluate(event, NOON + 9 * HOUR).inForceUntil]).toEqual([null, null, null]);
    }
  });

  it('an event that began and ended while nobody looked is told as ended only', () => {
    const b = bench();
    b.apply([message(life)]);
    expect(tick(b.index.events()[0]!, NOON + 100 * HOUR).entries.map((e) => e.kind)).toEqual(['ended']);
  });
});

describe('trap 29: escalation', () => {
  const KEY = 'KDMX.TO.W.0009';
  const tornado = (sent: number, more: Parts = {}) =>
    message({
      event: 'Tornado Warning',
      eventCode: 'TOW',
      severity: 'Extreme',
      sent,
      onset: NOON,
      ends: NOON + HOUR,
      vtec: vtecText(sent === NOON ? 'NEW' : 'CON', KEY, null, NOON + HOUR),
      ...more,
    });

  it.each<[string, Parts]>([
    ['observed', { tags: { ...NO_TAGS, tornadoDetection: 'observed' } }],
    ['considerable', { tags: { ...NO_TAGS, tornadoDamageThreat: 'considerable' } }],
    ['tornado emergency', { tags: { ...NO_TAGS, emergency: 'tornado', tornadoDamageThreat: 'catastrophic' } }],
  ])('%s raises: told on severe_alerts', (_name, more) => {
    const b = bench();
    b.apply([tornado(NOON)]);
    expect(b.apply([tornado(NOON + MINUTE, more)])[0]).toMatchObject({ kind: 'escalated', channels: ['severe_alerts', 'updates'] });
  });

  it('severity that rises escalates; severity that falls, more area or more time do not', () => {
    const b = bench();
    b.apply([tornado(NOON, { severity: 'Moderate' })]);
    expect(b.apply([tornado(NOON + MINUTE, { severity: 'Severe' })])[0]?.kind).toBe('escalated');
    expect(b.apply([tornado(NOON + 2 * MINUTE, { severity: 'Moderate' })])[0]?.kind).toBe('revised');
    expect(
      b.apply([tornado(NOON + 3 * MINUTE, { severity: 'Moderate', zones: ['IAC153', 'IAC049'], ends: NOON + 2 * HOUR })])[0]?.kind,
    ).toBe('revised');
  });

  it('a life-threat tag escalates where the rank has no place for it', () => {
    const b = bench();
    const parts = (sent: number, more: Parts): Parts => ({
      event: 'Special Marine Warning',
      eventCode: 'MAW',
      sent,
      ends: NOON + HOUR,
      vtec: vtecText('CON', 'KLOT.MA.W.0001', null, NOON + HOUR),
      ...more,
    });
    b.apply([message(parts(NOON, {}))]);
    expect(b.apply([message(parts(NOON + MINUTE, { tags: { ...NO_TAGS, thunderstormDamageThreat: 'considerable' } }))])[0]?.kind).toBe(
      'escalated',
    );
  });

  it('a diff reads as a sentence of facts', () => {
    const b = bench();
    const tags = (maxWindGustKmh: number) => ({ tags: { ...NO_TAGS, maxWindGustKmh } });
    b.apply([tornado(NOON, tags(97))]);
    const zones = ['IAC153', 'IAC049', 'IAC099', 'IAC001'];
    const [entry] = b.apply([tornado(NOON + MINUTE, { ...tags(113), zones, ends: NOON + 3 * HOUR })]);
    expect(entry?.summary).toBe('area +3 counties, until +2 h, wind 97 → 113 km/h');
    expect(entry?.diff).toEqual({
      area: { added: ['IAC049', 'IAC099', 'IAC001'].sort((x, y) => zones.indexOf(x) - zones.indexOf(y)), removed: [] },
      times: { in_force_until: { from: '2026-06-01T13:00:00Z', to: '2026-06-01T15:00:00Z', delta_seconds: 7200 } },
      tags: { max_wind_gust_kmh: { from: 97, to: 113 } },
    });
  });

  it('the worst standing message leads the event', () => {
    const b = bench();
    b.apply([
      tornado(NOON, { zones: ['IAC001'] }),
      tornado(NOON, { id: 'worse', zones: ['IAC003'], tags: { ...NO_TAGS, tornadoDetection: 'observed' } }),
    ]);
    expect(b.index.event(`${KEY}.2026`)).toMatchObject({ currentId: 'worse' });
  });
});

describe('LV8, A5: channels', () => {
  it.each([
    ['issued', 'Extreme', ['alerts', 'severe_alerts']],
    ['issued', 'Severe', ['alerts', 'severe_alerts']],
    ['issued', 'Moderate', ['alerts']],
    ['issued', 'Unknown', ['alerts']],
    ['escalated', 'Severe', ['severe_alerts', 'updates']],
    ['escalated', 'Moderate', ['updates']],
    ['revised', 'Extreme', ['updates']],
    ['backfilled', 'Extreme', ['updates']],
    ['ended', 'Extreme', ['updates']],
  ] as const)('LV8: %s %s goes to %j', (kind, severity, channels) => {
    expect(channelsOf(kind, message({ severity }))).toEqual(channels);
  });

  it('A5: only Actual counts, or Exercise of a simulator or replay; test-only messages never', () => {
    const counted: string[] = [];
    const told: string[] = [];
    for (const status of CAP_STATUSES) {
      for (const source of SOURCES) {
        for (const isTest of [false, true]) {
          const m = message({ status: status as CapStatus, source, isTest });
          if (isCountable(m)) counted.push(`${status} ${source} ${isTest}`);
          else told.push(...channelsOf('issued', m));
        }
      }
    }
    expect(told).toEqual([]);
    expect(counted).toEqual([
      'Actual nws false',
      'Actual simulator false',
      'Actual replay false',
      'Actual import false',
      'Exercise simulator false',
      'Exercise replay false',
    ]);
  });
});

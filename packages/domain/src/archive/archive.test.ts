import { describe, expect, it } from 'vitest';
import { evaluate } from '../alert/evaluate.ts';
import { DAY, polygon, statement, warning, watch } from './archive-fixture.ts';
import {
  type ArchiveContext,
  type ArchivedLife,
  archiveTime,
  codesOfEvent,
  type ImportedSpan,
  importedSpans,
  livesOf,
  messageOfStatement,
  messagesOfLife,
  type RawRow,
  readRow,
  replayHistory,
  type VtecRow,
} from './index.ts';

const context: ArchiveContext = {
  hash: (text) => `hash of ${text.length}`,
  areaName: (code) => (code === 'IAC153' ? 'Polk County, IA' : null),
  offsetMinutes: () => -300,
};
const at = (time: string) => Date.parse(`${DAY}${time}:00Z`);

function rowsOf(...raws: RawRow[]): VtecRow[] {
  return raws.map((raw) => {
    const read = readRow(raw);
    if (!read.ok || read.row.kind === 'statements') throw new Error('not a row of an event');
    return read.row;
  });
}
function lifeOf(...raws: RawRow[]) {
  const [life, ...others] = livesOf(rowsOf(...raws));
  expect(others).toEqual([]);
  const messages = messagesOfLife(life as ArchivedLife, (life as ArchivedLife).eventId, context);
  const [replayed, ...more] = replayHistory(messages.map(({ message }) => message));
  expect(more).toEqual([]);
  if (!replayed) throw new Error('no life');
  /** What was known at an instant. */
  const stateAt = (time: string) => {
    const known = replayed.entries.findLast((entry) => entry.at <= at(time));
    return known ? evaluate(known.event, at(time)) : null;
  };
  return { messages: messages.map(({ message }) => message), raws: messages.map(({ raw }) => raw), replayed, stateAt };
}
const faultOf = (raw: RawRow) => {
  const read = readRow(raw);
  return read.ok ? null : [read.fault.reason, read.fault.field];
};

describe('rows of archives', () => {
  it('names the field, what it says and what would help, and takes nothing that could mean something else', () => {
    expect(faultOf(warning())).toBeNull();
    expect(faultOf(warning({ issue: '' }))).toEqual(['field_missing', 'issue']);
    expect(faultOf(warning({ expire: '2024-05-21 18:45' }))).toEqual(['time_unreadable', 'expire']);
    expect(faultOf(warning({ expire: 'tomorrow' }))).toEqual(['time_unreadable', 'expire']);
    expect(faultOf(warning({ expire: `${DAY}17:00:00Z` }))).toEqual(['times_contradict', 'expire']);
    expect(faultOf(warning({ wfo: 'DESMOINES' }))).toEqual(['code_unreadable', 'wfo']);
    expect(faultOf(warning({ eventid: '0' }))).toEqual(['code_unreadable', 'eventid']);
    expect(faultOf(warning({ ugc: 'IA153' }))).toEqual(['code_unreadable', 'ugc']);
    expect(faultOf(warning({ status: 'GONE' }))).toEqual(['code_unreadable', 'status']);
    expect(faultOf(warning({ status: 'CAN', init_expire: '' }))).toEqual(['field_missing', 'init_expire']);
    expect(faultOf(warning({ vtec_year: '24' }))).toEqual(['code_unreadable', 'vtec_year']);
    expect(faultOf(polygon({}, null))).toEqual(['geometry_unreadable', 'geometry']);
    expect(faultOf(polygon({}, { type: 'Point', coordinates: [0, 0] }))).toEqual(['geometry_unreadable', 'geometry']);
    expect(faultOf(watch({ type: 'HUR' }))).toEqual(['code_unreadable', 'type']);
    expect(faultOf(statement({ ugcs: '{IAX}' }))).toEqual(['code_unreadable', 'ugcs']);
    expect(faultOf(statement({ ugcs: '' }, null))).toEqual(['field_missing', 'ugcs']);
    const read = readRow(warning({ expire: 'tomorrow' }));
    expect(read.ok ? '' : `${read.fault.value} ${read.fault.fix}`).toContain('tomorrow Write it as 2024-05-21T18:00:00Z');
  });

  it('refuses event numbers from before VTEC, and polygons from when warnings were for counties', () => {
    const early = { issue: '1999-05-03T22:00:00Z', expire: '1999-05-03T23:00:00Z', product_issue: '1999-05-03T22:00:00Z', updated: '' };
    expect(faultOf(warning(early))).toEqual(['before_vtec', 'product_issue']);
    const county = { issue: '2007-09-30T22:00:00Z', expire: '2007-09-30T23:00:00Z', init_expire: '', updated: '2007-09-30T22:00:00Z' };
    expect(faultOf(polygon(county))).toEqual(['county_era', 'polygon_begin']);
    expect(faultOf(warning({ ...county, product_issue: '2007-09-30T22:00:00Z' }))).toBeNull();
  });

  it('reads times with and without seconds, and as PostgreSQL prints them', () => {
    const expected = Date.UTC(2024, 4, 21, 18);
    for (const text of [
      '2024-05-21T18:00:00Z',
      '2024-05-21T18:00Z',
      '2024-05-21 13:00:00-05',
      '2024-05-21 18:00:00+00:00',
      '2024-05-21T18:00:00.000Z',
    ]) {
      expect(archiveTime(text)).toBe(expected);
    }
    for (const text of ['2024-05-21 18:00:00', '2024-02-30T18:00Z', '202405211800', '']) expect(archiveTime(text)).toBeNull();
  });
});

describe('lives', () => {
  it('A county each makes one event, however the rows are scattered; years and long silences make several', () => {
    const eventIds = (...raws: RawRow[]) => livesOf(rowsOf(...raws)).map((life) => life.eventId);
    expect(eventIds(warning(), warning({ ugc: 'IAC049' }), warning({ ugc: 'IAC169' }))).toEqual(['KDMX.TO.W.0027.2024']);
    const times = (day: string, hours = '18') => ({
      issue: `${day}T${hours}:00Z`,
      product_issue: `${day}T${hours}:00Z`,
      expire: `${day}T${hours}:45Z`,
      init_expire: `${day}T${hours}:45Z`,
      updated: `${day}T${hours}:40Z`,
    });
    expect(eventIds(warning(times('2023-05-01')), warning())).toEqual(['KDMX.TO.W.0027.2023', 'KDMX.TO.W.0027.2024']);
    // Few days apart, but over New Year: the number began again.
    expect(eventIds(warning(times('2023-12-28')), warning(times('2024-01-03')))).toEqual(['KDMX.TO.W.0027.2023', 'KDMX.TO.W.0027.2024']);
    expect(eventIds(warning(times('2024-04-01')), warning())).toEqual(['KDMX.TO.W.0027.2024', 'KDMX.TO.W.0027.2024-2']);
    const overNewYear = {
      ...times('2023-12-31', '20'),
      expire: '2024-01-02T06:00Z',
      init_expire: '2024-01-02T06:00Z',
      updated: '2024-01-02T05:00Z',
    };
    const grown = {
      ...times('2024-01-01', '03'),
      issue: '2023-12-31T20:00Z',
      expire: '2024-01-02T06:00Z',
      init_expire: '2024-01-02T06:00Z',
      updated: '2024-01-02T05:00Z',
    };
    expect(eventIds(warning(overNewYear), warning({ ...grown, ugc: 'IAC049' }))).toEqual(['KDMX.TO.W.0027.2023']);
  });

  it('tells an expired event as it was known, keeps its zones, and invents no text', () => {
    const { messages, replayed, stateAt } = lifeOf(warning(), warning({ ugc: 'IAC049' }));
    expect(messages.map((message) => message.vtec[0]?.raw)).toEqual([
      '/O.NEW.KDMX.TO.W.0027.240521T1800Z-240521T1845Z/',
      '/O.EXP.KDMX.TO.W.0027.000000T0000Z-240521T1845Z/',
    ]);
    const [first] = messages;
    expect(first).toMatchObject({
      source: 'import',
      event: 'Tornado Warning',
      severity: 'Extreme',
      headline: null,
      description: null,
      instruction: null,
    });
    expect(first).toMatchObject({
      urgency: null,
      certainty: null,
      messageType: null,
      areaDesc: 'IAC049; Polk County, IA',
      same: ['019049', '019153'],
    });
    expect(first?.receivedAt).toBe(first?.sent);
    expect(stateAt('17:59')).toBeNull();
    expect(stateAt('18:10')).toMatchObject({ state: 'in_force', inForceUntil: at('18:45') });
    expect(stateAt('18:45')).toMatchObject({ state: 'ended', isActive: false, endedAt: at('18:45') });
    expect(replayed.overAt).toBe(at('18:45'));
    expect(evaluate(replayed.event, Date.UTC(2026, 0, 1))).toMatchObject({ isActive: false, state: 'ended', reason: 'expired_by_message' });
    expect(replayed.entries.map((entry) => entry.kind)).toEqual(['issued', 'corrected', 'ended']);
  });

  it('A cancel ends its own zones when it was sent, and what was planned stays known until then', () => {
    const cancelled = warning({ ugc: 'IAC049', status: 'CAN', expire: `${DAY}18:20:00Z`, updated: `${DAY}18:20:00Z` });
    const { replayed, stateAt } = lifeOf(warning(), cancelled);
    expect(stateAt('18:19')).toMatchObject({ state: 'in_force', inForceUntil: at('18:45') });
    const zones = replayed.event.zones.map((zone) => [zone.code, zone.over?.how, zone.over?.at]);
    expect(zones).toEqual([
      ['IAC049', 'cancelled', at('18:20')],
      ['IAC153', 'expired', at('18:45')],
    ]);
    const all = lifeOf(cancelled);
    expect(all.stateAt('18:19')?.isActive).toBe(true);
    expect(all.stateAt('18:20')).toMatchObject({ state: 'cancelled', endedAt: at('18:20') });
    // Cancelled before it began: never in force.
    const early = lifeOf(
      warning({
        issue: `${DAY}23:00:00Z`,
        init_expire: `${DAY}23:30:00Z`,
        status: 'CAN',
        expire: `${DAY}20:00:00Z`,
        updated: `${DAY}20:00:00Z`,
      }),
    );
    expect(early.stateAt('19:00')).toMatchObject({ state: 'upcoming' });
    expect(early.stateAt('20:00')).toMatchObject({ state: 'cancelled' });
  });

  it('An extension is never a gap in force: when it came is not told, so it counts from the start', () => {
    const { stateAt } = lifeOf(warning({ expire: `${DAY}20:00:00Z`, updated: `${DAY}19:50:00Z` }));
    for (const time of ['18:30', '18:50', '19:30', '19:59']) expect(stateAt(time)?.isActive).toBe(true);
    expect(stateAt('20:00')?.isActive).toBe(false);
  });

  it('A zone that was added later is known from then on', () => {
    const { replayed, messages } = lifeOf(warning(), warning({ ugc: 'IAC049', product_issue: `${DAY}18:15:00Z` }));
    expect(messages.map((message) => message.vtec[0]?.action)).toEqual(['NEW', 'EXA', 'EXP']);
    expect(replayed.entries.find((entry) => entry.at === at('18:15'))?.diff?.area?.added).toEqual(['IAC049']);
  });

  it('Polygons alone tell a life too: tags, motion, and an end that no row is the message of', () => {
    const smaller = {
      type: 'Polygon',
      coordinates: [
        [
          [-94, 41],
          [-94, 41.5],
          [-93, 41.5],
          [-94, 41],
        ],
      ],
    };
    const follow = polygon(
      { status: 'CON', updated: `${DAY}18:20:00Z`, expire: `${DAY}18:30:00Z`, damagetag: 'CONSIDERABLE', is_emergency: 't' },
      smaller,
    );
    const { messages, stateAt, replayed } = lifeOf(polygon({ expire: `${DAY}18:30:00Z` }), follow);
    expect(messages.map((message) => [message.vtec[0]?.action, message.polygon?.type])).toEqual([
      ['NEW', 'MultiPolygon'],
      ['CON', 'Polygon'],
      ['CAN', 'Polygon'],
    ]);
    expect(messages[0]?.tags).toMatchObject({ tornadoDetection: 'observed', maxHailSizeMm: 44.5, emergency: null });
    expect(messages[0]?.tags.motion).toMatchObject({ towardDegrees: 60, points: [[-93.5, 41.5]] });
    expect(messages[1]?.tags).toMatchObject({ emergency: 'tornado', tornadoDamageThreat: 'considerable' });
    expect(stateAt('18:29')).toMatchObject({ isActive: true, inForceUntil: at('18:45') });
    expect(stateAt('18:30')).toMatchObject({ state: 'cancelled' });
    expect(replayed.event.zones.map((zone) => zone.code)).toEqual(['AREA']);
  });

  it('A part that is cancelled ends nothing but itself', () => {
    const alone = lifeOf(
      polygon(),
      polygon({ status: 'CAN', updated: `${DAY}18:20:00Z` }),
      polygon({ status: 'CON', updated: `${DAY}18:20:00Z` }),
    );
    expect(alone.messages.map((message) => message.vtec[0]?.action)).toEqual(['NEW', 'CON']);
    expect(alone.stateAt('18:30')).toMatchObject({ isActive: true });
    expect(alone.raws.flatMap((raw) => (JSON.parse(raw) as { rows: unknown[] }).rows)).toHaveLength(3);
    // The archive by zone knows of no cancel: it has the last word on ends.
    const both = lifeOf(warning(), polygon(), polygon({ status: 'CAN', updated: `${DAY}18:20:00Z`, expire: `${DAY}18:20:00Z` }));
    expect(both.stateAt('18:30')).toMatchObject({ isActive: true });
    expect(both.stateAt('18:45')).toMatchObject({ state: 'ended' });
  });

  it('Rows by zone and by polygon of one event make one event: each polygon speaks for the zones of its minute', () => {
    const { messages, replayed, raws } = lifeOf(
      warning(),
      warning({ ugc: 'IAC049', status: 'CAN', expire: `${DAY}18:20:00Z`, updated: `${DAY}18:20:00Z` }),
      polygon(),
      polygon({ status: 'CON', updated: `${DAY}18:20:00Z` }),
    );
    const told = messages.map((message) => [message.vtec[0]?.action, message.zones.map((zone) => zone.code), message.polygon !== null]);
    expect(told).toEqual([
      ['NEW', ['IAC049', 'IAC153'], true],
      ['CAN', ['IAC049'], false],
      ['CON', ['IAC153'], true],
      ['EXP', ['IAC153'], false],
    ]);
    expect(replayed.event.zones.map((zone) => zone.code)).toEqual(['IAC049', 'IAC153']);
    // Every row is kept once.
    expect(raws.flatMap((raw) => (JSON.parse(raw) as { rows: unknown[] }).rows)).toHaveLength(4);
  });

  it('A watch is an event of the centre that numbers it; statements of one place that overlap are versions of one event', () => {
    expect(lifeOf(watch()).replayed.event).toMatchObject({ eventId: 'KWNS.TO.A.0275.2024', event: 'Tornado Watch', office: 'KWNS' });
    const message = (raw: RawRow) => {
      const read = readRow(raw);
      if (!read.ok || read.row.kind !== 'statements') throw new Error('not a statement');
      return messageOfStatement(read.row, context).message;
    };
    const next = { product_id: '202405211820-KDMX-WWUS83-SPSDMX', issue: `${DAY}18:20:00Z`, expire: `${DAY}19:00:00Z` };
    const later = { product_id: '202405212200-KDMX-WWUS83-SPSDMX', issue: `${DAY}22:00:00Z`, expire: `${DAY}22:30:00Z` };
    const lives = replayHistory([statement(), statement(next), statement(later)].map(message));
    expect(lives.map((life) => life.event.versions.length)).toEqual([2, 1]);
    expect(lives.every((life) => life.event.event === 'Special Weather Statement' && life.overAt !== null)).toBe(true);
    expect(lives[0]?.event.zones.map((zone) => [zone.code, zone.type])).toEqual([
      ['IAZ048', 'public'],
      ['IAZ060', 'public'],
    ]);
  });
});

describe('what imports cover', () => {
  const span = (
    code: string,
    office: string | null,
    from: number,
    to: number,
    areas: ImportedSpan['areas'] = 'counties',
  ): ImportedSpan => ({
    code,
    office,
    from,
    to,
    areas,
  });
  const imports = [span('TOW', null, 0, 100), span('SVW', 'KDMX', 50, 200), span('FAW', null, 0, 100)];

  it('INTL-01: only questions that an import can answer whole: its hazards by name, its offices or the country', () => {
    expect(importedSpans(imports, 0, 300, { events: ['Tornado Warning'] })).toEqual([{ from: 0, to: 100 }]);
    expect(importedSpans(imports, 0, 300, { events: ['tornado warning'], codes: ['019153'] })).toEqual([{ from: 0, to: 100 }]);
    expect(importedSpans(imports, 0, 300, {})).toEqual([]);
    expect(importedSpans(imports, 0, 300, { events: ['Severe Thunderstorm Warning'] })).toEqual([]);
    expect(importedSpans(imports, 0, 300, { events: ['Severe Thunderstorm Warning'], codes: ['IA'] })).toEqual([]);
    expect(importedSpans(imports, 0, 300, { events: ['Severe Thunderstorm Warning'], codes: ['KDMX'] })).toEqual([{ from: 50, to: 200 }]);
    expect(importedSpans(imports, 0, 300, { events: ['Severe Thunderstorm Warning'], codes: ['KDMX', 'KOAX'] })).toEqual([]);
    expect(importedSpans(imports, 0, 300, { events: ['Severe Thunderstorm Warning', 'Tornado Warning'], codes: ['KDMX'] })).toEqual([
      { from: 50, to: 100 },
    ]);
    expect(importedSpans(imports, 0, 300, { events: ['Winter Storm Warning'] })).toEqual([]);
  });

  it('What names no zones cannot be found by place, so it leaves questions about places open', () => {
    const watches = [span('TOA', null, 0, 100, 'none')];
    const winter = [span('WSW', null, 0, 100, 'zones')];
    const asked = (imports: ImportedSpan[], event: string, scope: object) =>
      importedSpans(imports, 0, 100, { events: [event], ...scope }).length;
    expect([asked(watches, 'Tornado Watch', {}), asked(watches, 'Tornado Watch', { codes: ['IA'] })]).toEqual([1, 0]);
    expect(
      ['KDMX', 'KWNS'].map((code) => asked([...watches, span('TOA', 'KWNS', 0, 100, 'none')], 'Tornado Watch', { codes: [code] })),
    ).toEqual([0, 1]);
    const name = 'Winter Storm Warning';
    expect([['IA'], ['IAZ048'], ['IAC153'], ['019153']].map((codes) => asked(winter, name, { codes }))).toEqual([1, 1, 0, 0]);
    expect([asked(winter, name, { placing: 'zones' }), asked(winter, name, { placing: 'counties' })]).toEqual([1, 0]);
  });

  it('A name with two codes needs both', () => {
    expect(codesOfEvent('Flood Warning').sort()).toEqual(['FAW', 'FLW']);
    expect(importedSpans(imports, 0, 300, { events: ['Flood Warning'] })).toEqual([]);
    expect(importedSpans([...imports, span('FLW', null, 40, 80)], 0, 300, { events: ['Flood Warning'] })).toEqual([{ from: 40, to: 80 }]);
  });
});

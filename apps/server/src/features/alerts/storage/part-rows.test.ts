import type { EventState } from '@nwms/domain';
import { bench, HOUR, message, MINUTE, NOON, vtecText } from '@nwms/domain/alert/fixture';
import { describe, expect, it } from 'vitest';
import { partRows } from './part-rows.ts';
import { COLUMNS } from './rows.ts';
import { FOREVER } from './tables.ts';

const KEY = 'KDMX.SV.W.0106';
const warning = (action: string, zones: string[], parts: Parameters<typeof message>[0] = {}) =>
  message({
    vtec: vtecText(action, KEY, action === 'NEW' ? NOON : null, NOON + HOUR),
    eventCode: 'SVW',
    zones,
    ends: NOON + HOUR,
    ...parts,
  });

/** Minutes after noon of every part of a state that was known from `from` to `until`, and the class of its length. */
function minutes(state: EventState, own: ReturnType<typeof message>, from: number, until: number): (number | null)[][] {
  const rows = partRows({ eventId: state.eventId, seq: 1, version: 1 }, { from, until, overAt: FOREVER, state }, own);
  const at = (row: (typeof rows)[number], name: (typeof COLUMNS.known_parts)[number]) => Number(row[COLUMNS.known_parts.indexOf(name)]);
  const minute = (value: number) => (value === FOREVER ? null : (value - NOON) / MINUTE);
  return rows.map((row) => [minute(at(row, 'part_from')), minute(at(row, 'shown_until')), at(row, 'span_class')]);
}

/** What is stored stays as it was written. Who changes the rule must write a migration that drops the rows, so that they are made anew. */
describe('stored parts', () => {
  it('are one from the first knowledge to the end, in the class of their length', () => {
    const world = bench();
    const first = warning('NEW', ['IAC153']);
    const state = world.apply([first])[0]?.event as EventState;
    expect(minutes(state, first, NOON, FOREVER)).toEqual([[0, 60, 0]]);
    expect(minutes(state, first, NOON + 10 * MINUTE, FOREVER)).toEqual([[10, 60, 0]]);
  });

  it('are two where the area changes on the way, and end where newer knowledge replaced them', () => {
    const world = bench();
    world.apply([warning('NEW', ['IAC153', 'IAC049'])]);
    const sent = NOON + 20 * MINUTE;
    const later = NOON + 5 * HOUR;
    const longer = warning('EXT', ['IAC153'], { vtec: vtecText('EXT', KEY, null, later), sent, ends: later, expires: later });
    const state = world.apply([longer]).at(-1)?.event as EventState;
    expect(minutes(state, longer, sent, FOREVER)).toEqual([
      [20, 60, 0],
      [60, 300, 1],
    ]);
    expect(minutes(state, longer, sent, NOON + 90 * MINUTE)).toEqual([
      [20, 60, 0],
      [60, 90, 0],
    ]);
  });

  it('of what was replaced before it began keep a row that no question reads', () => {
    const world = bench();
    const watch = warning('NEW', ['IAC153'], {
      vtec: vtecText('NEW', 'KDMX.WS.A.0001', NOON + 24 * HOUR, NOON + 72 * HOUR),
      event: 'Winter Storm Watch',
      eventCode: 'WSA',
      onset: NOON + 24 * HOUR,
      expires: NOON + 12 * HOUR,
      ends: NOON + 72 * HOUR,
    });
    const state = world.apply([watch])[0]?.event as EventState;
    expect(minutes(state, watch, NOON, FOREVER)).toEqual([[24 * 60, 72 * 60, 4]]);
    expect(minutes(state, watch, NOON, NOON + HOUR)).toEqual([[24 * 60, 60, -1]]);
  });
});

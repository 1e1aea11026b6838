import type { playback } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { laneAt, BAR_PX, CURVE_PX, LANE_PX } from './draw-bar.ts';
import { drawSpots } from './draw-spots.ts';
import { featuresOf, spotsAt } from './features-at.ts';
import {
  countsAt,
  coveredWords,
  isInGap,
  markerNear,
  markersOf,
  maySetOff,
  playFrom,
  shareOf,
  type Span,
  STEP_MS,
  stepOn,
  STEPS,
  totalOf,
  windowAround,
} from './timeline-rules.ts';
import { readTimelineSearch, writeInstant, ZOOM, zoomOf } from './timeline-search.ts';

const T = Date.parse('2026-05-01T00:00:00Z');
const HOUR = 3_600_000;
const day: Span = { fromMs: T, toMs: T + 24 * HOUR };
const iso = (atMs: number) => new Date(atMs).toISOString();
const item = (over: Partial<playback.TimelineItem> & { hour?: number } = {}): playback.TimelineItem => {
  const { hour = 1, ...rest } = over;
  const at = iso(T + hour * HOUR);
  return {
    i: 0,
    event_id: 'e',
    id: `m${hour}`,
    version: 1,
    last_version: true,
    event: 'Flood Warning',
    family: 'flood',
    severity: 'Severe',
    hazard_rank: 520,
    state_at_end: 'in_force',
    headline: null,
    area_desc: 'Story, IA',
    sent: at,
    marker_at: at,
    known_from: at,
    known_until: null,
    shown_from: at,
    shown_until: iso(T + (hour + 2) * HOUR),
    in_force_from: at,
    in_force_until: null,
    label_point: [-93, 42],
    bbox: null,
    shape_id: null,
    geometry_source: 'zones',
    office: 'KDMX',
    simulated: false,
    sample: false,
    ...rest,
  };
};

test('a time with a gap is never said to be covered whole, however short the gap', () => {
  expect([1, 0.997, 0.5, 0].map(coveredWords)).toEqual(['more than 99 %', '99 %', '50 %', '0 %']);
});

test('TIME-10: while it plays every alert in force is a spot in the colour of its severity, the most dangerous on top', () => {
  const drawn: string[] = [];
  const pen = {
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 0,
    beginPath: () => {},
    arc: (x: number, y: number) => void drawn.push(`${x},${y}`),
    fill: () => void drawn.push(pen.fillStyle),
    stroke: () => {},
  };
  const alert = (event_id: string, severity: 'Extreme' | 'Minor', hazard_rank: number, lon: number) => ({
    event_id,
    severity,
    hazard_rank,
    geometry: null,
    geometry_source: 'polygon' as const,
    label_point: [lon, 40] as [number, number],
  });
  const { points } = featuresOf([alert('a', 'Extreme', 900, 1), alert('b', 'Minor', 100, 2)]);
  drawSpots(pen, points.features, {
    place: ([lon = 0, lat = 0]) => ({ x: lon, y: lat }),
    fillOf: (severity) => severity,
    edge: 'white',
  });
  expect(drawn).toEqual(['2,40', 'Minor', '1,40', 'Extreme']);
});

describe('playing', () => {
  test('time does not run before the map is drawn, and does not wait for ever for one that never is', () => {
    expect(maySetOff(true, 0)).toBe(true);
    expect(maySetOff(false, 0)).toBe(false);
    const heldSteps = Array.from({ length: 1_000 }, (_, step) => step).findIndex((step) => maySetOff(false, step));
    expect(heldSteps * STEP_MS).toBe(5_000);
  });

  test('TIME-10: a hundred steps of 100 ms lead from the start to the end, and it stops there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 400 * 24 * HOUR }), (length) => {
        const span = { fromMs: T, toMs: T + length };
        let cursor = span.fromMs;
        for (let step = 1; step < STEPS; step += 1) {
          const next = stepOn(span, cursor);
          expect(next.ended).toBe(false);
          cursor = next.cursorMs;
        }
        expect(stepOn(span, cursor)).toEqual({ cursorMs: span.toMs, ended: true });
      }),
    );
    expect(STEPS * STEP_MS).toBe(10_000);
  });
  test('TIME-10: play at the end starts over, elsewhere it goes on', () => {
    expect([playFrom(day, day.toMs), playFrom(day, T + HOUR)]).toEqual([T, T + HOUR]);
  });
});

describe('figures and markers', () => {
  const counts = { Extreme: 1, Severe: 2, Moderate: 3, Minor: 4, Unknown: 5 };
  const frame = (k: number, known: boolean): playback.TimelineFrame => ({
    k,
    at: iso(T),
    active: null,
    counts: known ? counts : null,
    gap: !known,
  });
  test('TIME-05, R-23: the figures are those of the step nearest to the cursor; in a gap they are not known, never zero', () => {
    const frames = Array.from({ length: 101 }, (_, k) => frame(k, k !== 50));
    expect(totalOf(countsAt(frames, day, day.toMs))).toBe(15);
    expect(countsAt(frames, day, T + 12 * HOUR)).toBeNull();
    expect([totalOf(null), countsAt(null, day, T), countsAt([], day, T)]).toEqual([null, null, null]);
  });
  test('a gap of the record is one to its last instant; the seconds since the last poll are none', () => {
    const hole = { fromMs: T + 2 * HOUR, toMs: T + 3 * HOUR };
    const recent = { fromMs: day.toMs - 20_000, toMs: day.toMs };
    const asked = [T, T + 2 * HOUR, T + 3 * HOUR - 1, T + 3 * HOUR, day.toMs - 1].map((at) => isInGap([hole, recent], day, at));
    expect(asked).toEqual([false, true, true, false, false]);
    expect(isInGap([{ fromMs: day.toMs - HOUR, toMs: day.toMs }], day, day.toMs - 1)).toBe(true);
  });
  test('TIME-06, TIME-08: every message once, by the time it was sent, oldest first; none outside of the range', () => {
    const given = [
      item({ hour: 5 }),
      item({ hour: -2 }),
      item({ hour: 1 }),
      item({ hour: 5, i: 7 }),
      item({ hour: 3, severity: 'Unknown' }),
    ];
    expect(markersOf(given, day).map(({ item: { id }, lane }) => [id, lane])).toEqual([
      ['m1', 1],
      ['m3', 4],
      ['m5', 1],
    ]);
  });
  test('TIME-08: the marker under the pointer is the nearest of its lane, if one is near enough', () => {
    const markers = markersOf([item({ hour: 1 }), item({ hour: 2 }), item({ hour: 2, id: 'x', severity: 'Minor' })], day);
    expect(markerNear(markers, 1, T + 1.8 * HOUR, HOUR)?.item.id).toBe('m2');
    expect(markerNear(markers, 3, T + 1.8 * HOUR, HOUR)?.item.id).toBe('x');
    expect(markerNear(markers, 1, T + 9 * HOUR, HOUR)).toBeNull();
    expect([laneAt(CURVE_PX - 1), laneAt(CURVE_PX), laneAt(CURVE_PX + 4 * LANE_PX), laneAt(BAR_PX + 20)]).toEqual([null, 0, 4, null]);
  });
  test('TIME-03, R-27: of a range with many messages those around the cursor are asked for, about 800, never outside of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1001, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (total, share) => {
        const month = { fromMs: T, toMs: T + 30 * 24 * HOUR };
        const cursor = month.fromMs + share * (month.toMs - month.fromMs);
        const part = windowAround(month, total, cursor);
        expect(part.fromMs).toBeGreaterThanOrEqual(month.fromMs);
        expect(part.toMs).toBeLessThanOrEqual(month.toMs);
        expect(part.fromMs <= cursor && cursor <= part.toMs).toBe(true);
        expect((total * (part.toMs - part.fromMs)) / (month.toMs - month.fromMs)).toBeLessThanOrEqual(Math.max(801, total / 720));
      }),
    );
  });
  test('while playing, what is drawn at an instant is what was in force then: from its start, up to but not at its end', () => {
    const items = [item({ hour: 1 }), item({ hour: 2, event_id: 'f' })];
    const ids = (hour: number) => spotsAt(items, T + hour * HOUR).points.features.map(({ properties }) => properties.id);
    expect([ids(0.5), ids(1), ids(2.5), ids(3), ids(4)]).toEqual([[], ['e'], ['e', 'f'], ['f'], []]);
  });
  test('what has neither shape nor place is counted, not forgotten', () => {
    const alert = {
      event_id: 'e',
      severity: 'Severe',
      hazard_rank: 1,
      geometry: null,
      geometry_source: 'none',
      label_point: null,
    } as const;
    expect(featuresOf([alert]).undrawn).toBe(1);
  });
});

describe('the address of the timeline', () => {
  test('TIME-04: the last 24 hours, at their end, with every severity, not zoomed', () => {
    expect(readTimelineSearch({})).toEqual({});
    expect(readTimelineSearch({ range: '24h', zoom: 1 })).toEqual({});
  });
  test('whatever somebody writes into it is read without an error, and read again the same', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom('7d', 'all', 'none', 'Extreme', '2026-05-01T12:00:00Z', '3.5'),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('range', 'on', 'at', 'zoom'), value), (given) => {
        const search = readTimelineSearch(given);
        expect(readTimelineSearch({ ...search })).toEqual(search);
      }),
    );
  });
  test('TIME-09: zoom is 1x to 5x in steps of a half', () => {
    expect([0, 1.2, 1.3, 4.9, 9, NaN].map(zoomOf)).toEqual([1, 1, 1.5, 5, 5, 1]);
    expect((ZOOM.most - ZOOM.least) / ZOOM.step).toBe(8);
  });
  test('an instant comes back from a link to the second', () => {
    expect(Date.parse(writeInstant(T + 1499))).toBe(T + 1000);
    expect(shareOf(day, T + 6 * HOUR)).toBe(0.25);
    expect(SEVERITIES.length).toBe(5);
  });
});

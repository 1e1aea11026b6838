import { describe, expect, test } from 'vitest';
import { DAYS, GRID, LOOK, ROOM, ROWS } from './chart-fixture.ts';
import { optionOf } from './chart-option.ts';
import type { ChartSpec } from './chart-spec.ts';
import { pointOf, type Scale, stopAt } from './pick-stop.ts';

interface Drawn {
  [member: string]: unknown;
  data: { itemStyle: { color: string } }[];
  label: { formatter: () => string };
}
const seriesOf = (spec: ChartSpec, look = LOOK) => optionOf(spec, look, ROOM).series as unknown as [Drawn];

describe('drawing', () => {
  test('gaps stay gaps, and a value between gaps still shows', () => {
    const [line] = seriesOf({ kind: 'line', data: ROWS });
    expect(line).toMatchObject({ type: 'line', data: [10, null, 30], connectNulls: false, showSymbol: true });
    const whole = { ...ROWS, series: [{ name: 'n', values: [1, 2, 3] }] };
    expect(seriesOf({ kind: 'line', data: whole })[0]).toMatchObject({ showSymbol: false });
  });

  test('ANLY-12: with two axes the first series is bars on the left, the others are lines on the right', () => {
    const option = optionOf({ kind: 'dual-axis', data: ROWS }, LOOK, ROOM);
    expect(option.series).toMatchObject([{ type: 'bar' }, { type: 'line', yAxisIndex: 1 }]);
    expect(option.yAxis).toHaveLength(2);
  });

  test('a range is a band of its width from its low end', () => {
    const data = { heading: 'Day', labels: ['a', 'b'], series: [{ name: 'n', values: [5, 6], ranges: [{ low: 3, high: 8 }, null] }] };
    expect(seriesOf({ kind: 'line', data }).map((each) => each['data'])).toEqual([
      [3, null],
      [5, null],
      [5, 6],
    ]);
  });

  test('words lie on the left of bars that lie, in their order from the top', () => {
    const option = optionOf({ kind: 'bar', lying: true, data: ROWS }, LOOK, ROOM);
    const [words] = option.yAxis as unknown as [{ axisLabel: { formatter: (at: string) => string } }];
    expect(words).toMatchObject({ type: 'category', inverse: true });
    const { formatter } = words.axisLabel;
    expect(formatter('1')).toBe('Dec 15');
  });

  test('colours come from the tokens of the theme, per part where parts have a meaning', () => {
    const data = { heading: 'Severity', labels: ['Extreme', 'Minor'], series: [{ name: 'Events', values: [1, 2] }] };
    const tones = ['fill-extreme', 'fill-minor'] as const;
    const [ring] = seriesOf({ kind: 'doughnut', data: { ...data, tones } });
    expect(ring.data.map(({ itemStyle }) => itemStyle.color)).toEqual([...tones]);
    expect(seriesOf({ kind: 'bar', data: { ...data, tones } })[0]?.['data']).toMatchObject([{ itemStyle: { color: 'fill-extreme' } }, {}]);
  });

  test('a whole of zero is an empty ring with its 0, not a ring of nothing', () => {
    const data = { heading: 'Device', labels: ['a'], series: [{ name: 'n', values: [0] }] };
    const [ring] = seriesOf({ kind: 'doughnut', data });
    expect(ring).toMatchObject({ silent: true, data: [{ value: 1, itemStyle: { color: 'line' } }] });
    expect(ring.label.formatter()).toBe('0');
  });

  test('blank cells and days are left out; the ramp begins at 0', () => {
    expect(seriesOf(GRID)[0]?.['data']).toEqual([
      [0, 0, 0],
      [1, 0, 4],
      [1, 1, 7],
    ]);
    expect(optionOf(GRID, LOOK, ROOM).visualMap).toMatchObject({ min: 0, max: 7 });
    expect(seriesOf(DAYS)[0]?.['data']).toEqual([
      ['2025-12-14', 3],
      ['2025-12-16', 9],
    ]);
  });

  test('parts keep their ids when the data is renewed, so that shapes move instead of being drawn anew', () => {
    const idsOf = (spec: ChartSpec) => seriesOf(spec).map((each) => each['id']);
    const later = { ...ROWS, labels: [...ROWS.labels, 'Dec 17'] };
    expect(idsOf({ kind: 'dual-axis', data: later })).toEqual(idsOf({ kind: 'dual-axis', data: ROWS }));
    expect(new Set(idsOf({ kind: 'line', data: ROWS })).size).toBe(2);
  });

  test('nothing moves for who asked for calm', () => {
    expect(optionOf(GRID, { ...LOOK, moves: false }, ROOM).animation).toBe(false);
    expect(optionOf(GRID, LOOK, ROOM).animation).toBe(true);
  });
});

describe('what is under the pointer', () => {
  const scale = (place: [number, number] | null): Scale => ({
    toData: () => place,
    toPoint: ([x, y]) => ({ x: Number(x), y: Number(y) }),
    room: () => ({ width: 100, height: 100 }),
  });

  test('over a row of labels the nearest label, at any height; beside it nothing', () => {
    expect(stopAt({ kind: 'line', data: ROWS }, { x: 0, y: 0 }, scale([1.4, 999]))).toBe(1);
    expect(stopAt({ kind: 'line', data: ROWS }, { x: 0, y: 0 }, scale([3.2, 0]))).toBeNull();
    expect(stopAt({ kind: 'bar', lying: true, data: ROWS }, { x: 0, y: 0 }, scale([50, 2]))).toBe(2);
    expect(stopAt(GRID, { x: 0, y: 0 }, scale([1, 1]))).toBe(3);
    expect(stopAt({ kind: 'line', data: ROWS }, { x: 0, y: 0 }, scale(null))).toBeNull();
  });

  test('of a calendar the day as the reader’s zone has it', () => {
    expect(stopAt(DAYS, { x: 0, y: 0 }, scale([new Date(2025, 11, 16).getTime(), 0]))).toBe(2);
  });

  test('of a ring the part, found again where it was put', () => {
    const data = { heading: 'Device', labels: ['a', 'b', 'c'], series: [{ name: 'n', values: [50, 25, 25] }] };
    const spec = { kind: 'doughnut' as const, data };
    for (const stop of [0, 1, 2]) expect(stopAt(spec, pointOf(spec, stop, scale(null)) ?? { x: 0, y: 0 }, scale(null))).toBe(stop);
    expect(stopAt(spec, { x: 50, y: 50 }, scale(null))).toBeNull();
  });
});

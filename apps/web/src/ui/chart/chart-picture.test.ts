import { describe, expect, test } from 'vitest';
import { GRID, ROWS } from './chart-fixture.ts';
import { legendOf } from './chart-legend.ts';
import { linesOf, placesOf } from './chart-picture.ts';

const said = (spec: Parameters<typeof legendOf>[0]) =>
  legendOf(spec).map(({ name, value }) => (value === null ? name : `${name}: ${value}`));

describe('a picture can stand alone', () => {
  test('ANLY-10: a ring names its parts, with how much and of what share', () => {
    const data = { heading: 'Device', labels: ['Desktop', 'Bots'], series: [{ name: 'Requests', values: [30, 10] }] };
    expect(said({ kind: 'doughnut', data })).toEqual(['Desktop: 30 (75%)', 'Bots: 10 (25%)']);
    expect(new Set(legendOf({ kind: 'doughnut', data }).map(({ tone }) => tone)).size).toBe(2);
  });

  test('ANLY-12: two axes say which is whose, with units; one line needs no name, its gap does', () => {
    expect(said({ kind: 'dual-axis', data: { ...ROWS, gap: 'not recorded' } })).toEqual([
      'Requests, left',
      'Average (ms), right',
      'Gap: not recorded',
    ]);
    const one = { ...ROWS, series: ROWS.series.slice(0, 1), gap: 'not recorded' };
    expect(said({ kind: 'line', data: one })).toEqual(['Gap: not recorded']);
    expect(said(GRID)[0]).toMatch(/: 0 to /);
  });

  test('words are broken into lines and never squeezed', () => {
    const width = (text: string) => text.length;
    expect(linesOf('Requests; programs are HTTP libraries', 14, width)).toEqual(['Requests;', 'programs are', 'HTTP libraries']);
    expect(linesOf('', 14, width)).toEqual([]);
    expect(placesOf([40, 50, 200, 10], 120)).toEqual([
      { x: 0, line: 0 },
      { x: 60, line: 0 },
      { x: 0, line: 1 },
      { x: 0, line: 2 },
    ]);
  });
});

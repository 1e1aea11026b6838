import { describe, expect, test } from 'vitest';
import { DAYS, GRID, ROWS } from './chart-fixture.ts';
import { chartCsv, fileNameOf } from './chart-files.ts';
import { isChartKind, isEmpty } from './chart-spec.ts';
import { axisText, figureText, stopsOf, summaryOf, tableOf } from './chart-words.ts';
import { stopAfterKey } from './stop-keys.ts';

describe('what is not known', () => {
  test('R-23: is a dash, never 0, in words, tables and files', () => {
    expect(figureText(null, { unit: 'ms' })).toBe('—');
    expect(stopsOf({ kind: 'line', data: ROWS })[1]?.lines.map(({ text }) => text)).toEqual(['—', '90 ms']);
    expect(tableOf({ kind: 'line', data: ROWS }).rows[1]).toEqual({ label: 'Dec 15', values: [null, 90] });
    expect(chartCsv({ kind: 'line', data: ROWS }, null).split('\r\n')[2]).toBe('"Dec 15",,90');
  });

  test('ERR-05: only gaps are no data; measured zeros are data', () => {
    const of = (values: (number | null)[]) => ({
      kind: 'bar' as const,
      data: { heading: 'Day', labels: ['a', 'b'], series: [{ name: 'n', values }] },
    });
    expect(isEmpty(of([null, null]))).toBe(true);
    expect(isEmpty(of([]))).toBe(true);
    expect(isEmpty(of([0, null]))).toBe(false);
  });

  test('ERR-05: kinds outside of the list are told apart', () => {
    expect(isChartKind('heatmap')).toBe(true);
    expect(isChartKind('pie3d')).toBe(false);
  });
});

describe('the summary for who cannot see the drawing', () => {
  test('names kind, span, lowest, highest and gaps', () => {
    expect(summaryOf('Request trends', { kind: 'line', data: ROWS })).toBe(
      'Request trends. Line chart, Dec 14 to Dec 16. Requests: lowest 10 (Dec 14), highest 30 (Dec 16), 1 not known. ' +
        'Average: lowest 90 ms (Dec 15), highest 120.3 ms (Dec 14), 1 not known.',
    );
  });

  test('R-23: says what a gap means where that is known', () => {
    const data = { ...ROWS, gap: 'not recorded' };
    expect(summaryOf('Request trends', { kind: 'line', data })).toContain('highest 30 (Dec 16), 1 not recorded.');
  });

  test('of a heatmap and of a calendar says where the most is, and how much is known', () => {
    expect(summaryOf('When events begin', GRID)).toBe(
      'When events begin. Heatmap of events begun by weekday (2) and hour (2). Highest: 7, Tuesday, 12.',
    );
    expect(summaryOf('A year', DAYS)).toContain('2 of 3 days known. Highest: 9 on Tue, Dec 16, 2025.');
  });
});

describe('files', () => {
  test('a mark of simulated weather stands in every row', () => {
    const rows = chartCsv(DAYS, 'Simulated weather').trim().split('\r\n');
    expect(rows.slice(1).every((row) => row.endsWith('"Simulated weather"'))).toBe(true);
    expect(rows[2]).toBe('"2025-12-15",,"Simulated weather"');
  });

  test('ranges are columns of their own', () => {
    const data = { heading: 'Day', labels: ['a'], series: [{ name: 'Expected', values: [5], ranges: [{ low: 3, high: 8 }] }] };
    expect(tableOf({ kind: 'line', data })).toMatchObject({
      head: ['Day', 'Expected', 'Expected, low', 'Expected, high'],
      rows: [{ values: [5, 3, 8] }],
    });
    expect(stopsOf({ kind: 'line', data })[0]?.lines[0]?.text).toBe('5 (3 to 8)');
  });

  test('are named after the chart and the day', () => {
    expect(fileNameOf('Top 5 countries', Date.UTC(2025, 11, 15))).toBe('nwms-top-5-countries-2025-12-15');
  });
});

test('parts of a whole say their share', () => {
  const data = { heading: 'Device', labels: ['Desktop', 'Bots'], series: [{ name: 'Requests', values: [30, 10] }] };
  expect(stopsOf({ kind: 'doughnut', data }).map(({ lines }) => lines[0]?.text)).toEqual(['30 (75%)', '10 (25%)']);
});

test('numbers on an axis are short', () => {
  expect([axisText(12_000), axisText(0.25), axisText(5, { unit: '%' })]).toEqual(['12K', '0.25', '5%']);
});

test('the arrow keys go through a row, over the rows of a heatmap and over the weeks of a calendar', () => {
  const line = { kind: 'line' as const, data: ROWS };
  expect(stopAfterKey(line, 'ArrowRight', null, 3)).toBe(0);
  expect(stopAfterKey(line, 'ArrowRight', 2, 3)).toBe(2);
  expect(stopAfterKey(line, 'End', 0, 3)).toBe(2);
  expect(stopAfterKey(GRID, 'ArrowDown', 1, 4)).toBe(3);
  expect(stopAfterKey(DAYS, 'ArrowRight', 0, 30)).toBe(7);
  expect(stopAfterKey(line, 'Escape', 1, 3)).toBeNull();
  expect(stopAfterKey(line, 'Tab', 1, 3)).toBeUndefined();
});

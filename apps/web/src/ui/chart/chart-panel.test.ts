import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ToastArea } from '../toast.tsx';
import { ROWS } from './chart-fixture.ts';
import { ChartPanel, type ChartPanelProps } from './chart-panel.tsx';
import type { ChartSpec } from './chart-spec.ts';

function shown(props: Partial<ChartPanelProps>): string {
  const panel = createElement(ChartPanel, {
    title: 'Request trends',
    spec: { kind: 'line', data: ROWS },
    state: { is: 'ready' },
    ...props,
  });
  // oxlint-disable-next-line react/no-children-prop -- the area asks for them
  return renderToStaticMarkup(createElement(ToastArea, { children: panel }));
}

describe('ERR-05: chart cards', () => {
  test('without data say so, with the reason, and offer no files of nothing', () => {
    const data = { heading: 'Day', labels: ['a'], series: [{ name: 'n', values: [null] }] };
    const card = shown({ spec: { kind: 'line', data }, empty: 'Our record covers none of this time yet.' });
    expect(card).toContain('No data available');
    expect(card).toContain('Our record covers none of this time yet.');
    expect(card).not.toContain('download');
  });

  test('R-23: have a word in the legend for what a gap means, and none without a gap', () => {
    const [requests] = ROWS.series;
    const data = (values: (number | null)[]) => ({ ...ROWS, series: [{ ...requests!, values }], gap: 'not recorded' });
    expect(shown({ spec: { kind: 'line', data: data([10, null, 30]) } })).toContain('Gap: not recorded');
    expect(shown({ spec: { kind: 'line', data: data([10, 20, 30]) } })).not.toContain('Gap');
  });

  test('say that charts may require admin access when the server refuses them', () => {
    expect(shown({ state: { is: 'forbidden' } })).toContain('Charts may require admin access.');
  });

  test('name a kind of chart that there is not', () => {
    expect(shown({ spec: { kind: 'pie3d', data: ROWS } as unknown as ChartSpec })).toContain('Invalid chart type: pie3d');
  });

  test('ERR-04: keep a failure in place, with Retry', () => {
    const card = shown({ state: { is: 'failed', message: 'Not today.', requestId: 'req_1', retry: () => {}, busy: false } });
    expect(card).toContain('Error loading data');
    expect(card).toContain('Not today.');
    expect(card).toContain('Retry');
  });

  test('with data are an image with words, and can be taken away', () => {
    const card = shown({});
    expect(card).toContain('aria-label="Request trends. Line chart, Dec 14 to Dec 16.');
    expect(card).toContain('Request trends: download PNG');
  });
});

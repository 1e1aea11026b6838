import type { SlimAlert } from '@nwms/contract';
import { expect, test } from 'vitest';
import { keptAnswer } from './kept-answer.ts';
import { NOW_MS, tickerList, tickerRow } from './ticker-fixture.ts';
import { viewTicker } from './ticker-view.ts';

const known = (...alerts: ReturnType<typeof tickerRow>[]) => ({
  alerts: alerts as unknown as SlimAlert[],
  freshness: tickerList([]).freshness,
  receivedAtMs: NOW_MS,
});
const hour = 3_600_000;

test('TICK-06, R-01: a start without an answer shows what was known, the most dangerous first, with its age and as lost', () => {
  const answer = keptAnswer(known(tickerRow('low', { hazard_rank: 1, in_force_until: null }), tickerRow('high', { in_force_until: null })));
  const view = viewTicker({ answer, failure: 'HTTP 503' }, NOW_MS + hour);
  expect(view).toMatchObject({ kind: 'lost', sample: false, ageSeconds: 3620 });
  expect('items' in view && view.items.map(({ event_id }) => event_id)).toEqual(['high', 'low']);
});

test('what has run out is not shown, and nothing left is not all clear', () => {
  const view = viewTicker({ answer: keptAnswer(known(tickerRow('a'))), failure: 'HTTP 503' }, NOW_MS + hour);
  expect(view).toMatchObject({ kind: 'lost', items: [] });
  expect(viewTicker({ answer: keptAnswer(known()), failure: 'HTTP 503' }, NOW_MS + hour)).toMatchObject({ kind: 'lost', items: [] });
});

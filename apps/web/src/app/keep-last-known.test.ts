import type { Freshness, SlimAlert } from '@nwms/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { LastKnown } from '../lib/last-known.ts';
import { keepLastKnown } from './keep-last-known.ts';

function world() {
  const queries = new QueryClient();
  const written: LastKnown[] = [];
  const plans: { ms: number; run: () => void }[] = [];
  keepLastKnown({ queries, write: async (known) => void written.push(known), after: (ms, run) => void plans.push({ ms, run }) });
  const hear = (status: Freshness['status']) =>
    queries.setQueryData(['freshness'], { freshness: { status } as Freshness, receivedAtMs: 1_000 });
  const book = (...alerts: { event_id: string; is_active: boolean }[]) =>
    queries.setQueryData(['alerts', 'book'], { rows: new Map(alerts.map((alert) => [alert.event_id, { alert: alert as SlimAlert }])) });
  return { queries, written, plans, hear, book };
}

test('keeps what is active, with its age, soon after the first list and then in one go for many changes', () => {
  const { written, plans, hear, book } = world();
  hear('live');
  for (let n = 0; n < 20; n += 1) book({ event_id: 'a', is_active: true }, { event_id: 'over', is_active: false });
  expect(plans.map(({ ms }) => ms)).toEqual([2_000]);
  plans[0]?.run();
  expect(written).toMatchObject([{ alerts: [{ event_id: 'a' }], freshness: { status: 'live' }, receivedAtMs: 1_000 }]);
  hear('live');
  book();
  expect(plans.map(({ ms }) => ms)).toEqual([2_000, 120_000]);
  plans[1]?.run();
  expect(written[1]?.alerts).toEqual([]);
});

test('keeps nothing that nobody could vouch for, and nothing before there is a list', () => {
  const { written, plans, hear, book } = world();
  hear('live');
  plans[0]?.run();
  hear('unknown');
  book();
  plans[1]?.run();
  expect(written).toEqual([]);
});

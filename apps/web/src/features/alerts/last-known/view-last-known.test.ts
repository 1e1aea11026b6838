import type { Freshness } from '@nwms/contract';
import { expect, test } from 'vitest';
import { alertFixture } from '../alert-fixture.ts';
import { viewLastKnown } from './view-last-known.ts';

const NOW = Date.parse('2026-11-21T18:00:00Z');
const freshness: Freshness = {
  data_as_of: '2026-11-21T15:00:00Z',
  upstream_age_seconds: 20,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
};
const receivedAtMs = Date.parse('2026-11-21T15:00:20Z');

test('the age grows with the time on this device, also over a start', () => {
  expect(viewLastKnown({ alerts: [], freshness, receivedAtMs }, NOW)).toMatchObject({
    asOfMs: Date.parse('2026-11-21T15:00:00Z'),
    ageSeconds: 20 + 3 * 3600 - 20,
  });
  expect(viewLastKnown({ alerts: [], freshness: { ...freshness, upstream_age_seconds: null }, receivedAtMs }, NOW).ageSeconds).toBeNull();
  // A clock that was set back makes nothing fresher than it was.
  expect(viewLastKnown({ alerts: [], freshness, receivedAtMs }, receivedAtMs - 60_000).ageSeconds).toBe(20);
});

test('what has run out meanwhile comes last and is said to have; the most dangerous comes first', () => {
  const row = (event_id: string, hazard_rank: number, in_force_until: string | null) =>
    alertFixture({ event_id, hazard_rank, in_force_until });
  const alerts = [
    row('over', 9_000, '2026-11-21T17:59:59Z'),
    row('low', 10, '2026-11-21T20:00:00Z'),
    row('open', 500, null),
    row('high', 8_000, '2026-11-21T18:30:00Z'),
  ];
  const { lines } = viewLastKnown({ alerts, freshness, receivedAtMs }, NOW);
  expect(lines.map(({ alert, hasRunOut }) => [alert.event_id, hasRunOut])).toEqual([
    ['high', false],
    ['open', false],
    ['low', false],
    ['over', true],
  ]);
});

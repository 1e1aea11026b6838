import type { Query } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { AlertSync } from './alert-sync.ts';
import { refreshQuery } from './queries.ts';

const sync = { refresh: async () => 0, stop: () => {} } satisfies AlertSync;

/** Milliseconds until the next refresh; false: none. */
function waits(automatic: boolean, status: 'success' | 'error') {
  const { refetchInterval } = refreshQuery(sync, automatic ? 120 : null);
  if (typeof refetchInterval !== 'function') throw new Error('the wait depends on how the last refresh went');
  return refetchInterval({ state: { status } } as Query<number, Error, number, readonly unknown[]> as never);
}

test('ALRT-02, MAP-11: the list refreshes itself every 120 s, and not at all when that is switched off', () => {
  expect(waits(true, 'success')).toBe(120_000);
  expect(waits(false, 'success')).toBe(false);
});

test('after a failure the list is asked for sooner, switched off or not: old data is the worse evil', () => {
  expect(waits(true, 'error')).toBeLessThan(120_000);
  expect(waits(false, 'error')).toBe(waits(true, 'error'));
});

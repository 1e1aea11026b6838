import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useHydrated } from '../lib/use-hydrated.ts';

/** What screens show of a query. */
export type Heard<T> = Pick<UseQueryResult<T>, 'data' | 'dataUpdatedAt' | 'error' | 'isError' | 'isFetching' | 'isPending'> & {
  refetch: () => unknown;
};

const JUST_ASKED: Heard<never> = {
  data: undefined,
  dataUpdatedAt: 0,
  error: null,
  isError: false,
  isFetching: true,
  isPending: true,
  refetch: () => undefined,
};

/**
 * The query, shown in slices: an answer does not hold up a finger on the page. While React takes over the painted document, as it was painted
 * there: asked, and nothing heard yet.
 */
export function useHeard<T>(query: Heard<T>): Heard<T> {
  return useDeferredValue(useHydrated() ? query : JUST_ASKED);
}

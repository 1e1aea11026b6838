import { ApiError, sentenceOf } from './errors.ts';

/** How the answer of a question stands, for cards and charts. Data of before counts as ready; `isOld` says that it is. */
export type QueryView =
  | { is: 'loading' }
  | { is: 'ready' }
  | { is: 'forbidden' }
  | { is: 'failed'; message: string; requestId: string | null; retry: () => void; busy: boolean };

/** What is read of a query of React Query. */
interface Asked {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

export function viewOf(query: Asked): QueryView {
  const { error } = query;
  if (error instanceof ApiError && error.status === 403) return { is: 'forbidden' };
  if (query.data !== undefined) return { is: 'ready' };
  if (error === null) return { is: 'loading' };
  return {
    is: 'failed',
    message: sentenceOf(error),
    requestId: error instanceof ApiError ? error.requestId : null,
    retry: () => void query.refetch(),
    busy: query.isFetching,
  };
}

/** Shown is what an earlier answer said: the last question failed. */
export const isOld = (query: Pick<Asked, 'data' | 'error'>): boolean => query.data !== undefined && query.error !== null;

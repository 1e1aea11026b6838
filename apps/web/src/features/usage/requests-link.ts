import type { RequestFilter } from './usage-search.ts';

/** The single requests behind a figure, of the same period. */
export const requestsAt = (filter: RequestFilter, days: number | undefined) =>
  ({ to: '/analytics', search: { ...filter, ...(days === undefined ? {} : { days }) } }) as const;

import type { RequestFilter, UsageSearch } from './usage-search.ts';

/** What a figure is of: the period, and whose requests. */
export type FigureOf = Pick<UsageSearch, 'days' | 'principal'>;

/** The single requests behind a figure, of the same period and the same kind of caller. */
export const requestsAt = (filter: RequestFilter, { days, principal }: FigureOf = {}) =>
  ({ to: '/analytics', search: { ...filter, ...(days ? { days } : {}), ...(principal ? { principal } : {}) } }) as const;

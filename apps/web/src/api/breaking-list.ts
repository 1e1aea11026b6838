import { queryOptions } from '@tanstack/react-query';
import type { alerts, Ticker } from '@nwms/contract';
import { line } from './line.ts';
import { byPolicy } from './query-client.ts';
import { nextPollMs } from './retry.ts';
import type { Services } from './services.ts';

/** API-32. */
const BREAKING = line<typeof alerts.breakingNewsTicker>('GET', '/intelligence/weather-insights/breaking-news-ticker');

/** Seconds between tries while the list cannot be had: the bar says that it keeps trying. */
const RETRY_SECONDS = 10;

/** The most dangerous alerts in force: asked for once for the whole page, every 5 minutes, without a credential (TICK-02, TICK-08). */
export const breakingQuery = (services: Services) => {
  const policy = byPolicy('ticker', services);
  return queryOptions<Ticker>({
    queryKey: ['ticker'],
    queryFn: ({ signal }) => services.api.call(BREAKING, { signal, anonymous: true }),
    ...policy,
    refetchInterval: (query) =>
      query.state.status === 'error' ? nextPollMs(RETRY_SECONDS, query.state.error, services.pollSpread) : policy.refetchInterval(query),
  });
};

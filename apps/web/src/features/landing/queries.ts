import { queryOptions } from '@tanstack/react-query';
import type { Health, health } from '@nwms/contract';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';

const HEALTH = line<typeof health.getHealth>('GET', '/health');

/** LAND-07: every 30 s. The key is the one under which the whole page keeps the health, so it is asked for once. */
export const healthQuery = (services: Services) =>
  queryOptions<Health>({
    queryKey: ['health'],
    queryFn: ({ signal }) => services.api.call(HEALTH, { signal }),
    ...byPolicy('landing', services),
    // The board comes after the bar, which has asked already: what was told a moment ago is not asked again.
    staleTime: 10_000,
  });

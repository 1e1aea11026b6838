import { queryOptions } from '@tanstack/react-query';
import type { Health, health } from '@nwms/contract';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';

const HEALTH = line<typeof health.getHealth>('GET', '/health');

/** One question of the whole page, every 30 s (NET-13). */
export const healthQuery = (services: Services) =>
  queryOptions<Health>({
    queryKey: ['health'],
    queryFn: ({ signal }) => services.api.call(HEALTH, { signal }),
    ...byPolicy('health', services),
  });

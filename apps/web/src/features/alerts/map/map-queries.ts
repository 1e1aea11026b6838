import { queryOptions } from '@tanstack/react-query';
import type { alerts, ReplyOf } from '@nwms/contract';
import type { Api } from '../../../api/call.ts';
import { line } from '../../../api/line.ts';

export type StreetMap = NonNullable<ReplyOf<typeof alerts.mapBase>['street_tiles']>;

/** Street tiles under the alerts, if the operator configured any. Asked for once: a map without them is complete. */
export const mapBaseQuery = (api: Api) =>
  queryOptions({
    queryKey: ['alerts', 'map-base'],
    queryFn: async ({ signal }): Promise<StreetMap | null> =>
      (await api.call(line<typeof alerts.mapBase>('GET', '/alerts/map-base'), { signal, anonymous: true })).street_tiles,
    staleTime: Infinity,
    retry: 1,
  });

import { type ApiDocument, readReference } from '@nwms/contract/read-reference';
import { queryOptions } from '@tanstack/react-query';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';

/** The API document of this server, read once a visit: the reference says what is served here, not what was served when the page was built. */
export const referenceOf = (services: Services) =>
  queryOptions({
    queryKey: ['reference'],
    queryFn: async ({ signal }) => {
      const { body } = await services.api.get<ApiDocument>('/openapi.json', { signal });
      if (body === null) throw new Error('The API document is empty');
      return readReference(body);
    },
    ...byPolicy('standard', services),
    staleTime: Number.POSITIVE_INFINITY,
  });

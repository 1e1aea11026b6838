import type { ApiKey, BodyOf, keys } from '@nwms/contract';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../api/call.ts';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { etagOf } from '../../lib/etag.ts';

const list = line<typeof keys.listKeys>('GET', '/api-keys');
const create = line<typeof keys.createKey>('POST', '/api-keys');
const update = line<typeof keys.updateKey>('PATCH', '/api-keys/{id}');
const refresh = line<typeof keys.refreshKey>('POST', '/api-keys/{id}/refresh');
const remove = line<typeof keys.deleteKey>('DELETE', '/api-keys/{id}');
const usage = line<typeof keys.getKeyUsage>('GET', '/api-keys/{id}/usage');
const own = line<typeof keys.getOwnUsage>('GET', '/auth/me/usage');

/** Everything this screen caches; asked again together after a change. Secrets are never among it. */
export const KEYS_KEY = ['keys'] as const;
export const LIST_PATH = '/api-keys';
const MINUTE_MS = 60_000;
/** Clocks of browsers are a little off. */
const SETTLED_MS = 500;

/** Figures of this minute are asked again when it is over, or they would be told of the next one. */
const whileLooked = (services: Services) => {
  const policy = byPolicy('keys', services);
  return {
    ...policy,
    refetchInterval: (query: { state: { error: unknown } }) => {
      const ms = policy.refetchInterval(query);
      return ms === false || query.state.error ? ms : Math.min(ms, MINUTE_MS - (Date.now() % MINUTE_MS) + SETTLED_MS);
    },
  };
};

export const keysOf = (services: Services) =>
  queryOptions({
    queryKey: [...KEYS_KEY, 'list'],
    queryFn: ({ signal }) => services.api.call(list, { signal }),
    ...whileLooked(services),
  });
export const ownUsageOf = (services: Services) =>
  queryOptions({
    queryKey: [...KEYS_KEY, 'own'],
    queryFn: ({ signal }) => services.api.call(own, { signal }),
    ...whileLooked(services),
  });
export const keyUsageOf = (services: Services, id: string) =>
  queryOptions({
    queryKey: [...KEYS_KEY, 'usage', id],
    queryFn: ({ signal }) => services.api.call(usage, { params: { id }, query: { minutes: 60 }, signal }),
    ...whileLooked(services),
  });

export const createKey = (api: Api, body: BodyOf<typeof keys.createKey>, idempotencyKey: string) =>
  api.call(create, { body, idempotencyKey });
/** @throws ApiError `precondition.failed` when the key was changed since it was loaded. */
export const updateKey = (api: Api, key: ApiKey, body: BodyOf<typeof keys.updateKey>) =>
  api.call(update, { params: { id: key.id }, body, ifMatch: etagOf(key) });
export const refreshKey = (api: Api, key: ApiKey, overlapSeconds: number, idempotencyKey: string) =>
  api.call(refresh, { params: { id: key.id }, body: { overlap_seconds: overlapSeconds }, idempotencyKey });
export const deleteKey = (api: Api, key: ApiKey) => api.call(remove, { params: { id: key.id } });

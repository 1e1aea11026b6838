import { type Api, type ApiDeps, createApi } from './call.ts';

/** An API over this fetch: nobody signed in, retries at once and without end, chance always one half. */
export const apiOver = (fetch: typeof globalThis.fetch, changed: Partial<ApiDeps> = {}): Api =>
  createApi({
    fetch,
    baseUrl: '',
    token: () => null,
    onRefused: () => {},
    budget: { take: () => true },
    random: () => 0.5,
    wait: () => Promise.resolve(),
    newKey: () => 'made-once',
    ...changed,
  });

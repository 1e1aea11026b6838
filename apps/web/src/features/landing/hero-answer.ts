import { queryOptions } from '@tanstack/react-query';
import type { Freshness, SlimAlert } from '@nwms/contract';
import type { Services } from '../../api/services.ts';

/** The question the page itself asks, and shows: the most dangerous alert in force, without texts and shape, so about 2 kB. */
export const HERO_QUERY = { active_only: true, limit: 1, detail: 'slim' } as const;
export type HeroAlert = SlimAlert;
export const HERO_PATH = '/alerts';

export interface HeroList {
  alerts: readonly HeroAlert[];
  total: number;
  freshness: Freshness;
}

/** One real exchange with the API, as it was measured here. */
export interface HeroAnswer {
  body: HeroList;
  etag: string | null;
  /** 304 from the second time on, while nothing changed: the body is the one kept from before. */
  status: 200 | 304;
  /** From asking to having read the answer, by this device. */
  tookMs: number;
  headers: readonly (readonly [name: string, value: string])[];
  receivedAtMs: number;
}

const REFRESH_MS = 30_000;

/** Asked again every 30 s with the validator of the last answer; costs one request of the visitor's 60 a minute. */
export const heroQuery = ({ api, queries }: Services) =>
  queryOptions<HeroAnswer>({
    queryKey: ['landing', 'hero'],
    queryFn: async ({ signal, queryKey }) => {
      const known = queries.getQueryData<HeroAnswer>(queryKey);
      const began = performance.now();
      const answer = await api.get<HeroList>(HERO_PATH, { query: HERO_QUERY, etag: known?.etag ?? null, signal });
      const tookMs = performance.now() - began;
      const { freshness } = answer;
      const body = answer.body ?? known?.body;
      if (!body) throw new Error('An unchanged answer to a first question');
      const headers: [string, string][] = [];
      if (freshness) {
        headers.push(['NWMS-Data-Status', freshness.status]);
        if (freshness.data_as_of) headers.push(['NWMS-Data-As-Of', freshness.data_as_of]);
        if (freshness.upstream_age_seconds !== null) headers.push(['NWMS-Data-Age', String(freshness.upstream_age_seconds)]);
      }
      if (answer.etag) headers.push(['ETag', answer.etag]);
      return {
        body: freshness ? { ...body, freshness: { ...body.freshness, ...freshness } } : body,
        etag: answer.etag,
        status: answer.body ? 200 : 304,
        tookMs,
        headers,
        receivedAtMs: Date.now(),
      };
    },
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS / 2,
    structuralSharing: false,
  });

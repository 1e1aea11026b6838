import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { Alert, AlertDetail, AlertHistory, AlertList, AlertStats } from '@nwms/contract';
import type { Api } from '../../api/call.ts';
import { REFRESH_SECONDS } from '../../api/query-client.ts';
import type { AlertBook } from './alert-book.ts';
import { type AlertSync, KEYS } from './alert-sync.ts';
import { loadList, loadStats } from './load-alerts.ts';
import { type ShapeBook, shapesOf } from './shape-book.ts';

/** The book is written by the sync alone, never fetched. */
export const bookQuery = queryOptions<AlertBook>({ queryKey: KEYS.book, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });

/** `everySeconds` null: only when asked, and after a failure. */
export const refreshQuery = (sync: AlertSync, everySeconds: number | null) =>
  queryOptions<number>({
    queryKey: KEYS.refresh,
    queryFn: ({ signal }) => sync.refresh(signal),
    // After a failure sooner, so that a server that has just started is found.
    refetchInterval: (query) =>
      query.state.status === 'error' ? REFRESH_SECONDS.afterFailure * 1000 : everySeconds === null ? false : everySeconds * 1000,
    refetchOnWindowFocus: everySeconds === null ? false : 'always',
    refetchOnReconnect: 'always',
  });

/** Start of the last 24 hours, on the hour, so that the address and its validator live for an hour. */
export const dayBackIso = (nowMs: number): string => {
  const hourMs = 3_600_000;
  return new Date(Math.floor(nowMs / hourMs) * hourMs - 24 * hourMs).toISOString().replace('.000Z', 'Z');
};

export const statsQuery = (api: Api, fromIso: string) =>
  queryOptions<AlertStats>({
    queryKey: [...KEYS.stats, fromIso],
    queryFn: ({ signal }) => loadStats(api, fromIso, signal),
    refetchInterval: REFRESH_SECONDS.stats * 1000,
    placeholderData: keepPreviousData,
  });

/** Everything of the last 24 hours that is over; what is active comes from the book. */
export const recentQuery = (api: Api, fromIso: string, wanted: boolean) =>
  queryOptions({
    queryKey: ['alerts', 'recent', fromIso],
    queryFn: wanted
      ? async ({ signal }: { signal: AbortSignal }) =>
          (await loadList(api, { detail: 'slim', active_only: false, from: fromIso }, null, signal)).list?.alerts ?? []
      : skipToken,
    refetchInterval: REFRESH_SECONDS.alerts * 1000,
    placeholderData: keepPreviousData,
  });

/** Events whose texts match, of those active or, with `fromIso`, in force since then; the page itself holds no descriptions. */
export const foundQuery = (api: Api, q: string, fromIso: string | null) =>
  queryOptions({
    queryKey: ['alerts', 'found', q, fromIso],
    queryFn:
      q.trim().length >= 2
        ? async ({ signal }: { signal: AbortSignal }) => {
            const scope = fromIso === null ? { active_only: true } : { active_only: false, from: fromIso };
            const answer = await api.get<AlertList>('/alerts', { query: { q, detail: 'slim', ...scope }, signal });
            return new Set((answer.body?.alerts ?? []).map((alert) => alert.event_id)) as ReadonlySet<string>;
          }
        : skipToken,
    staleTime: 30_000,
  });

export const detailQuery = (api: Api, id: string | undefined) =>
  queryOptions<AlertDetail>({
    queryKey: ['alerts', 'detail', id],
    queryFn: id
      ? async ({ signal }) => {
          const answer = await api.get<AlertDetail>(`/alerts/${encodeURIComponent(id)}`, { signal });
          if (answer.body === null) throw new Error('no alert in the answer');
          return answer.body;
        }
      : skipToken,
    staleTime: 30_000,
  });

/** Its key is below the alert's own, so that a change of the alert renews it. */
export const historyQuery = (api: Api, eventId: string) =>
  queryOptions<AlertHistory>({
    queryKey: ['alerts', 'detail', eventId, 'history'],
    queryFn: async ({ signal }) => {
      const answer = await api.get<AlertHistory>(`/alerts/${encodeURIComponent(eventId)}/history`, { signal });
      if (answer.body === null) throw new Error('no history in the answer');
      return answer.body;
    },
    staleTime: 30_000,
  });

/** What is over of the last 24 hours with its shapes, for the map's "All Alerts". */
export const recentShapesQuery = (api: Api, fromIso: string, wanted: boolean) =>
  queryOptions<{ alerts: readonly Alert[]; shapes: ShapeBook }>({
    queryKey: ['alerts', 'recent-shapes', fromIso],
    queryFn: wanted
      ? async ({ signal }: { signal: AbortSignal }) => {
          const { list } = await loadList(api, { detail: 'full', active_only: false, from: fromIso }, null, signal);
          const alerts = ((list?.alerts ?? []) as readonly Alert[]).filter((alert) => !alert.is_active);
          return { alerts, shapes: shapesOf(alerts) };
        }
      : skipToken,
    refetchInterval: REFRESH_SECONDS.alerts * 1000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });

/** All shapes at once, for the map; entries keep them up. `wanted` false where the map draws tiles of the server instead. */
export const shapesQuery = (api: Api, wanted = true) =>
  queryOptions<ShapeBook>({
    queryKey: KEYS.shapes,
    queryFn: wanted
      ? async ({ signal }: { signal: AbortSignal }) => {
          const { list } = await loadList(api, { detail: 'full', active_only: true }, null, signal);
          return shapesOf((list?.alerts ?? []) as readonly Alert[]);
        }
      : skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { breakingQuery } from '../../api/breaking-list.ts';
import { ApiError } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { readLastKnown } from '../../lib/last-known.ts';
import { useNow } from '../../lib/use-now.ts';
import { keptAnswer } from './kept-answer.ts';
import { type TickerAnswer, type TickerView, viewTicker } from './ticker-view.ts';

/** One failed repeat is a hiccup; from the second on the bar says so, without waiting for the last try. */
const HICCUPS = 1;

/** What the bar shows this second, and how to ask again. */
export function useTickerList(): { view: TickerView; nowMs: number; busy: boolean; refresh: () => void } {
  const services = useServices();
  const queries = useQueryClient();
  const query = useQuery(breakingQuery(services));
  const now = useNow(1);
  const answered = query.data !== undefined;
  useEffect(() => {
    if (!answered) return undefined;
    let stop: (() => void) | null = null;
    let isGone = false;
    const follow = async () => {
      const { followLive } = await import('./follow-live.ts');
      if (isGone) return;
      stop = followLive({
        live: services.live,
        api: services.api,
        refresh: () => void queries.invalidateQueries({ queryKey: ['ticker'] }),
        random: services.random,
      });
    };
    // It waits three seconds by itself: it need not be there for the first paint. Without it the five-minute refetch goes on.
    follow().catch(() => {});
    return () => {
      isGone = true;
      stop?.();
    };
  }, [answered, services, queries]);

  const failed = query.isError || query.failureCount > HICCUPS;
  // Without any answer the first tries count as loading; with one, its age is shown as soon as it cannot be renewed.
  const failure = failed && (query.isError || answered) ? failureWord(query.failureReason ?? query.error) : null;
  const kept = useKept(failure !== null && !answered);
  const answer = query.data ? { list: query.data, receivedAtMs: query.dataUpdatedAt } : kept;
  const view = viewTicker({ answer, failure }, Math.max(now, query.dataUpdatedAt));
  const ranOut = view.kind === 'stale' && view.items.length === 0 && (query.data?.breaking_alerts.length ?? 0) > 0;
  useEffect(() => {
    // Everything shown has run out by its own clock: whether something follows is worth asking at once.
    if (ranOut) void queries.invalidateQueries({ queryKey: ['ticker'] });
  }, [ranOut, queries]);
  return { view, nowMs: now, busy: query.isFetching, refresh: () => void query.refetch() };
}

/** What this device knew before, once it is needed: after a start without an answer. */
function useKept(wanted: boolean): TickerAnswer | undefined {
  const [kept, setKept] = useState<TickerAnswer>();
  useEffect(() => {
    if (!wanted) return undefined;
    let isGone = false;
    void readLastKnown(globalThis.caches).then((known) => known && !isGone && setKept(keptAnswer(known)));
    return () => {
      isGone = true;
    };
  }, [wanted]);
  return wanted ? kept : undefined;
}

/** TICK-05: `HTTP {status}`; without an answer the kind of failure. */
function failureWord(error: unknown): string {
  if (error instanceof ApiError) return error.status > 0 ? `HTTP ${error.status}` : error.message;
  return 'The answer was not understood.';
}

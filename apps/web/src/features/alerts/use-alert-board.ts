import { useQuery } from '@tanstack/react-query';
import type { AlertStats, SlimAlert } from '@nwms/contract';
import { useCallback, useMemo } from 'react';
import { REFRESH_SECONDS } from '../../api/query-client.ts';
import { useServices } from '../../api/services.ts';
import { useNow } from '../../lib/use-now.ts';
import type { AlertBook, BoardRow } from './alert-book.ts';
import { useAlertSync } from './alert-sync-context.ts';
import { type AlertCounts, countAlerts } from './count-alerts.ts';
import { alertMatcher } from './filter-alerts.ts';
import { orderRows } from './order-alerts.ts';
import { bookQuery, dayBackIso, foundQuery, recentQuery, refreshQuery, statsQuery } from './queries.ts';
import type { AlertsSearch } from './search-params.ts';

export interface AlertBoard {
  /** Undefined until a first answer came: nothing can be said. */
  book: AlertBook | undefined;
  /** Filtered and ordered. */
  rows: readonly BoardRow[];
  /** Rows of the chosen scope, before filters. */
  scopeTotal: number;
  counts: AlertCounts;
  stats: AlertStats | undefined;
  refreshing: boolean;
  error: Error | null;
  refresh: () => void;
}

const NO_ROWS: readonly SlimAlert[] = [];

/** Everything the alerts screen shows, from the one book. The same object as long as nothing in it changes. */
export function useAlertBoard(search: AlertsSearch, automatic: boolean): AlertBoard {
  const { api } = useServices();
  const sync = useAlertSync();
  const from = dayBackIso(useNow(60));
  const book = useQuery(bookQuery).data;
  const refresh = useQuery(refreshQuery(sync, automatic ? REFRESH_SECONDS.alerts : null));
  const stats = useQuery(statsQuery(api, from)).data;
  const recent = useQuery(recentQuery(api, from, search.scope === 'all')).data ?? NO_ROWS;
  const found = useQuery(foundQuery(api, search.q ?? '', search.scope === 'all' ? from : null)).data ?? null;
  const { severity = null, event = null, q = '', order = 'rank', scope } = search;

  const inScope = useMemo(() => scopeRows(book, scope === 'all' ? recent : NO_ROWS), [book, recent, scope]);
  const rows = useMemo(() => {
    const matches = alertMatcher({ severity, event, q }, found);
    return orderRows(
      inScope.filter((row) => matches(row.alert)),
      order,
    );
  }, [inScope, severity, event, q, order, found]);
  const counts = useMemo(() => countAlerts([...(book?.rows.values() ?? [])].map((row) => row.alert)), [book]);
  const { isFetching: refreshing, error, refetch } = refresh;
  const ask = useCallback(() => void refetch(), [refetch]);
  return useMemo(
    () => ({ book, rows, scopeTotal: inScope.length, counts, stats, refreshing, error, refresh: ask }),
    [book, rows, inScope.length, counts, stats, refreshing, error, ask],
  );
}

/** The book, and of the last day what the book does not hold. What the book says of an event wins: it is live. */
function scopeRows(book: AlertBook | undefined, recent: readonly SlimAlert[]): BoardRow[] {
  if (!book) return [];
  const rows = [...book.rows.values()];
  for (const alert of recent) {
    if (!alert.is_active && !book.rows.has(alert.event_id)) rows.push({ alert, seq: 0, arrivedAtMs: null, endedAtMs: null });
  }
  return rows;
}

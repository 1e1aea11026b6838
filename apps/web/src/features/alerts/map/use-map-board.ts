import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useServices } from '../../../api/services.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { AlertBook, BoardRow } from '../alert-book.ts';
import { useAlertSync } from '../alert-sync-context.ts';
import { type AlertCounts, countAlerts } from '../count-alerts.ts';
import { bookQuery, dayBackIso, foundQuery, recentShapesQuery, refreshQuery, shapesQuery } from '../queries.ts';
import type { ShapeBook } from '../shape-book.ts';
import type { MapSearch } from './map-search.ts';
import { type MapSelection, selectForMap } from './select-for-map.ts';
import { useRefreshOutdated } from './use-refresh-outdated.ts';

/** With more active alerts than this the map draws vector tiles: shapes of a few hundred weigh about 5 MB, the tiles of one view 100 kB. */
export const TILES_ABOVE = 1_000;

export interface MapBoard extends MapSelection {
  /** Undefined until a first answer came: nothing can be said. */
  book: AlertBook | undefined;
  /** Of everything active, before filters. */
  counts: AlertCounts;
  /** Rows of the scope before filters. */
  scopeTotal: number;
  shapes: { book: ShapeBook | undefined; loading: boolean; failed: boolean; retry: () => void };
  /** The map draws vector tiles instead of shapes. */
  tiled: boolean;
  refreshing: boolean;
  error: Error | null;
  refresh: () => void;
}

/** Everything the map screen shows: the one book of alerts, narrowed by the address. The same object as long as nothing in it changes. */
export function useMapBoard(search: MapSearch, everySeconds: number | null): MapBoard {
  const { api } = useServices();
  const from = dayBackIso(useNow(60));
  const all = search.scope === 'all';
  const book = useQuery(bookQuery).data;
  const refresh = useQuery(refreshQuery(useAlertSync(), everySeconds));
  const recent = useQuery(recentShapesQuery(api, from, all)).data;
  const found = useQuery(foundQuery(api, search.q ?? '', all ? from : null)).data ?? null;
  const counts = useMemo(() => countAlerts([...(book?.rows.values() ?? [])].map((row) => row.alert)), [book]);
  const tiled = counts.active > TILES_ABOVE;
  const active = useQuery(shapesQuery(api, !tiled));
  const inScope = useMemo(() => {
    if (!book) return [];
    const rows: BoardRow[] = [...book.rows.values()];
    for (const alert of all ? (recent?.alerts ?? []) : []) {
      if (!book.rows.has(alert.event_id)) rows.push({ alert, seq: 0, arrivedAtMs: null, endedAtMs: null });
    }
    return rows;
  }, [book, recent, all]);
  const { on, event, q, scope, polygon, limit } = search;
  // Not with every alert that is chosen and every move of the map.
  const selection = useMemo(
    () => selectForMap(inScope, { on, event, q, scope, polygon, limit }, found),
    [inScope, on, event, q, scope, polygon, limit, found],
  );
  const activeRows = useMemo(() => inScope.filter(({ alert }) => alert.is_active).map(({ alert }) => alert), [inScope]);
  useRefreshOutdated(tiled ? NONE : activeRows, active);
  const shapes = useMemo(
    () => (all && recent && active.data ? new Map([...recent.shapes, ...active.data]) : active.data),
    [all, recent, active.data],
  );
  const { isFetching: refreshing, error, refetch } = refresh;
  const ask = useCallback(() => void refetch(), [refetch]);
  const { isPending, isError, refetch: askForShapes } = active;
  const drawn = useMemo(
    () => ({ book: shapes, loading: isPending && !tiled, failed: isError, retry: () => void askForShapes() }),
    [shapes, isPending, tiled, isError, askForShapes],
  );
  const scopeTotal = inScope.length;
  return useMemo(
    () => ({ ...selection, book, counts, scopeTotal, shapes: drawn, tiled, refreshing, error, refresh: ask }),
    [selection, book, counts, scopeTotal, drawn, tiled, refreshing, error, ask],
  );
}

const NONE: [] = [];

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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

/** Everything the map screen shows: the one book of alerts, narrowed by the address. */
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
  const selection = useMemo(() => selectForMap(inScope, search, found), [inScope, search, found]);
  const activeRows = useMemo(() => inScope.filter(({ alert }) => alert.is_active).map(({ alert }) => alert), [inScope]);
  useRefreshOutdated(tiled ? NONE : activeRows, active);
  const shapes = useMemo(
    () => (all && recent && active.data ? new Map([...recent.shapes, ...active.data]) : active.data),
    [all, recent, active.data],
  );
  return {
    ...selection,
    book,
    counts,
    scopeTotal: inScope.length,
    shapes: { book: shapes, loading: active.isPending && !tiled, failed: active.isError, retry: () => void active.refetch() },
    tiled,
    refreshing: refresh.isFetching,
    error: refresh.error,
    refresh: () => void refresh.refetch(),
  };
}

const NONE: [] = [];

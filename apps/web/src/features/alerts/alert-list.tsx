import { memo, useCallback, useMemo } from 'react';
import { useFreshnessLevel } from '../../api/use-freshness.ts';
import { AlertTable } from './alert-table.tsx';
import { EmptyNotice, emptyKind } from './empty-notice.tsx';
import type { Order } from './order-alerts.ts';
import { Pager } from './pager.tsx';
import { type AlertsSearch, CLEARED, isSameList, type PageSize } from './search-params.ts';
import { TableSkeleton } from './table-skeleton.tsx';
import type { AlertBoard } from './use-alert-board.ts';
import type { ChangeAlerts } from './use-alerts-search.ts';

export interface AlertListProps {
  board: AlertBoard;
  /** What is asked for: the controls show it. */
  search: AlertsSearch;
  /** What the board was made for: the rows follow it. */
  shown: AlertsSearch;
  change: ChangeAlerts;
  /** A row was pressed. */
  open: (eventId: string) => void;
  dimmed: boolean;
}

/** The rows of the current page, or what stands in their place, and the pager. Rows of before stay until the ones asked for are there. */
export const AlertList = memo(function AlertList({ board, search, shown, change, open, dimmed }: AlertListProps) {
  const { level } = useFreshnessLevel();
  const size = shown.size ?? 10;
  const pages = size === 0 ? 1 : Math.max(1, Math.ceil(board.rows.length / size));
  const page = Math.min(shown.page ?? 1, pages);
  const first = (page - 1) * size;
  const rows = useMemo(() => (size === 0 ? board.rows : board.rows.slice(first, first + size)), [board.rows, first, size]);
  const onOrder = useCallback((order: Order) => change({ order: order === 'rank' ? undefined : order }), [change]);
  const onPage = useCallback((next: number) => change({ page: next === 1 ? undefined : next }), [change]);
  const onSize = useCallback((next: PageSize) => change({ size: next === 10 ? undefined : next, page: undefined }), [change]);
  if (!board.book && !board.error) return <TableSkeleton rows={size} />;
  const following = !isSameList(search, shown);
  return (
    <div aria-busy={following} className={following ? 'following' : ''}>
      <AlertTable
        key={`${page} ${size}`}
        rows={rows}
        firstIndex={first}
        totalRows={board.rows.length}
        selectedId={shown.alert}
        onSelect={open}
        order={search.order ?? 'rank'}
        onOrder={onOrder}
        dimmed={dimmed}
        empty={
          // What was empty for other filters says nothing of these.
          following ? (
            <p className="appearing px-4 py-16 text-center text-muted">Filtering …</p>
          ) : (
            <EmptyNotice
              kind={emptyKind({ loaded: board.book !== undefined, level, scopeTotal: board.scopeTotal })}
              error={board.error}
              retry={board.refresh}
              clear={() => change(CLEARED)}
            />
          )
        }
      />
      {board.rows.length > 0 ? (
        <Pager
          page={Math.min(search.page ?? 1, pages)}
          pages={pages}
          size={search.size ?? 10}
          shown={rows.length}
          filtered={board.rows.length}
          total={board.scopeTotal}
          onPage={onPage}
          onSize={onSize}
        />
      ) : null}
    </div>
  );
});

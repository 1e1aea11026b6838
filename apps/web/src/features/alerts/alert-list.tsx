import { useFreshnessLevel } from '../../api/use-freshness.ts';
import { AlertTable } from './alert-table.tsx';
import { EmptyNotice, emptyKind } from './empty-notice.tsx';
import { Pager } from './pager.tsx';
import { type AlertsSearch, CLEARED } from './search-params.ts';
import { TableSkeleton } from './table-skeleton.tsx';
import type { AlertBoard } from './use-alert-board.ts';

/** The rows of the current page, or what stands in their place, and the pager. */
export function AlertList(props: {
  board: AlertBoard;
  search: AlertsSearch;
  change: (change: Partial<AlertsSearch>) => void;
  /** A row was pressed. */
  open: (eventId: string) => void;
  dimmed: boolean;
}) {
  const { board, search, change } = props;
  const { level } = useFreshnessLevel();
  if (!board.book && !board.error) return <TableSkeleton rows={search.size ?? 10} />;
  const size = search.size ?? 10;
  const pages = size === 0 ? 1 : Math.max(1, Math.ceil(board.rows.length / size));
  const page = Math.min(search.page ?? 1, pages);
  const first = (page - 1) * size;
  const rows = size === 0 ? board.rows : board.rows.slice(first, first + size);
  return (
    <>
      <AlertTable
        key={`${page} ${size}`}
        rows={rows}
        firstIndex={first}
        totalRows={board.rows.length}
        selectedId={search.alert}
        onSelect={props.open}
        order={search.order ?? 'rank'}
        onOrder={(order) => change({ order: order === 'rank' ? undefined : order })}
        dimmed={props.dimmed}
        empty={
          <EmptyNotice
            kind={emptyKind({ loaded: board.book !== undefined, level, scopeTotal: board.scopeTotal })}
            error={board.error}
            retry={board.refresh}
            clear={() => change(CLEARED)}
          />
        }
      />
      {board.rows.length > 0 ? (
        <Pager
          {...{ page, pages, size }}
          shown={rows.length}
          filtered={board.rows.length}
          total={board.scopeTotal}
          onPage={(next) => change({ page: next === 1 ? undefined : next })}
          onSize={(next) => change({ size: next === 10 ? undefined : next, page: undefined })}
        />
      ) : null}
    </>
  );
}

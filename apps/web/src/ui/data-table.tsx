import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Also the name that `onSort` gets. */
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /** Numbers stand at the right end, in even digits. */
  numeric?: boolean;
  /** Any CSS width; columns keep it while rows change. */
  width?: string;
  /** Not shown on phones. */
  wideOnly?: boolean;
}

export interface Sort {
  id: string;
  descending: boolean;
}

export interface DataTableProps<Row> {
  /** What the table lists; its name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  /** A press on a row or Enter on it does this; controls inside of the row keep their own. */
  onOpen?: (row: Row) => void;
  /** In place of rows when there are none. */
  empty: ReactNode;
  /** Skeleton rows while nothing was loaded yet. */
  loading?: boolean;
  /** Rows of before, while others are being loaded. */
  dimmed?: boolean;
  /** Below its row. */
  expanded?: (row: Row) => ReactNode;
}

const SKELETON_ROWS = 8;

/** A real table in a frame of its own that scrolls sideways when it must; its head stays in view. The server sorts and pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, onOpen, expanded, loading = false, dimmed = false } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className="relative max-h-[75dvh] overflow-auto" tabIndex={0} aria-label={label} aria-busy={loading || dimmed}>
      <table className="w-full border-collapse text-left text-sm">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={props.sort ?? null} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody className={dimmed ? 'opacity-60 transition-opacity' : ''}>
          {loading
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- rows that are all alike and never move
                <tr key={index} aria-hidden="true" className="border-t border-line">
                  {columns.map((column) => (
                    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- hidden: a place for what is coming
                    <td key={column.id} className={cellLook(column)}>
                      <div className="skeleton h-5 max-w-40" />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => {
                const more = expanded?.(row);
                return [
                  <tr
                    key={rowId(row)}
                    className={`border-t border-line -outline-offset-2 ${onOpen ? 'cursor-pointer hover:bg-hover' : ''}`}
                    {...(onOpen ? opening(() => onOpen(row)) : {})}
                  >
                    {columns.map((column) => (
                      <td key={column.id} className={cellLook(column)}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>,
                  more ? (
                    <tr key={`${rowId(row)} more`} className="bg-hover">
                      <td colSpan={columns.length} className="px-4 py-3">
                        {more}
                      </td>
                    </tr>
                  ) : null,
                ];
              })}
        </tbody>
      </table>
      {!loading && rows.length === 0 ? props.empty : null}
    </section>
  );
}

const cellLook = <Row,>({ numeric, wideOnly }: Column<Row>): string =>
  `px-4 py-2.5 align-middle max-sm:px-2.5 max-sm:first:pl-4 max-sm:last:pr-4 ${numeric ? 'tnum text-right' : ''} ${wideOnly ? 'max-sm:hidden' : ''}`;

const CONTROLS = 'a, button, input, select, textarea, label, [role=menuitem]';

/** A row that opens: by a press anywhere but on a control of its own, and by Enter while it has the focus itself. */
const opening = (open: () => void) => ({
  tabIndex: 0,
  onClick: (event: React.MouseEvent) => {
    const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    if (!control && !window.getSelection()?.toString()) open();
  },
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open();
  },
});

function Head<Row>({ column, sort, onSort }: { column: Column<Row>; sort: Sort | null; onSort: ((sort: Sort) => void) | undefined }) {
  const on = sort?.id === column.id;
  const look = `border-b border-line px-4 py-2.5 text-[13px] max-sm:px-2.5 max-sm:first:pl-4 max-sm:last:pr-4 font-medium whitespace-nowrap text-muted ${column.numeric ? 'text-right' : ''} ${column.wideOnly ? 'max-sm:hidden' : ''}`;
  const width = column.width === undefined ? {} : { style: { width: column.width } };
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={look} {...width}>
        {column.header}
      </th>
    );
  }
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" className={look} aria-sort={on ? (sort.descending ? 'descending' : 'ascending') : 'none'} {...width}>
      <button
        type="button"
        className={`-mx-1.5 inline-flex items-center gap-1 rounded px-1.5 py-1 hover:text-text pointer-coarse:min-h-11 ${on ? 'font-semibold text-text' : ''}`}
        onClick={() => onSort({ id: column.id, descending: on ? !sort.descending : false })}
      >
        {column.header}
        <Arrow size={13} aria-hidden="true" className={on ? '' : 'invisible'} />
      </button>
    </th>
  );
}

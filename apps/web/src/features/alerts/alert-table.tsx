/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a real table can neither leave rows out nor become cards on a phone and stay a table */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type AlertColumn, COLUMNS, GRID } from './alert-columns.tsx';
import type { BoardRow } from './alert-book.ts';
import { isReversed, nextOrder, type Order, plainOrder } from './order-alerts.ts';

/** Above this many rows only those in view are in the document. */
const VIRTUAL_ABOVE = 100;
const ROW_HEIGHT_PX = 55;
export interface AlertTableProps {
  rows: readonly BoardRow[];
  /** Number of the first row here within all filtered rows, from 0, and how many there are. */
  firstIndex: number;
  totalRows: number;
  selectedId: string | undefined;
  /** A row was pressed, or Enter on it. */
  onSelect: (eventId: string) => void;
  order: Order;
  onOrder: (order: Order) => void;
  dimmed: boolean;
  /** In place of rows, when there is none. */
  empty: ReactNode;
}

export function AlertTable(props: AlertTableProps) {
  const { rows, selectedId, onSelect } = props;
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [focusIndex, setFocusIndex] = useState(0);
  const virtual = rows.length > VIRTUAL_ABOVE;
  useLayoutEffect(() => {
    if (virtual && body.current) setMargin(body.current.getBoundingClientRect().top + window.scrollY);
  }, [virtual]);
  // oxlint-disable-next-line react/incompatible-library -- this component is not compiled
  const virtualizer = useWindowVirtualizer({
    count: virtual ? rows.length : 0,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    scrollMargin: margin,
    scrollPaddingStart: 110,
    getItemKey: (index) => rows[index]?.alert.event_id ?? index,
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = Math.min(focusIndex, rows.length - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (to === undefined) {
      const row = rows[at];
      if ((event.key === 'Enter' || event.key === ' ') && row && event.target instanceof Element && event.target.role === 'row') {
        event.preventDefault();
        onSelect(row.alert.event_id);
      }
      return;
    }
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setFocusIndex(next);
    if (virtual) virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };

  const line = (index: number) => {
    const row = rows[index];
    if (!row) return null;
    return (
      <Row
        key={row.alert.event_id}
        row={row}
        index={index}
        ariaIndex={props.firstIndex + index + 2}
        selected={row.alert.event_id === selectedId}
        focusable={index === Math.min(focusIndex, rows.length - 1)}
        onSelect={onSelect}
        onFocus={setFocusIndex}
      />
    );
  };
  const items = virtualizer.getVirtualItems();
  const before = virtual ? (items[0]?.start ?? margin) - margin : 0;
  const after = virtual ? virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin) : 0;

  return (
    <div
      role="grid"
      aria-label="Weather alerts"
      aria-rowcount={props.totalRows + 1}
      aria-readonly="true"
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      <div role="rowgroup" className="sticky top-(--bar-height) z-10 rounded-t-[11px] border-b border-line bg-surface max-sm:hidden">
        <div role="row" aria-rowindex={1} className={`${GRID} h-11 content-center text-[13px] leading-[18px] font-medium text-muted`}>
          {COLUMNS.map((column) => (
            <Head key={column.id} column={column} order={props.order} onOrder={props.onOrder} />
          ))}
        </div>
      </div>
      <div ref={body} role="rowgroup" className={props.dimmed ? 'opacity-90 grayscale' : ''}>
        {before > 0 ? <div style={{ height: before }} /> : null}
        {virtual ? items.map((item) => line(item.index)) : rows.map((_, index) => line(index))}
        {after > 0 ? <div style={{ height: after }} /> : null}
      </div>
      {rows.length === 0 ? props.empty : null}
    </div>
  );
}

function Head({ column, order, onOrder }: { column: AlertColumn; order: Order; onOrder: (order: Order) => void }) {
  const { order: own, look, header } = column;
  if (own === null) {
    return (
      <div role="columnheader" className={look}>
        {header}
      </div>
    );
  }
  const on = plainOrder(order) === own;
  const reversed = on && isReversed(order);
  return (
    <div role="columnheader" aria-sort={on ? (reversed ? 'descending' : 'ascending') : 'none'} className={look}>
      <button
        type="button"
        className={`-mx-1.5 inline-flex items-center gap-1 rounded px-1.5 hover:text-text ${on ? 'font-semibold text-text' : ''}`}
        onClick={() => onOrder(nextOrder(own, order))}
      >
        {header}
        {on ? reversed ? <ArrowUp size={13} aria-hidden="true" /> : <ArrowDown size={13} aria-hidden="true" /> : null}
      </button>
    </div>
  );
}

interface RowProps {
  row: BoardRow;
  index: number;
  ariaIndex: number;
  selected: boolean;
  focusable: boolean;
  onSelect: (eventId: string) => void;
  onFocus: (index: number) => void;
}

/** Rendered when its own data changes, not with every change of any row. */
const Row = memo(function Row({ row, index, ariaIndex, selected, focusable, onSelect, onFocus }: RowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid around it handles the keys of all rows
    <div
      role="row"
      data-index={index}
      aria-rowindex={ariaIndex}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      className={`${GRID} min-h-[55px] cursor-pointer border-b border-line py-1.5 -outline-offset-2 last:border-b-0 ${
        selected ? 'bg-accent-bg' : 'hover:bg-hover'
      } ${row.arrivedAtMs !== null ? 'arriving' : ''}`}
      onClick={() => onSelect(row.alert.event_id)}
      onFocus={() => onFocus(index)}
    >
      {COLUMNS.map(({ id, look, cell }) => (
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its content is its label
        <div key={id} role="gridcell" className={`min-w-0 ${look}`}>
          {cell(row.alert)}
        </div>
      ))}
    </div>
  );
});

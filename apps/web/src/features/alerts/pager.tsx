import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useCallback } from 'react';
import { Select } from '../../ui/select.tsx';
import { PAGE_SIZES, type PageSize } from './search-params.ts';

/** Up to five page numbers around the current one. */
export function pageWindow(page: number, pages: number): number[] {
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  return Array.from({ length: Math.min(5, pages) }, (_, index) => first + index);
}

const SIZES = [...PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` })), { value: '0', label: 'All rows' }];

export const Pager = memo(function Pager(props: {
  page: number;
  pages: number;
  size: PageSize;
  shown: number;
  filtered: number;
  total: number;
  onPage: (page: number) => void;
  onSize: (size: PageSize) => void;
}) {
  const { page, pages, onPage, onSize } = props;
  const choose = useCallback((value: string) => onSize(Number(value) as PageSize), [onSize]);
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5">
      <p className="tnum text-[13px] text-muted">
        Showing {props.shown.toLocaleString('en-US')} of {props.filtered.toLocaleString('en-US')} filtered alerts (
        {props.total.toLocaleString('en-US')} total)
      </p>
      <div className="flex flex-wrap items-center gap-1">
        <Select label="Rows per page" value={String(props.size)} onChange={choose} options={SIZES} />
        {pages > 1 ? (
          <>
            <Step label="First page" disabled={page <= 1} onClick={() => onPage(1)}>
              <ChevronFirst size={16} aria-hidden="true" />
            </Step>
            <Step label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <ChevronLeft size={16} aria-hidden="true" />
            </Step>
            {pageWindow(page, pages).map((number) => (
              <Step key={number} label={`Page ${number}`} current={number === page} onClick={() => onPage(number)}>
                {number}
              </Step>
            ))}
            <Step label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
              <ChevronRight size={16} aria-hidden="true" />
            </Step>
            <Step label="Last page" disabled={page >= pages} onClick={() => onPage(pages)}>
              <ChevronLast size={16} aria-hidden="true" />
            </Step>
          </>
        ) : null}
      </div>
    </nav>
  );
});

function Step(props: { label: string; current?: boolean; disabled?: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      aria-current={props.current ? 'page' : undefined}
      disabled={props.disabled}
      onClick={props.onClick}
      className={`target tnum inline-flex min-w-9 items-center justify-center rounded-lg text-sm disabled:opacity-35 ${
        props.current ? 'bg-accent-bg font-semibold text-accent' : 'text-muted enabled:hover:bg-hover enabled:hover:text-text'
      }`}
    >
      {props.children}
    </button>
  );
}

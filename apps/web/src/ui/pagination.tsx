import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.tsx';

export interface PaginationProps {
  /** From 1. */
  page: number;
  pageSize: number;
  /** Rows of all pages, as the server counts them. */
  total: number;
  onPage: (page: number) => void;
  busy?: boolean;
}

/** 'Showing x to y of z results', Previous, Next, 'Page n of m'; nothing when there is one page. */
export function Pagination({ page, pageSize, total, onPage, busy = false }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-sm">
      <p className="tnum text-muted" aria-live="polite">
        Showing {first} to {last} of {total} results
      </p>
      <div className="flex items-center gap-2">
        <Button disabled={busy || page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft size={16} aria-hidden="true" /> Previous
        </Button>
        <span className="tnum px-1 whitespace-nowrap">
          Page {page} of {pages}
        </span>
        <Button disabled={busy || page >= pages} onClick={() => onPage(page + 1)}>
          Next <ChevronRight size={16} aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { pageWords } from './users-search.ts';

/** USER-04. With a single page only the count is told. */
export function UsersPager(props: {
  page: number;
  rows: number;
  total: number;
  waiting: boolean;
  onPage: (page: number | undefined) => void;
}) {
  const { page, total } = props;
  const words = pageWords(page, props.rows, total);
  const count = `${total.toLocaleString('en-US')} ${total === 1 ? 'user' : 'users'}`;
  const go = (to: number) => props.onPage(to <= 1 ? undefined : to);
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5">
      <output className="tnum text-[13px] text-muted">
        {props.waiting ? 'Searching all users …' : (words?.showing ?? count)}
        {words?.beyond ? '. The list pages no further than 10,025 users; search or filter to find others.' : ''}
      </output>
      {words ? (
        <div className="flex items-center gap-2">
          <Button onClick={() => go(Math.min(page - 1, words.pages))} disabled={page <= 1}>
            <ChevronLeft size={16} aria-hidden="true" /> Previous
          </Button>
          <span className="tnum px-1 text-[13px] text-muted">{words.page}</span>
          <Button onClick={() => go(page + 1)} disabled={page >= words.pages}>
            Next <ChevronRight size={16} aria-hidden="true" />
          </Button>
        </div>
      ) : null}
    </nav>
  );
}

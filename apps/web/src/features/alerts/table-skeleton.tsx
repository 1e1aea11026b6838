import { COLUMNS, GRID } from './alert-columns.tsx';

/** What will stand in each column, by its id. */
const SHAPE: Record<string, string> = {
  event: 'h-4 w-3/4',
  severity: 'h-6 w-20',
  area: 'h-4 w-11/12',
  headline: 'h-4 w-full',
  status: 'h-5 w-14',
  time: 'h-3 w-32 max-w-full',
};

/** The table's shape before its first rows: nothing moves when they come. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <output aria-busy="true" aria-label="Loading alerts" className="block">
      <div className="h-11 border-b border-line max-sm:hidden" />
      {Array.from({ length: Math.min(rows === 0 ? 20 : rows, 20) }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines that are all alike and never move
        <div key={index} className={`${GRID} min-h-[55px] border-b border-line py-1.5 last:border-b-0 max-sm:min-h-[122px]`}>
          {COLUMNS.map(({ id, look }) => (
            <div key={id} className={`min-w-0 ${look}`}>
              <div className={`skeleton ${SHAPE[id] ?? ''}`} />
            </div>
          ))}
        </div>
      ))}
    </output>
  );
}

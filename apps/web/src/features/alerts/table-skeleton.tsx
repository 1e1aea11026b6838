/** The table's shape before its first rows. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <output aria-busy="true" aria-label="Loading alerts" className="block">
      <div className="h-10 border-b border-line" />
      {Array.from({ length: Math.min(rows === 0 ? 20 : rows, 20) }, (_, index) => (
        <div key={index} className="flex h-[55px] items-center gap-6 border-b border-line px-4 last:border-b-0">
          <div className="skeleton h-6 w-20" />
          <div className="skeleton h-4 w-40 max-sm:hidden" />
          <div className="skeleton h-4 flex-1" />
          <div className="skeleton h-6 w-16" />
        </div>
      ))}
    </output>
  );
}

/** Use of one window: its words, its figures and a bar. */
export function Meter({ label, used, limit, resets }: { label: string; used: number; limit: number; resets?: string | undefined }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const tone = share >= 1 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent';
  const words = `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')}`;
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between gap-2 text-[13px]">
        <span className="text-muted">{label}</span>
        <span className="tnum font-medium">{words}</span>
      </div>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw the element each in their own way
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-skeleton"
      >
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${used > 0 ? Math.max(2, share * 100) : 0}%` }} />
      </div>
      {resets ? <p className="tnum pt-1 text-xs text-muted">{resets}</p> : null}
    </div>
  );
}

import { figureText } from '../../../ui/chart/chart-words.ts';
import { fillOf } from './monitoring-words.ts';

/** A figure on a scale: what fills the bar is said beside it. */
export function Meter({
  label,
  value,
  full,
  note,
  unit,
}: {
  label: string;
  value: number | null;
  full: number;
  note: string;
  unit?: string;
}) {
  return (
    <div className="py-2">
      <div className="tnum flex items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate text-muted" title={label}>
          {label}
        </span>
        <span className="font-semibold">{figureText(value, { digits: 1, ...(unit === undefined ? {} : { unit }) })}</span>
      </div>
      <div aria-hidden="true" className="mt-1 h-2 overflow-hidden rounded-full bg-skeleton">
        <div className="h-full rounded-full bg-(--series-1)" style={{ width: `${value === null ? 0 : fillOf(value, full)}%` }} />
      </div>
      <p className="tnum pt-0.5 text-[13px] text-muted">{note}</p>
    </div>
  );
}

import type { ReactNode } from 'react';

export interface StatCardProps {
  label: string;
  /** Null: not known. Shown as a dash, never as zero. */
  value: string | number | null;
  /** What it counts, its unit or its window. */
  note?: ReactNode;
  /** A tag beside the label: "Sample", "Demo data". */
  tag?: ReactNode;
  icon?: ReactNode;
  tone?: 'plain' | 'ok' | 'warn' | 'bad' | 'severe';
  loading?: boolean;
  /** Old figures: still shown, greyed. */
  dimmed?: boolean;
}

const TONE = { plain: '', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', severe: 'text-severe' } as const;
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** One figure that says what it is. Numbers get their separators here. */
export function StatCard({ label, value, note, tag, icon, tone = 'plain', loading = false, dimmed = false }: StatCardProps) {
  return (
    <div className="card flex min-w-0 flex-col gap-1 p-4">
      <div className="flex items-center justify-between gap-2">
        <p className="text-[13px] font-medium text-muted">{label}</p>
        {tag ?? (icon ? <span className="text-muted">{icon}</span> : null)}
      </div>
      {loading ? (
        <div aria-hidden="true" className="skeleton my-1.5 h-7 w-24" />
      ) : (
        <p className={`tnum text-xl leading-9 font-bold ${TONE[tone]} ${dimmed ? 'opacity-60' : ''}`}>
          {value === null ? (
            <>
              <span aria-hidden="true">—</span>
              <span className="sr-only">not known</span>
            </>
          ) : typeof value === 'number' ? (
            NUMBER.format(value)
          ) : (
            value
          )}
        </p>
      )}
      {note ? <div className="text-[13px] text-muted">{note}</div> : null}
    </div>
  );
}

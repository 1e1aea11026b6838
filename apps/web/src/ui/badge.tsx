import type { ReactNode } from 'react';

const TONE = {
  plain: 'border-line-strong text-muted',
  accent: 'border-transparent bg-accent-bg text-accent',
  ok: 'border-transparent bg-ok-bg text-ok',
  warn: 'border-transparent bg-warn-bg text-warn',
  bad: 'border-transparent bg-bad-bg text-bad',
  /** For "Sample" and "Demo data": figures that are none. */
  sample: 'border-dashed border-muted text-muted',
} as const;

export type BadgeTone = keyof typeof TONE;

/** A word about the thing beside it. Colour never says more than the word. */
export function Badge({ tone = 'plain', icon, children }: { tone?: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md border px-1.5 text-xs leading-5 font-semibold whitespace-nowrap ${TONE[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}

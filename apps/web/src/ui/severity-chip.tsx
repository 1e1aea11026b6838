import type { Severity } from '@nwms/domain/alert/vocabulary';
import { SeverityIcon } from './severity.tsx';

/** A severity that can be switched on and off, with how many there are of it. */
export function SeverityChip(props: { severity: Severity; on: boolean; count?: number | null; onSwitch: () => void }) {
  const { severity, on, count = null } = props;
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={props.onSwitch}
      className={`target inline-flex items-center gap-1.5 rounded-lg border px-2.5 text-sm font-medium ${
        on ? 'border-line-strong bg-surface' : 'border-dashed border-line-strong text-muted line-through decoration-1 hover:bg-hover'
      }`}
    >
      <SeverityIcon severity={severity} className={on ? '' : 'opacity-60 text-muted'} />
      {severity}
      {count === null ? null : (
        <span className="tnum min-w-[2ch] text-xs font-normal text-muted no-underline">{count.toLocaleString('en-US')}</span>
      )}
    </button>
  );
}

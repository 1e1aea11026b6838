import type { ReactNode } from 'react';

/** A few answers of which one holds, all in view: radio buttons, moved through with the arrow keys. */
export function Choices({ legend, columns = 2, children }: { legend: string; columns?: 2 | 3; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="pb-2 text-sm font-semibold">{legend}</legend>
      <div className={`grid gap-2 ${columns === 3 ? 'grid-cols-3' : 'grid-cols-2'}`}>{children}</div>
    </fieldset>
  );
}

/** One of the answers; `note` stands below its word. */
export function Choice(props: { name: string; checked: boolean; onChoose: () => void; label: string; note?: string; icon?: ReactNode }) {
  const { name, checked, onChoose, label, note, icon } = props;
  return (
    <label className="target flex cursor-pointer flex-col items-center justify-center rounded-lg border border-line-strong px-2 py-1.5 text-center text-sm font-medium hover:bg-hover has-checked:border-accent has-checked:bg-accent-bg has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input type="radio" name={name} className="sr-only" checked={checked} onChange={onChoose} />
      <span className="inline-flex items-center gap-1.5">
        {icon}
        {label}
      </span>
      {note ? <span className="text-xs font-normal">{note}</span> : null}
    </label>
  );
}

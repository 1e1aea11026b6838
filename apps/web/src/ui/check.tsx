import { Switch as Base } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';

interface CheckProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** One of several things that may be chosen together; takes effect with the form. */
export function Checkbox({ label, hint, checked, onChange, disabled = false }: CheckProps) {
  const id = useId();
  return (
    <div className="flex flex-col">
      <label className={`target flex items-center gap-2.5 text-sm ${disabled ? 'text-muted' : ''}`}>
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-(--accent)"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint ? (
        <p id={id} className="pl-6.5 text-[13px] text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** On or off, with its words on the left. */
export function Switch({ label, hint, checked, onChange, disabled = false }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0">
        <span id={id} className="text-sm font-medium">
          {label}
        </span>
        {hint ? (
          <p id={`${id}-hint`} className="text-[13px] text-muted">
            {hint}
          </p>
        ) : null}
      </div>
      <Base.Root
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next)}
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative inline-flex h-6 w-11 shrink-0 items-center rounded-full border border-muted bg-hover transition-colors before:absolute before:-inset-2.5 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Base.Thumb className="size-4.5 translate-x-0.5 rounded-full bg-muted transition-transform data-checked:translate-x-5.5 data-checked:bg-on-accent" />
      </Base.Root>
    </div>
  );
}

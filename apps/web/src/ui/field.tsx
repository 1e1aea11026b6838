import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

export const CONTROL =
  'target w-full rounded-lg border border-line-strong bg-surface px-3 text-sm placeholder:text-muted disabled:bg-hover disabled:text-muted aria-invalid:border-bad';

/** What a control needs so that its label, hint and error are read with it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
}

interface Around {
  label: ReactNode;
  /** What to enter, its unit and its bounds; stays visible beside an error. */
  hint?: ReactNode;
  /** What is wrong with the value; announced when it appears. */
  error?: string | null | undefined;
  required?: boolean | undefined;
  className?: string;
}

/** Label above, hint and error below one control. Errors are announced and stay until the value is right. */
export function Field({
  label,
  hint,
  error,
  required,
  className = '',
  children,
}: Around & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {required ? (
          <span aria-hidden="true" className="text-bad">
            {' '}
            *
          </span>
        ) : null}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined, required })}
      {hint ? (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      ) : null}
      <p id={`${id}-error`} aria-live="polite" className={error ? 'text-[13px] font-medium text-bad' : 'sr-only'}>
        {error}
      </p>
    </div>
  );
}

type Own<E> = Omit<E, 'onChange' | 'value' | 'className' | 'required' | 'id'> &
  Around & { value: string; onChange: (value: string) => void };

/** One line of text: `type` may be email, url, password, search. */
export function TextField({
  label,
  hint,
  error,
  required,
  className,
  value,
  onChange,
  ...rest
}: Own<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field {...{ label, hint, error, required }} {...(className === undefined ? {} : { className })}>
      {(control) => (
        <input type="text" {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} className={CONTROL} />
      )}
    </Field>
  );
}

/**
 * A whole number as text, so that nothing typed is lost or changed; the form judges it. `unit` stands behind it. `min` and `max` are for
 * the reader of the hint, not enforced here.
 */
export function NumberField(props: Own<InputHTMLAttributes<HTMLInputElement>> & { unit?: string }) {
  const { label, hint, error, required, className, value, onChange, unit, ...rest } = props;
  return (
    <Field {...{ label, hint, error, required }} {...(className === undefined ? {} : { className })}>
      {(control) => (
        <div className="flex items-center gap-2">
          <input
            inputMode="numeric"
            autoComplete="off"
            {...rest}
            {...control}
            type="text"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${CONTROL} tnum max-w-40`}
          />
          {unit ? <span className="text-sm text-muted">{unit}</span> : null}
        </div>
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  required,
  className,
  value,
  onChange,
  ...rest
}: Own<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field {...{ label, hint, error, required }} {...(className === undefined ? {} : { className })}>
      {(control) => (
        <textarea
          rows={4}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${CONTROL} py-2`}
        />
      )}
    </Field>
  );
}

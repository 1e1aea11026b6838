import { useId } from 'react';

/** One of a few, all in sight: radio buttons in a row. */
export function ChoiceField<V extends string>(props: {
  label: string;
  hint?: string | undefined;
  name: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={props.hint ? id : undefined} disabled={props.disabled}>
      <legend className="pb-1.5 text-sm font-medium">{props.label}</legend>
      <div className="inline-flex w-fit overflow-hidden rounded-lg border border-line-strong">
        {props.options.map((option) => (
          <label
            key={option.value}
            className="target flex cursor-pointer items-center border-l border-line-strong px-4 text-sm -outline-offset-2 first:border-l-0 has-checked:bg-accent-bg has-checked:font-semibold has-checked:text-accent has-disabled:cursor-default has-disabled:text-muted has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              className="sr-only"
              name={props.name}
              value={option.value}
              checked={props.value === option.value}
              onChange={() => props.onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {props.hint ? (
        <p id={id} className="text-[13px] text-muted">
          {props.hint}
        </p>
      ) : null}
    </fieldset>
  );
}

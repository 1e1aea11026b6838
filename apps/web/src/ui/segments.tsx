/** One of a few periods or windows, all in sight, in a row of a toolbar: radio buttons that look like one control. */
export function Segments<V extends string | number>(props: {
  /** Heard, not seen. */
  label: string;
  name: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}) {
  return (
    <fieldset className="inline-flex overflow-hidden rounded-lg border border-line-strong bg-surface">
      <legend className="sr-only">{props.label}</legend>
      {props.options.map((option) => (
        <label
          key={option.value}
          className="target flex cursor-pointer items-center justify-center border-l border-line-strong px-3.5 text-sm font-medium text-muted -outline-offset-2 first-of-type:border-l-0 hover:bg-hover has-checked:bg-accent-bg has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="sr-only"
            name={props.name}
            checked={props.value === option.value}
            onChange={() => props.onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

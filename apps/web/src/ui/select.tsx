import { memo } from 'react';
import { lazyPart } from './lazy-part.tsx';
import { type SelectProps, triggerLook } from './select-look.ts';

export type { SelectOption, SelectProps } from './select-look.ts';

/**
 * A list to choose one of. `label` is announced; the trigger shows the chosen label, or only `icon` when given. The list weighs 25 kB and
 * comes after the screen it stands on: until then its value stands in its place. Where it does not come, the browser's own list does.
 * With the same `options` and `onChange` it is not rendered again.
 */
export const Select = memo(
  lazyPart<SelectProps>({
    load: async () => (await import('./select-list.tsx')).SelectList,
    Waiting: ({ options, value, icon, className = '' }) => (
      <span aria-busy="true" className={`${triggerLook(icon !== undefined)} ${className}`}>
        {icon ?? <span className="truncate pr-6">{options.find((option) => option.value === value)?.label ?? value}</span>}
      </span>
    ),
    Failed: ({ label, options, value, onChange, className = '' }) => (
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`target rounded-lg border border-line-strong bg-surface px-2 text-sm ${className}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    ),
  }),
);

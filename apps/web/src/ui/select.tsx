import { lazy, Suspense } from 'react';
import { type SelectProps, triggerLook } from './select-look.ts';

export type { SelectOption, SelectProps } from './select-look.ts';

const SelectList = lazy(async () => ({ default: (await import('./select-list.tsx')).SelectList }));

/**
 * A list to choose one of. `label` is announced; the trigger shows the chosen label, or only `icon` when given. The list weighs 25 kB and
 * comes after the screen it stands on: until then its value stands in its place.
 */
export function Select(props: SelectProps) {
  const chosen = props.options.find(({ value }) => value === props.value)?.label ?? props.value;
  const place = (
    <span aria-busy="true" className={`${triggerLook(props.icon !== undefined)} ${props.className ?? ''}`}>
      {props.icon ?? <span className="truncate pr-6">{chosen}</span>}
    </span>
  );
  return (
    <Suspense fallback={place}>
      <SelectList {...props} />
    </Suspense>
  );
}

import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import { type SelectProps, triggerLook } from './select-look.ts';

/** The list behind `Select`, with its button. */
export function SelectList(props: SelectProps) {
  const { label, value, options, onChange, icon } = props;
  const items = useMemo(() => options.map(({ value, label }) => ({ value, label })), [options]);
  return (
    <Base.Root items={items} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <Base.Trigger
        aria-label={label}
        className={`${triggerLook(icon !== undefined)} hover:bg-hover data-popup-open:bg-hover ${props.className ?? ''}`}
      >
        {icon ?? (
          <>
            <span className="truncate">
              <Base.Value />
            </span>
            <Base.Icon className="text-muted">
              <ChevronDown size={16} aria-hidden="true" />
            </Base.Icon>
          </>
        )}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none" sideOffset={6} alignItemWithTrigger={false} align={icon ? 'end' : 'start'}>
          <Base.Popup className="max-h-[min(24rem,var(--available-height))] min-w-[max(11rem,var(--anchor-width))] overflow-y-auto rounded-xl border border-line-strong bg-raised p-1 shadow-pop">
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="target flex items-center gap-2 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-accent-bg data-highlighted:text-accent"
                >
                  {option.icon}
                  <Base.ItemText className="min-w-0 flex-1 truncate">{option.label}</Base.ItemText>
                  {option.note ? <span className="tnum pl-3 text-xs text-muted">{option.note}</span> : null}
                  <Base.ItemIndicator>
                    <Check size={15} aria-hidden="true" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

import { Menu } from '@base-ui/react/menu';
import { MoreHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';

export interface RowAction {
  label: string;
  icon: ReactNode;
  run: () => void;
  disabled?: boolean;
}

/** What else can be done with a row. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={label}
        className="target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text data-popup-open:bg-hover"
      >
        <MoreHorizontal size={18} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-40 outline-none" sideOffset={6} align="end">
          <Menu.Popup className="min-w-48 rounded-xl border border-line-strong bg-raised p-1 shadow-pop outline-none">
            {actions.map((action) => (
              <Menu.Item
                key={action.label}
                disabled={action.disabled}
                onClick={action.run}
                className="target flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-accent-bg data-highlighted:text-accent"
              >
                {action.icon}
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';

/** What a Popover opens; a module of its own, since the placing of panels weighs more than the buttons that need it. */
export function PopoverPanel(props: {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const { label, button, open, onOpenChange, children } = props;
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // A press on the button closes by the button itself; closing here too would open it again.
        if (event.target instanceof Node && button.current?.contains(event.target)) return;
        onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={button} className="z-50" sideOffset={6} align="end" collisionPadding={12}>
          <Base.Popup
            aria-label={label}
            finalFocus={button}
            className="w-72 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line-strong bg-raised p-4 shadow-pop outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from './lazy-part.tsx';
import { FailedWindow } from './part-failed.tsx';

const loadPanel = () => import('./popover-panel.tsx');
const Panel = lazyPart({
  load: async () => (await loadPanel()).PopoverPanel,
  Failed: ({ again, open, onOpenChange }) => (open ? <FailedWindow again={again} onClose={() => onOpenChange(false)} /> : null),
});

export interface PopoverProps {
  /** What the button opens, as its name. */
  label: string;
  /** Inside of the button. */
  trigger: ReactNode;
  triggerClassName?: string;
  children: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A small panel at a button. Escape and a press beside it close it; the focus goes back to the button. Loaded when somebody comes near. */
export function Popover({ label, trigger, triggerClassName, children, open, onOpenChange }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        // A file that does not come is told when it is asked for.
        onPointerEnter={() => void loadPanel().catch(() => {})}
        onFocus={() => void loadPanel().catch(() => {})}
        onClick={() => {
          setUsed(true);
          onOpenChange(!open);
        }}
        className={
          triggerClassName ??
          'target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text aria-expanded:bg-hover'
        }
      >
        <span className="sr-only">{label}</span>
        {trigger}
      </button>
      {used ? <Panel {...{ label, button, open, onOpenChange }}>{children}</Panel> : null}
    </>
  );
}

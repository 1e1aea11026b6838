import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

const loadPanel = () => import('./popover-panel.tsx');
const Panel = lazy(async () => ({ default: (await loadPanel()).PopoverPanel }));

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
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
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
      <Suspense fallback={null}>{used ? <Panel {...{ label, button, open, onOpenChange }}>{children}</Panel> : null}</Suspense>
    </>
  );
}

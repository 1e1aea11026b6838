import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

const WIDTH = { small: 'max-w-md', medium: 'max-w-2xl', large: 'max-w-4xl' } as const;

const FULL =
  'max-sm:inset-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-full max-sm:max-w-none max-sm:translate-none max-sm:rounded-none max-sm:border-0';

export interface DialogProps {
  open: boolean;
  /** Asked by Escape, the cross and a press beside it; a form with unsaved input may refuse by not changing `open`. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof WIDTH;
  /** Covers a narrow screen whole. */
  fullOnPhone?: boolean;
  /** Buttons, at the right end, always in view. */
  footer?: ReactNode;
  /** The control that is typed into first; on touch screens nothing is, a keyboard would cover half of them. */
  firstFocus?: () => HTMLElement | null;
  children?: ReactNode;
}

/** A window over the page. Focus stays in it and returns to what opened it; its middle scrolls when it is longer than the screen. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'medium',
  fullOnPhone = false,
  footer,
  firstFocus,
  children,
}: DialogProps) {
  const finalFocus = useReturnFocus(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          finalFocus={finalFocus}
          initialFocus={(how) => (how === 'touch' ? true : (firstFocus?.() ?? true))}
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 flex-col rounded-xl border border-line-strong bg-raised shadow-pop transition-opacity duration-150 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 ${WIDTH[size]} ${fullOnPhone ? FULL : ''}`}
        >
          <div className="flex items-start justify-between gap-3 border-b border-line py-3 pr-2 pl-5">
            <div className="min-w-0 py-1.5">
              <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
              {description ? <Base.Description className="pt-1 text-sm text-muted">{description}</Base.Description> : null}
            </div>
            <Base.Close
              aria-label="Close"
              className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text"
            >
              <X size={18} aria-hidden="true" />
            </Base.Close>
          </div>
          <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
          {footer ? <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onCancel: () => void;
  onConfirm: () => void;
  /** The question, with the object's name in it. */
  title: ReactNode;
  /** What will happen, and whether it can be undone. */
  children?: ReactNode;
  /** Names the deed: "Delete user", never "OK". */
  confirm: string;
  /** While the deed is being done. */
  busy?: boolean;
  busyLabel?: string;
  danger?: boolean;
  error?: string | null;
  /** Where the keyboard goes afterwards; true: back to where it was. */
  finalFocus?: () => HTMLElement | boolean | null;
}

/** Asks before what cannot be taken back. The harmless answer has the focus; only it and Escape close without a deed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onCancel,
    onConfirm,
    title,
    children,
    confirm,
    busy = false,
    busyLabel = 'Working…',
    danger = false,
    error,
    finalFocus = true,
  } = props;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !busy && onCancel()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Base.Popup
          finalFocus={finalFocus}
          className="fixed top-1/2 left-1/2 z-50 flex w-[calc(100vw-2rem)] max-w-md -translate-1/2 flex-col gap-3 rounded-xl border border-line-strong bg-raised p-5 shadow-pop outline-none"
        >
          <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
          <Base.Description render={<div />} className="text-sm break-words text-muted">
            {children}
          </Base.Description>
          {error ? (
            <p role="alert" className="text-sm font-medium text-bad">
              {error}
            </p>
          ) : null}
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Base.Close render={<Button disabled={busy} />}>Cancel</Base.Close>
            <Button kind={danger ? 'danger' : 'primary'} disabled={busy} onClick={onConfirm}>
              {busy ? busyLabel : confirm}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import { CloudOff, Inbox, Lock, RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Grey bars in the layout that is coming. `label` is what a screen reader hears. */
export function Skeleton({ label, rows = 5, className = '' }: { label: string; rows?: number; className?: string }) {
  return (
    <output className={`flex flex-col gap-3 ${className}`}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars that are all alike and never move
        <div key={index} aria-hidden="true" className="skeleton h-9" style={{ width: `${100 - ((index * 13) % 30)}%` }} />
      ))}
    </output>
  );
}

export interface ErrorNoticeProps {
  message?: string | null | undefined;
  /** For reports to the operator. */
  requestId?: string | null | undefined;
  onRetry?: (() => void) | undefined;
  busy?: boolean;
}

/** ERR-04: what could not load, within a card. Stays in place of the data until Retry succeeds; never a toast. */
export function ErrorNotice({ message, requestId, onRetry, busy = false }: ErrorNoticeProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <TriangleAlert size={26} aria-hidden="true" className="text-bad" />
      <p className="font-semibold">Error loading data</p>
      <p className="max-w-md break-words text-muted">{message || 'An unexpected error occurred'}</p>
      {requestId ? <p className="text-xs break-all text-muted">Request {requestId}</p> : null}
      {onRetry ? (
        <Button className="mt-2" onClick={onRetry} disabled={busy}>
          <RefreshCw size={15} aria-hidden="true" className={busy ? 'motion-safe:animate-spin' : ''} /> Retry
        </Button>
      ) : null}
    </div>
  );
}

/** The same as a card of its own. */
export function ErrorCard(props: ErrorNoticeProps) {
  return (
    <div className="card">
      <ErrorNotice {...props} />
    </div>
  );
}

/** A fresh, successful, empty answer: what would be here, and the one next action. */
export function EmptyState({
  title,
  children,
  action,
  icon,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <Notice icon={icon ?? <Inbox size={26} aria-hidden="true" />} title={title} action={action}>
      {children}
    </Notice>
  );
}

/** Old data that is still shown: when it was good, and how to ask again. Stands above that data. */
export function StaleNote({ children, onRetry, busy = false }: { children: ReactNode; onRetry?: () => void; busy?: boolean }) {
  return (
    <output className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-warn-bg px-3 py-2 text-sm font-medium text-warn">
      <CloudOff size={16} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 grow basis-60">{children}</span>
      {onRetry ? (
        <button
          type="button"
          className="target rounded-md px-2 font-semibold underline disabled:opacity-50"
          disabled={busy}
          onClick={onRetry}
        >
          Retry
        </button>
      ) : null}
    </output>
  );
}

/** The server said no (403). Not a failure: there is nothing to retry. */
export function ForbiddenState({ title = 'Admin access required', children }: { title?: string; children?: ReactNode }) {
  return (
    <Notice icon={<Lock size={26} aria-hidden="true" />} title={title}>
      {children ?? 'Your account may not see this. Ask an administrator if you need it.'}
    </Notice>
  );
}

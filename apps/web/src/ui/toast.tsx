import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';

export type ToastTone = 'ok' | 'bad';
interface Shown {
  id: number;
  text: ReactNode;
  tone: ToastTone;
}

/** Long enough to read a sentence; waits while the pointer or the focus is on it. */
const VISIBLE_MS = 6000;
const MOST_AT_ONCE = 3;

const ToastContext = createContext<((text: ReactNode, tone?: ToastTone) => void) | null>(null);

/** Says a result once, at the bottom of the screen: `toast('User created')`. Failures that need an action stay in place instead. */
export function useToast(): (text: ReactNode, tone?: ToastTone) => void {
  const say = useContext(ToastContext);
  if (!say) throw new Error('ToastArea is missing');
  return say;
}

export function ToastArea({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const last = useRef(0);
  const say = useCallback((text: ReactNode, tone: ToastTone = 'ok') => {
    last.current += 1;
    const toast = { id: last.current, text, tone };
    setShown((all) => [...all, toast].slice(-MOST_AT_ONCE));
  }, []);
  const close = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), []);
  return (
    <ToastContext value={say}>
      {children}
      <output
        aria-label="Notices"
        className="pointer-events-none fixed inset-x-4 bottom-[calc(var(--ticker-height)+1rem)] z-50 flex flex-col items-center gap-2 sm:left-auto sm:items-end"
      >
        {shown.map((toast) => (
          <Toast key={toast.id} toast={toast} close={close} />
        ))}
      </output>
    </ToastContext>
  );
}

function Toast({ toast, close }: { toast: Shown; close: (id: number) => void }) {
  const [held, setHeld] = useState(false);
  const hold = useMemo(
    () => ({
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    }),
    [],
  );
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => close(toast.id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [held, close, toast.id]);
  return (
    <div
      {...hold}
      className="pointer-events-auto flex w-full max-w-sm items-center gap-2.5 rounded-xl border border-line-strong bg-raised py-1 pr-1 pl-4 shadow-pop"
    >
      {toast.tone === 'ok' ? (
        <CircleCheck size={17} aria-hidden="true" className="shrink-0 text-ok" />
      ) : (
        <CircleAlert size={17} aria-hidden="true" className="shrink-0 text-bad" />
      )}
      <div className="min-w-0 grow py-2 text-sm font-medium break-words">{toast.text}</div>
      <button
        type="button"
        aria-label="Close notice"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-hover"
        onClick={() => close(toast.id)}
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

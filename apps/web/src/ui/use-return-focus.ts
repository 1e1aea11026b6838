import { useMemo } from 'react';

/**
 * `finalFocus` of a window: back to where the keyboard was when it opened. By itself the window would go to the first control inside of
 * an element that only scripts can focus, the content of a screen above all: Space would then press what nobody chose.
 */
export function useReturnFocus(open = true): () => boolean {
  const before = useMemo(() => (open ? document.activeElement : null), [open]);
  return () => {
    if (!(before instanceof HTMLElement) || before === document.body || before.tabIndex >= 0 || !before.isConnected) return true;
    // What is behind the window takes no focus before the window is gone.
    queueMicrotask(() => before.focus({ preventScroll: true }));
    return false;
  };
}

import { type RefObject, useEffect, useState } from 'react';

/** True while the pointer rests on the element or the keyboard is in it: what moves there stands still meanwhile. */
export function useHeld(element: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const stop = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void) =>
      target.addEventListener(name, run, { signal: stop.signal });
    on('pointerenter', ({ pointerType }) => setPointed(pointerType === 'mouse'));
    on('pointerleave', () => setPointed(false));
    on('focusin', ({ target: inner }) => setFocused(inner instanceof Element && inner.matches(':focus-visible')));
    on('focusout', ({ relatedTarget }) => setFocused(relatedTarget instanceof Node && target.contains(relatedTarget)));
    return () => stop.abort();
  }, [element]);
  return pointed || focused;
}

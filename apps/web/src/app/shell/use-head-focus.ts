import { type RefObject, useEffect, useRef } from 'react';

/** Takes the keyboard to the heading of what has just come in place of everything else. */
export function useHeadFocus(): RefObject<HTMLHeadingElement | null> {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return head;
}

import { useEffect, useRef, useState } from 'react';

/**
 * The value once it has rested for `ms`; with `sampled` not its rest but its value about every `ms`, so that what never rests is followed
 * too.
 */
export function useSettled<T>(value: T, ms: number, sampled = false): T {
  const [held, setHeld] = useState(value);
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
    if (sampled) return undefined;
    const timer = setTimeout(() => setHeld(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms, sampled]);
  useEffect(() => {
    if (!sampled) return undefined;
    const timer = setInterval(() => setHeld(newest.current), ms);
    return () => clearInterval(timer);
  }, [ms, sampled]);
  return held;
}

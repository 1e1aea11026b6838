import { useEffect, useState } from 'react';

/** Epoch milliseconds, renewed every `everySeconds`. Stops while the page is hidden and catches up when it is shown again. */
export function useNow(everySeconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(tick, everySeconds * 1000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everySeconds]);
  return now;
}

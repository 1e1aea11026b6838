import { useCallback, useState } from 'react';

/** Key of the browser's storage; absent means on, as ALRT-02 asks. */
const KEY = 'alerts-auto-refresh';

/** Whether the list refreshes by itself, kept over visits of this browser. */
export function useAutomatic(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      return window.localStorage.getItem(KEY) !== 'off';
    } catch {
      return true;
    }
  });
  const change = useCallback((next: boolean) => {
    setOn(next);
    try {
      window.localStorage.setItem(KEY, next ? 'on' : 'off');
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }, []);
  return [on, change];
}

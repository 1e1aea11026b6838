import { useCallback, useState } from 'react';
import { MAP_EVERY_SECONDS, POLICIES } from '../../../api/intervals.ts';

export interface MapRefresh {
  automatic: boolean;
  everySeconds: number;
}

/** Key of the browser's storage: a habit of this reader, not part of what a link shows. */
const KEY = 'map-auto-refresh';

/** "on 300" or "off 60"; anything else is the default: on, every 300 s (MAP-11). */
export function readRefresh(text: string | null): MapRefresh {
  const [mode, seconds] = (text ?? '').split(' ');
  const everySeconds = MAP_EVERY_SECONDS.find((value) => value === Number(seconds)) ?? POLICIES.map.every;
  return { automatic: mode !== 'off', everySeconds };
}

export const writeRefresh = ({ automatic, everySeconds }: MapRefresh): string => `${automatic ? 'on' : 'off'} ${everySeconds}`;

/** Whether and how often the map refreshes by itself, kept over visits of this browser. */
export function useMapRefresh(): [MapRefresh, (next: Partial<MapRefresh>) => void] {
  const [held, setHeld] = useState(() => {
    try {
      return readRefresh(window.localStorage.getItem(KEY));
    } catch {
      return readRefresh(null);
    }
  });
  const change = useCallback((next: Partial<MapRefresh>) => {
    setHeld((before) => {
      const after = { ...before, ...next };
      try {
        window.localStorage.setItem(KEY, writeRefresh(after));
      } catch {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
      return after;
    });
  }, []);
  return [held, change];
}

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createMapEngine } from './map-engine.ts';
import type { MapEngine, MapEvents, MapOptions } from './map-types.ts';

const readToken = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * A map in `container`, in the colours of the theme. `options` count at the start only. `failed`: this device cannot draw it (no WebGL),
 * and what it would show must be said otherwise.
 */
export function useMapEngine(options: MapOptions, events: MapEvents, theme: string) {
  const container = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<MapEngine | null>(null);
  const [failed, setFailed] = useState(false);
  const first = useRef(options);
  const heard = useRef(events);
  useLayoutEffect(() => {
    heard.current = events;
  });
  useEffect(() => {
    if (!container.current) return undefined;
    try {
      const made = createMapEngine(container.current, first.current, readToken, {
        onHover: (hit) => heard.current.onHover(hit),
        onPick: (hit) => heard.current.onPick(hit),
        onMiss: () => heard.current.onMiss?.(),
        onView: (next) => heard.current.onView(next),
        onMove: () => heard.current.onMove?.(),
        onReady: () => heard.current.onReady?.(),
      });
      setEngine(made);
      return () => {
        setEngine(null);
        made.remove();
      };
    } catch {
      setFailed(true);
      return undefined;
    }
  }, []);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the tokens change with the theme
  useEffect(() => engine?.recolour(readToken), [engine, theme]);
  return { container, engine, failed };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { clampTo, playFrom, type Span, STEP_MS, stepOn } from './timeline-rules.ts';

export interface Playback {
  cursorMs: number;
  playing: boolean;
  /** Moves the cursor and stops (TIME-07). */
  moveTo(atMs: number): void;
  toggle(): void;
}

/** TIME-10: the cursor and its clockwork. `onRest` hears where the cursor came to rest; null = at the end of the range. */
export function usePlayback(span: Span | null, atMs: number | null, onRest: (atMs: number | null) => void): Playback {
  const [cursor, setCursor] = useState<number | null>(atMs);
  const [playing, setPlaying] = useState(false);
  const rest = useRef(onRest);
  useEffect(() => {
    rest.current = onRest;
  });
  // The address may change under us: another range, the way back.
  useEffect(() => {
    setPlaying(false);
    setCursor(atMs);
  }, [atMs]);
  const cursorMs = span ? clampTo(span, cursor ?? span.toMs) : 0;
  const settle = useCallback((at: number, of: Span) => rest.current(at >= of.toMs ? null : at), []);

  useEffect(() => {
    if (!playing || !span) return undefined;
    const timer = setInterval(() => {
      setCursor((before) => {
        const next = stepOn(span, clampTo(span, before ?? span.toMs));
        if (next.ended) setPlaying(false);
        return next.cursorMs;
      });
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [playing, span]);
  // Where it stopped stands in the address; while it runs, nothing is written there ten times a second.
  const ran = useRef(false);
  useEffect(() => {
    if (playing) ran.current = true;
    else if (ran.current && span) {
      ran.current = false;
      settle(cursorMs, span);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the end of a run alone
  }, [playing]);

  return {
    cursorMs,
    playing,
    moveTo(at) {
      if (!span) return;
      ran.current = false;
      setPlaying(false);
      const next = clampTo(span, at);
      setCursor(next);
      settle(next, span);
    },
    toggle() {
      if (!span) return;
      if (!playing) setCursor(playFrom(span, cursorMs));
      setPlaying(!playing);
    },
  };
}

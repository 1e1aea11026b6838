import { useCallback, useEffect, useRef, useState } from 'react';
import { clampTo, maySetOff, playFrom, type Span, STEP_MS, stepOn } from './timeline-rules.ts';

export interface Playback {
  cursorMs: number;
  playing: boolean;
  /** Moves the cursor and stops (TIME-07). */
  moveTo(atMs: number): void;
  toggle(): void;
}

export interface PlaybackEvents {
  /** Where the cursor came to rest; null = at the end of the range. */
  onRest(atMs: number | null): void;
  /** Whether what it plays over is drawn. */
  isDrawn(): boolean;
}

/** TIME-10: the cursor and its clockwork. */
export function usePlayback(span: Span | null, atMs: number | null, events: PlaybackEvents): Playback {
  const [cursor, setCursor] = useState<number | null>(atMs);
  const [playing, setPlaying] = useState(false);
  const heard = useRef(events);
  useEffect(() => {
    heard.current = events;
  });
  // The address may change under us: another range, the way back.
  useEffect(() => {
    setPlaying(false);
    setCursor(atMs);
  }, [atMs]);
  const cursorMs = span ? clampTo(span, cursor ?? span.toMs) : 0;
  const settle = useCallback((at: number, of: Span) => heard.current.onRest(at >= of.toMs ? null : at), []);

  useEffect(() => {
    if (!playing || !span) return undefined;
    let held = 0;
    let running = false;
    const timer = setInterval(() => {
      running ||= maySetOff(heard.current.isDrawn(), held);
      held += 1;
      if (!running) return;
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

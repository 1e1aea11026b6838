import { Clock, KeyRound } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { extend, hold, isOver, newReveal, passed, REVEAL_MS, secondsLeft } from './reveal.ts';

export interface Secret {
  /** The whole key; this is the only place that ever holds it. */
  text: string;
  description: string;
  /** How it came to be. */
  made: 'created' | 'refreshed';
}

const TICK_MS = 250;

/** KEY-04, R-45: a new key in sight for 30 seconds that stand still under the pointer and the focus. Not a dialog: focus would be caught in it. */
export function RevealPanel({ secret, close, ref }: { secret: Secret; close: () => void; ref: RefObject<HTMLElement | null> }) {
  const [reveal, setReveal] = useState(newReveal);
  const inside = useRef({ pointer: false, focus: false });
  useEffect(() => {
    // At hand for whoever works with the keyboard: it is in sight for seconds, and may be many keys away. After the window that closes gave the focus back.
    const frame = requestAnimationFrame(() => {
      ref.current?.focus({ preventScroll: true });
      ref.current?.scrollIntoView({ block: 'nearest' });
    });
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const ms = now - last;
      last = now;
      setReveal((old) => passed(old, ms));
    }, TICK_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearInterval(timer);
    };
  }, [ref]);
  const over = isOver(reveal);
  useEffect(() => {
    if (over) close();
  }, [over, close]);
  const set = (what: 'pointer' | 'focus', on: boolean) => {
    inside.current[what] = on;
    setReveal((old) => hold(old, inside.current.pointer || inside.current.focus));
  };
  const seconds = secondsLeft(reveal);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- nothing is done by them: time stands still
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Your new API key"
      onPointerEnter={() => set('pointer', true)}
      onPointerLeave={() => set('pointer', false)}
      // Given the focus as a whole it is at hand, not in use.
      onFocus={(event) => set('focus', event.target !== event.currentTarget)}
      onBlur={(event) => set('focus', event.currentTarget.contains(event.relatedTarget))}
      className="card flex scroll-mt-[calc(var(--bar-height)+1rem)] scroll-mb-[calc(var(--ticker-height)+1rem)] flex-col gap-3 border-accent p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="flex min-w-0 items-center gap-2 text-base font-semibold break-words">
          <KeyRound size={18} aria-hidden="true" className="shrink-0 text-accent" />
          <output>
            API key “{secret.description}” was {secret.made}
          </output>
        </h2>
        <p className="tnum inline-flex items-center gap-1.5 text-sm text-muted" role="timer" aria-live="off">
          <Clock size={15} aria-hidden="true" />
          {reveal.held ? `Shown while you are here, then ${seconds} s` : `Shown for ${seconds} s`}
        </p>
      </div>
      <p className="text-sm text-muted">
        Copy it now and keep it safe: it is shown this once and kept nowhere. Whoever has it can call the API as you.
      </p>
      <div className="flex items-center gap-1 rounded-lg border border-line-strong bg-bg pl-3">
        <code className="min-w-0 grow py-2 font-mono text-sm break-all">{secret.text}</code>
        <CopyButton text={secret.text} label="Copy the API key" />
      </div>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-skeleton">
        <div className="h-full bg-accent" style={{ width: `${Math.min(100, (reveal.leftMs / REVEAL_MS) * 100)}%` }} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => setReveal(extend)} disabled={reveal.extended}>
          Show for longer
        </Button>
        <Button kind="primary" onClick={close}>
          I have saved it
        </Button>
      </div>
    </section>
  );
}

import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Drawing as Engine } from './chart-engine.ts';
import type { ChartSpec } from './chart-spec.ts';
import { type Stop, stopsOf } from './chart-words.ts';
import { readLook, watchLook } from './look.ts';
import type { Point } from './pick-stop.ts';
import { stopAfterKey } from './stop-keys.ts';

export interface DrawingProps {
  spec: ChartSpec;
  /** What it shows, in words: all that a screen reader hears of it. */
  summary: string;
  /** CSS pixels. */
  height: number;
  /** Given the engine when it stands and null when it goes: for pictures. */
  onEngine?: ((engine: Engine | null) => void) | undefined;
  /** The library could not be loaded. */
  onBroken: () => void;
  /** A press or Enter on a stop. */
  onPick?: ((stop: number) => void) | undefined;
}

/** The drawing itself, with the values under the pointer; focused, the arrow keys go through them. */
export function Drawing({ spec, summary, height, onEngine, onBroken, onPick }: DrawingProps) {
  const host = useRef<HTMLDivElement>(null);
  const engine = useRef<Engine | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const [at, setAt] = useState<{ stop: number; point: Point; byKey: boolean } | null>(null);
  const stops = useMemo(() => stopsOf(spec), [spec]);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let over = false;
    const redraw = () => engine.current?.draw(latest.current, readLook(element));
    const sizes = new ResizeObserver(() => engine.current?.resize());
    const unwatch = watchLook(redraw);
    const start = async () => {
      const { createDrawing } = await import('./chart-engine.ts');
      if (over) return;
      engine.current = createDrawing(element);
      redraw();
      sizes.observe(element);
      onEngine?.(engine.current);
    };
    start().catch(() => over || onBroken());
    return () => {
      over = true;
      unwatch();
      sizes.disconnect();
      onEngine?.(null);
      engine.current?.dispose();
      engine.current = null;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one engine for the life of the element
  }, []);
  useEffect(() => {
    if (host.current) engine.current?.draw(spec, readLook(host.current));
  }, [spec]);

  const rest = (stop: number | null, byKey: boolean) => {
    const known = stop !== null && stop < stops.length ? stop : null;
    const point = known === null ? null : (engine.current?.pointOf(known) ?? null);
    engine.current?.highlight(point === null ? null : known);
    setAt(known === null || point === null ? null : { stop: known, point, byKey });
  };
  const onPointer = (event: PointerEvent) => {
    const box = host.current?.getBoundingClientRect();
    if (!box) return;
    const stop = engine.current?.stopAt({ x: event.clientX - box.left, y: event.clientY - box.top }) ?? null;
    if (stop !== (at?.stop ?? null)) rest(stop, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && at && onPick) return onPick(at.stop);
    const next = stopAfterKey(spec, event.key, at?.stop ?? null, stops.length);
    if (next === undefined) return;
    event.preventDefault();
    rest(next, true);
  };
  const shown = at ? stops[at.stop] : undefined;
  return (
    <div className="relative">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys say what pointing shows; the table has the same without them */}
      <div
        ref={host}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing, not a file
        role="img"
        aria-label={summary}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        style={{ height }}
        // Contained: a drawing made for a wide window must not keep its column from shrinking.
        className={`w-full rounded-lg outline-offset-4 [contain:strict] ${onPick ? 'cursor-pointer' : ''}`}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => rest(null, false)}
        onClick={() => at && onPick?.(at.stop)}
        onKeyDown={onKeyDown}
        onBlur={() => rest(null, false)}
      />
      {at && shown ? <Floating stop={shown} point={at.point} guide={hasGuide(spec)} width={host.current?.clientWidth ?? 0} /> : null}
      <output className="sr-only">{at?.byKey && shown ? `${shown.title}: ${shown.lines.map(lineText).join(', ')}` : ''}</output>
    </div>
  );
}

const lineText = ({ name, text }: Stop['lines'][number]) => (name === '' ? text : `${name} ${text}`);
const hasGuide = (spec: ChartSpec): boolean => spec.kind === 'line' || spec.kind === 'dual-axis' || (spec.kind === 'bar' && !spec.lying);

/** Values beside the place they belong to; on the side that has room. */
function Floating({ stop, point, guide, width }: { stop: Stop; point: Point; guide: boolean; width: number }) {
  const left = point.x > width / 2;
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-visible">
      {guide ? <div className="absolute inset-y-2 w-px bg-line-strong" style={{ left: point.x }} /> : null}
      <div
        className="absolute z-20 w-max max-w-64 rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 text-[13px] shadow-pop"
        style={{ left: point.x, top: Math.max(0, point.y - 16), transform: left ? 'translateX(calc(-100% - 12px))' : 'translateX(12px)' }}
      >
        <p className="font-semibold break-words">{stop.title}</p>
        {stop.lines.map((line) => (
          <p key={line.name} className="tnum flex items-baseline justify-between gap-3">
            <span className="inline-flex items-center gap-1.5 text-muted">
              <Swatch tone={line.tone} />
              {line.name}
            </span>
            <span className="font-medium">{line.text}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

/** The colour of a series, beside its name. */
export function Swatch({ tone, line = false }: { tone: string; line?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block shrink-0 ${line ? 'h-0.5 w-3.5' : 'size-2.5 rounded-[3px]'}`}
      style={{ background: `var(--${tone})` }}
    />
  );
}

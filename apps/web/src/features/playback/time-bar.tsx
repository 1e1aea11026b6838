import type { playback } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useServices, useTheme } from '../../api/services.ts';
import { SeverityIcon } from '../../ui/severity.tsx';
import { BAR_PX, drawBar, laneAt } from './draw-bar.ts';
import { type Marker, markerNear, shareOf, type Span, STEPS } from './timeline-rules.ts';

export interface TimeBarProps {
  span: Span;
  cursorMs: number;
  zoom: number;
  markers: readonly Marker[];
  sparkline: playback.Timeline['sparkline'];
  gaps: readonly Span[];
  part: Span | null;
  onMove: (atMs: number) => void;
}

/** Pixels around the pointer within which a marker answers. */
const NEAR_PX = 5;

const readToken = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** TIME-07, TIME-08: the range as a bar, its messages as markers, and the cursor. A slider for keys: arrows one step, page keys ten. */
export function TimeBar(props: TimeBarProps) {
  const { span, cursorMs, zoom, markers, onMove } = props;
  const { labels } = useServices();
  const { theme } = useTheme();
  const outer = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const [hover, setHover] = useState<{ marker: Marker; x: number } | null>(null);
  const innerPx = Math.round(widthPx * zoom);

  useLayoutEffect(() => {
    const box = outer.current;
    if (!box) return undefined;
    const observer = new ResizeObserver(() => setWidthPx(box.clientWidth));
    observer.observe(box);
    setWidthPx(box.clientWidth);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || innerPx === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [innerPx * ratio, BAR_PX * ratio];
    if (canvas.current.width !== width || canvas.current.height !== height) Object.assign(canvas.current, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawBar(context, innerPx, props, readToken);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the tokens change with the theme
  }, [props, innerPx, theme]);
  // Zoomed, the cursor stays in sight.
  const cursorPx = shareOf(span, cursorMs) * innerPx;
  useEffect(() => {
    const box = outer.current;
    if (!box || innerPx <= box.clientWidth) return;
    if (cursorPx < box.scrollLeft + 20 || cursorPx > box.scrollLeft + box.clientWidth - 20) box.scrollLeft = cursorPx - box.clientWidth / 2;
  }, [cursorPx, innerPx]);

  const at = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - left;
    return { x, y: event.clientY - top, atMs: span.fromMs + (x / Math.max(1, innerPx)) * (span.toMs - span.fromMs) };
  };
  const look = (event: PointerEvent<HTMLDivElement>) => {
    const { y, atMs } = at(event);
    if (event.buttons === 1 && event.pointerType === 'mouse') return onMove(atMs);
    const lane = laneAt(y);
    const withinMs = (NEAR_PX / Math.max(1, innerPx)) * (span.toMs - span.fromMs);
    const marker = lane === null ? null : markerNear(markers, lane, atMs, withinMs);
    return setHover(marker ? { marker, x: shareOf(span, marker.atMs) * innerPx } : null);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = (span.toMs - span.fromMs) / STEPS;
    const moves: Record<string, number> = {
      ArrowRight: cursorMs + step,
      ArrowUp: cursorMs + step,
      ArrowLeft: cursorMs - step,
      ArrowDown: cursorMs - step,
      PageUp: cursorMs + 10 * step,
      PageDown: cursorMs - 10 * step,
      Home: span.fromMs,
      End: span.toMs,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onMove(next);
  };

  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2">
      <ul aria-hidden="true" className="flex flex-col pt-10">
        {SEVERITIES.map((name) => (
          <li key={name} className="flex h-[15px] items-center">
            <SeverityIcon severity={name} />
          </li>
        ))}
      </ul>
      <div ref={outer} className="relative min-w-0 overflow-x-auto overflow-y-hidden rounded-lg border border-line">
        {/* A canvas of markers lies in it, which no input can hold. */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see above
          role="slider"
          tabIndex={0}
          aria-label="Instant on the timeline"
          aria-valuemin={0}
          aria-valuemax={STEPS}
          aria-valuenow={Math.round(shareOf(span, cursorMs) * STEPS)}
          aria-valuetext={labels.full(cursorMs, 'UTC')}
          className="relative cursor-pointer touch-pan-x -outline-offset-2"
          style={{ width: innerPx || '100%', height: BAR_PX }}
          onPointerDown={(event) => event.button === 0 && onMove(at(event).atMs)}
          onPointerMove={look}
          onPointerLeave={() => setHover(null)}
          onKeyDown={onKey}
        >
          <canvas ref={canvas} className="absolute inset-0" style={{ width: innerPx || '100%', height: BAR_PX }} aria-hidden="true" />
          <div aria-hidden="true" className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-text" style={{ left: cursorPx }} />
          {hover ? <MarkerCard marker={hover.marker} x={hover.x} widthPx={innerPx} /> : null}
        </div>
      </div>
    </div>
  );
}

/** TIME-08: what a marker says under the pointer: event, area and time. */
function MarkerCard({ marker: { item, atMs }, x, widthPx }: { marker: Marker; x: number; widthPx: number }) {
  const { labels } = useServices();
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute top-1 z-10 w-56 rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 text-[13px] leading-[1.15rem] shadow-pop"
      style={x > widthPx / 2 ? { right: widthPx - x + 8 } : { left: x + 8 }}
    >
      <p className="truncate font-semibold">{item.event}</p>
      <p className="truncate text-muted">{item.area_desc}</p>
      <p className="tnum text-muted">{labels.full(atMs, 'UTC')}</p>
    </div>
  );
}

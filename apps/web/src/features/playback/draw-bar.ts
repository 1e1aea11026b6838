import type { playback } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { SEVERITY_TOKEN } from '../../ui/severity.tsx';
import { type Marker, shareOf, type Span } from './timeline-rules.ts';

/** Pixels from the top: a curve of how many were in force, then a lane of markers per severity. */
export const CURVE_PX = 40;
export const LANE_PX = 15;
export const BAR_PX = CURVE_PX + LANE_PX * SEVERITIES.length + 4;
const MARKER_PX = 3;

export interface BarPicture {
  span: Span;
  cursorMs: number;
  markers: readonly Marker[];
  sparkline: playback.Timeline['sparkline'];
  gaps: readonly Span[];
  /** Part for which every message has a marker; null: the whole range. */
  part: Span | null;
}

/** Lane under a height, or null over the curve. */
export function laneAt(y: number): number | null {
  const lane = Math.floor((y - CURVE_PX) / LANE_PX);
  return lane >= 0 && lane < SEVERITIES.length ? lane : null;
}

/** Draws the whole bar: a few thousand marks, ten times a second while playing. */
export function drawBar(context: CanvasRenderingContext2D, widthPx: number, picture: BarPicture, read: (token: string) => string): void {
  const { span, cursorMs, markers, sparkline, gaps, part } = picture;
  const x = (atMs: number) => shareOf(span, atMs) * widthPx;
  context.clearRect(0, 0, widthPx, BAR_PX);
  context.fillStyle = read('--line');
  for (let lane = 0; lane < SEVERITIES.length; lane += 1) context.fillRect(0, CURVE_PX + lane * LANE_PX + LANE_PX / 2, widthPx, 1);
  if (part) {
    context.fillStyle = read('--accent-bg');
    context.fillRect(x(part.fromMs), CURVE_PX, x(part.toMs) - x(part.fromMs), BAR_PX - CURVE_PX);
  }
  drawCurve(context, widthPx, sparkline, read('--bar'));
  // What the record does not know looks like neither calm nor storm.
  context.strokeStyle = read('--muted');
  context.lineWidth = 1;
  for (const gap of gaps) hatch(context, x(gap.fromMs), x(gap.toMs));
  const later = read('--bar');
  const fills = SEVERITIES.map((name) => read(`--fill-${SEVERITY_TOKEN[name]}`));
  for (const { atMs, lane } of markers) {
    context.fillStyle = atMs <= cursorMs ? (fills[lane] ?? later) : later;
    context.fillRect(x(atMs) - MARKER_PX / 2, CURVE_PX + lane * LANE_PX + 2, MARKER_PX, LANE_PX - 4);
  }
}

function drawCurve(context: CanvasRenderingContext2D, widthPx: number, sparkline: BarPicture['sparkline'], colour: string): void {
  const most = Math.max(1, ...sparkline.map(({ active }) => active ?? 0));
  const stepPx = widthPx / Math.max(1, sparkline.length);
  context.fillStyle = colour;
  for (const [at, { active }] of sparkline.entries()) {
    const height = ((active ?? 0) / most) * (CURVE_PX - 6);
    context.fillRect(at * stepPx, CURVE_PX - 2 - height, Math.max(1, stepPx - 1), height);
  }
}

function hatch(context: CanvasRenderingContext2D, left: number, right: number): void {
  context.save();
  context.beginPath();
  context.rect(left, 0, Math.max(2, right - left), BAR_PX);
  context.clip();
  context.beginPath();
  for (let from = left - BAR_PX; from < right; from += 7) {
    context.moveTo(from, BAR_PX);
    context.lineTo(from + BAR_PX, 0);
  }
  context.stroke();
  context.restore();
}

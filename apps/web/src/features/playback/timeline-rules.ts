import type { playback } from '@nwms/contract';
import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';

export interface Span {
  fromMs: number;
  toMs: number;
}

/** TIME-10: the whole range in 100 steps, one every 100 ms. */
export const STEPS = 100;
export const STEP_MS = 100;

export const spanOf = ({ range }: Pick<playback.Timeline, 'range'>): Span => ({
  fromMs: Date.parse(range.from),
  toMs: Date.parse(range.to),
});

export const clampTo = ({ fromMs, toMs }: Span, atMs: number): number => Math.min(toMs, Math.max(fromMs, atMs));

/** One step on; `ended` with the step that reaches the end. */
export function stepOn(span: Span, cursorMs: number): { cursorMs: number; ended: boolean } {
  const next = cursorMs + (span.toMs - span.fromMs) / STEPS;
  // Half a millisecond: a hundred hundredths add up to not quite the whole.
  return next >= span.toMs - 0.5 ? { cursorMs: span.toMs, ended: true } : { cursorMs: next, ended: false };
}

/** Steps that playing waits for its map at most: 5 s, and longer where the page is held up by drawing it. */
const MOST_HELD_STEPS = 50;

/** Whether time runs on: not before the map it runs over is drawn, or a slow device draws it while spots jump over it. */
export const maySetOff = (isDrawn: boolean, heldSteps: number): boolean => isDrawn || heldSteps >= MOST_HELD_STEPS;

/** Where playing begins: at the end it starts over. */
export const playFrom = (span: Span, cursorMs: number): number => (cursorMs >= span.toMs ? span.fromMs : cursorMs);

/** 0 to 1 */
export const shareOf = ({ fromMs, toMs }: Span, atMs: number): number => (toMs > fromMs ? (atMs - fromMs) / (toMs - fromMs) : 1);

export type Counts = Record<Severity, number>;

/** Figures of the instant nearest to the cursor (TIME-05); null in a gap of the record, or when the frames are not here: not known, never zero. */
export function countsAt(frames: readonly playback.TimelineFrame[] | null, span: Span, cursorMs: number): Counts | null {
  if (!frames || frames.length === 0) return null;
  const at = Math.round(shareOf(span, cursorMs) * (frames.length - 1));
  return frames[Math.min(frames.length - 1, Math.max(0, at))]?.counts ?? null;
}

export const totalOf = (counts: Counts | null): number | null => (counts ? SEVERITIES.reduce((sum, name) => sum + counts[name], 0) : null);

/** In force at the instant, as known then. */
export const isShownAt = ({ shown_from, shown_until }: playback.TimelineItem, atMs: number): boolean =>
  Date.parse(shown_from) <= atMs && (shown_until === null || Date.parse(shown_until) > atMs);

/**
 * TIME-06, TIME-08: markers, by the time they were sent, oldest first. An item whose message is older than the range was in force in it all
 * the same: it has no place on the bar.
 */
export function markersOf(items: readonly playback.TimelineItem[], { fromMs, toMs }: Span): Marker[] {
  const seen = new Set<string>();
  const markers: Marker[] = [];
  for (const item of items) {
    const atMs = Date.parse(item.marker_at);
    // One message may be in force in several parts; it was sent once.
    if (atMs < fromMs || atMs > toMs || seen.has(item.id)) continue;
    seen.add(item.id);
    markers.push({ item, atMs, lane: Math.max(0, (SEVERITIES as readonly string[]).indexOf(item.severity)) });
  }
  return markers.sort((a, b) => a.atMs - b.atMs);
}

export interface Marker {
  item: playback.TimelineItem;
  atMs: number;
  /** Row of the bar: 0 Extreme to 4 Unknown. */
  lane: number;
}

/** The marker of this lane nearest to a place, if one is near enough. */
export function markerNear(markers: readonly Marker[], lane: number, atMs: number, withinMs: number): Marker | null {
  let best: Marker | null = null;
  for (const marker of markers) {
    const far = Math.abs(marker.atMs - atMs);
    if (marker.lane === lane && far <= withinMs && (!best || far < Math.abs(best.atMs - atMs))) best = marker;
  }
  return best;
}

/** The list of gaps names the longest only; the counts of the steps know every one. */
export const isInGap = (gaps: readonly Span[], span: Span, atMs: number): boolean =>
  // The last poll lies seconds before the end of a range that goes up to now: that is no gap.
  gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs && !(toMs >= span.toMs && toMs - fromMs < NOW_SLACK_MS));
const NOW_SLACK_MS = 180_000;

/** Messages asked for around the cursor where a range has more than one page of them. */
const AROUND = 800;
const LEAST_AROUND_MS = 30 * 60_000;

/** The part of a range around the cursor that holds about 800 of its messages. */
export function windowAround(span: Span, total: number, cursorMs: number): Span {
  const half = Math.max(LEAST_AROUND_MS, ((span.toMs - span.fromMs) * AROUND) / Math.max(1, total) / 2);
  return { fromMs: Math.max(span.fromMs, cursorMs - half), toMs: Math.min(span.toMs, cursorMs + half) };
}

/** Of a time with gaps: the server rounds, and a hundred per cent with something missing would contradict itself. */
export const coveredWords = (share: number): string => (share >= 1 ? 'more than 99 %' : `${Math.floor(share * 100)} %`);

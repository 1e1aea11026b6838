import { readSeverities, writeSeverities } from '../../lib/severities.ts';

/** TIME-04, as the API names them. */
export const RANGES = ['24h', '7d', '30d', 'all'] as const;
export type Range = (typeof RANGES)[number];
/** TIME-09 */
export const ZOOM = { least: 1, most: 5, step: 0.5 } as const;

/** What the address says of the timeline; absent = default: 24 hours, every severity on, at the end of the range (now), not zoomed. */
export interface TimelineSearch {
  range?: Exclude<Range, '24h'>;
  /** Severities that are on, joined by commas; "none" when all are off. */
  on?: string;
  /** Instant of the cursor, RFC 3339 in UTC; a link to it shows what was known then. */
  at?: string;
  zoom?: number;
}

/** Reads an address made by anyone: what is not understood is left out, never an error. */
export function readTimelineSearch(given: Record<string, unknown>): TimelineSearch {
  const search: TimelineSearch = {};
  const range = RANGES.find((name) => name === given['range']);
  const on = writeSeverities(readSeverities(typeof given['on'] === 'string' ? given['on'] : undefined));
  const at = typeof given['at'] === 'string' && given['at'].length <= 40 ? Date.parse(given['at']) : NaN;
  const zoom = zoomOf(Number(given['zoom']));
  if (range && range !== '24h') search.range = range;
  if (on) search.on = on;
  if (Number.isFinite(at)) search.at = writeInstant(at);
  if (zoom !== ZOOM.least) search.zoom = zoom;
  return search;
}

/** The nearest zoom there is. */
export function zoomOf(given: number): number {
  if (!Number.isFinite(given)) return ZOOM.least;
  return Math.min(ZOOM.most, Math.max(ZOOM.least, Math.round(given / ZOOM.step) * ZOOM.step));
}

/** Whole seconds are enough for a link. */
export const writeInstant = (atMs: number): string => new Date(Math.round(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');

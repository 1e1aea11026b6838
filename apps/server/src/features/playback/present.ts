import { createHash } from 'node:crypto';
import type { playback } from '@nwms/contract';
import type { Instant, Severity, Shape, Span } from '@nwms/domain';
import type { FullTimelineRow, TimelineRow } from '../alerts/index.ts';

export type BySeverity = Record<Severity, number>;

const iso = (at: Instant) => new Date(at).toISOString();
const isoOrNull = (at: Instant | null) => (at === null ? null : iso(at));
export const noSeverities = (): BySeverity => ({ Extreme: 0, Severe: 0, Moderate: 0, Minor: 0, Unknown: 0 });

/** Equal shapes travel once: 12 characters of base32 over their coordinates. */
export function shapeIdOf(json: string): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  const digest = createHash('sha256').update(json).digest();
  return [...digest.subarray(0, 12)].map((byte) => letters.charAt(byte % letters.length)).join('');
}

export interface Presented {
  item: playback.TimelineItem;
  shape: { id: string; geometry: Shape } | null;
}

/** One row of the wire. `i` is its place in the whole answer, whatever page it is on. */
export function presentItem(timeline: FullTimelineRow, i: number, lastOfEvent: boolean, geometry: 'none' | 'label' | 'display'): Presented {
  const { row, shownFrom, shownUntil } = timeline;
  const { alert, presented } = row;
  const shape =
    geometry === 'display' && presented.area.shape
      ? { id: shapeIdOf(presented.area.json), geometry: JSON.parse(presented.area.json) as Shape }
      : null;
  const item: playback.TimelineItem = {
    i,
    event_id: alert.event_id,
    id: alert.id,
    version: timeline.version,
    last_version: lastOfEvent,
    event: alert.event,
    family: alert.family,
    severity: alert.severity,
    hazard_rank: alert.hazard_rank,
    state_at_end: timeline.stateAtEnd,
    headline: alert.headline,
    area_desc: alert.area_desc,
    sent: alert.sent,
    marker_at: alert.sent,
    known_from: iso(timeline.knownFrom),
    known_until: isoOrNull(timeline.knownUntil),
    shown_from: iso(shownFrom),
    shown_until: isoOrNull(shownUntil),
    in_force_from: alert.in_force_from,
    in_force_until: alert.in_force_until,
    label_point: geometry === 'none' ? null : alert.label_point,
    bbox: geometry === 'none' ? null : alert.bbox,
    shape_id: shape?.id ?? null,
    geometry_source: alert.geometry_source,
    office: alert.office,
    simulated: alert.source === 'simulator',
    sample: false,
  };
  return { item, shape };
}

export const inForceAt = ({ shownFrom, shownUntil }: TimelineRow, at: Instant): boolean =>
  shownFrom <= at && (shownUntil === null || shownUntil > at);

/** Who is in force at each instant; in a gap of the record nobody knows. */
export function framesOf(
  rows: readonly TimelineRow[],
  instants: readonly Instant[],
  to: Instant,
  spans: readonly Span[],
): playback.TimelineFrame[] {
  const indexed = rows.map((row, i) => ({ row, i })).toSorted((a, b) => a.row.shownFrom - b.row.shownFrom);
  return instants.map((at, k) => {
    const gap = !covers(spans, at);
    if (gap) return { k, at: iso(at), active: null, counts: null, gap };
    // The last instant is the end of the range itself, where open rows still hold.
    const active: number[] = [];
    const counts = noSeverities();
    for (const { row, i } of indexed) {
      if (row.shownFrom > at) break;
      if (!inForceAt(row, Math.min(at, to))) continue;
      active.push(i);
      counts[row.severity] += 1;
    }
    return { k, at: iso(at), active: active.sort((a, b) => a - b), counts, gap };
  });
}

/** 100 points over the range. */
export function sparklineOf(
  rows: readonly TimelineRow[],
  from: Instant,
  to: Instant,
  spans: readonly Span[],
): playback.Timeline['sparkline'] {
  const instants = Array.from({ length: 100 }, (_, k) => from + Math.round((k * (to - from)) / 99));
  return framesOf(rows, instants, to, spans).map(({ at, active }) => ({ at, active: active?.length ?? null }));
}

const covers = (spans: readonly Span[], at: Instant): boolean => spans.some((span) => span.from <= at && at <= span.to);

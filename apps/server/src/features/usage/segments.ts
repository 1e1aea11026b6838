import { type Instant, startOfDay, startOfHour, startOfTenDays, TEN_DAYS_MS, type UsageWindow } from '@nwms/domain';
import { addressPeriod } from '../../platform/address-hash.ts';
import { DAY, HOUR, MINUTE, TEN_DAYS } from './types.ts';

/** Rows of one size in a stretch; `open`: only those that the next size does not have yet. */
export interface Segment {
  size: number;
  open: boolean;
  from: number;
  to: number;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

const openFrom = (from: number): Segment[] => [
  { size: HOUR, open: true, from, to: FOREVER },
  { size: MINUTE, open: true, from, to: FOREVER },
];

/** What adds up to a window that ends now, in as few stretches as there are: ten days, days, what is not in days yet; hours for the last 24 hours. */
export function segmentsOf(window: UsageWindow): Segment[] {
  const { from, unit } = window;
  if (unit === 'hour') return hoursFrom(from);
  // The first ten days that lie in the window as a whole.
  const whole = startOfTenDays(from + TEN_DAYS_MS - 1);
  return [
    { size: TEN_DAYS, open: false, from: whole, to: FOREVER },
    { size: DAY, open: false, from, to: whole },
    { size: DAY, open: true, from: whole, to: FOREVER },
    ...openFrom(from),
  ];
}

/** The same, every day by itself. */
export function daysOf({ from, unit }: UsageWindow): Segment[] {
  return unit === 'hour' ? hoursFrom(from) : [{ size: DAY, open: false, from, to: FOREVER }, ...openFrom(from)];
}

/** The same, every hour by itself. */
export const hoursFrom = (from: number): Segment[] => [
  { size: HOUR, open: false, from, to: FOREVER },
  { size: MINUTE, open: true, from, to: FOREVER },
];

/** What adds up to a window that ended in the past; the hour it ends in is not among it. */
export function pastSegments({ from, to, unit }: UsageWindow): Segment[] {
  const hour = startOfHour(to);
  const day = unit === 'day' ? startOfDay(to) : from;
  const days =
    unit === 'day'
      ? [
          { size: DAY, open: false, from, to: day },
          { size: HOUR, open: true, from, to: day },
          { size: MINUTE, open: true, from, to: day },
        ]
      : [];
  return [...days, { size: HOUR, open: false, from: day, to: hour }, { size: MINUTE, open: true, from: day, to: hour }];
}

/** A window of at most 90 days touches at most two periods: everything in it is counted under the key of its end. */
export const keyPeriod = (window: UsageWindow): number => addressPeriod(window.to);
export const isCountedAsNext = (start: number, period: number): boolean => addressPeriod(start) < period;

/**
 * Stored rows by what changes them. Open: the last minutes, written by every batch. Closed: minutes before them that no hour has yet, as a rule written no more. Running:
 * hours that no day has yet, written by roll-ups. Settled: everything bigger, and hours that are in a day; changed by the end of a day, late rows, the end of an account, retention.
 */
export const SETTLED = 0;
export const RUNNING = 1;
export const CLOSED = 2;
export const OPEN = 3;
export type Layer = typeof SETTLED | typeof RUNNING | typeof CLOSED | typeof OPEN;

/** Which rows are read: those of this layer and the ones above it; of minutes those from `closedFrom` on, of which those from `closedTo` on are open. */
export interface Reach {
  lowest: Layer;
  closedFrom: Instant;
  closedTo: Instant;
}

/** Everything there is. */
export const EVERYTHING: Reach = { lowest: SETTLED, closedFrom: 0, closedTo: 0 };

/** Rows of one layer. `rolled`: only those that the next size does not have (0) or has (1). */
export interface LayeredSegment {
  size: number;
  from: number;
  to: number;
  rolled: 0 | 1 | null;
  layer: Layer;
}

/** What of a segment lies within reach. */
export function layersOf<T extends Segment>(segment: T, { lowest, closedFrom, closedTo }: Reach): (Omit<T, 'open'> & LayeredSegment)[] {
  const { open, ...rest } = segment;
  const of = (layer: Layer, rolled: 0 | 1 | null, from = rest.from, to = rest.to) =>
    layer < lowest || from >= to ? [] : [{ ...rest, from, to, layer, rolled }];
  if (segment.size === MINUTE) {
    const closed = of(CLOSED, 0, Math.max(rest.from, closedFrom), Math.min(rest.to, closedTo));
    return [...closed, ...of(OPEN, 0, Math.max(rest.from, closedTo))];
  }
  if (segment.size === HOUR) return [...(open ? [] : of(SETTLED, 1)), ...of(RUNNING, 0)];
  return of(SETTLED, open ? 0 : null);
}

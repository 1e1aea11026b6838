import { startOfDay, startOfTenDays, TEN_DAYS_MS, type UsageWindow } from '@nwms/domain';
import { ADDRESS_PERIOD_MS } from '../../platform/address-hash.ts';
import { keyPeriod, type Segment } from './segments.ts';
import { DAY, HOUR, MINUTE, type PrincipalKind, TEN_DAYS } from './types.ts';

export interface VisitorQuestion {
  window: UsageWindow;
  principal: PrincipalKind | null;
}

/** A stretch of rows of one size, of which all of this holds alike. */
export interface Piece extends Segment {
  /** Before the window: tells only who is not new. */
  isHistory: boolean;
  /** Of the period before the window's key: known by the names under that key. */
  isNext: boolean;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

/** Everything that tells of a window and of the time before it that can be recognised: the period of the window's key and the one before. */
export function piecesOf(window: UsageWindow): Piece[] {
  const keyFrom = keyPeriod(window) * ADDRESS_PERIOD_MS;
  const cuts = [window.from, keyFrom].sort((a, b) => a - b);
  return segmentsOf(window, keyFrom - ADDRESS_PERIOD_MS).flatMap(({ size, open, from, to }) => {
    const ends = [...cuts.filter((cut) => cut > from && cut < to), to];
    return ends.flatMap((end, n): Piece[] => {
      const start = n === 0 ? from : (ends[n - 1] ?? from);
      if (start >= end) return [];
      return [{ size, open, from: start, to: end, isHistory: start < window.from, isNext: start < keyFrom }];
    });
  });
}

function segmentsOf({ from, unit }: UsageWindow, history: number): Segment[] {
  // The last 24 hours begin inside a day: that day by hours, the days before it whole.
  const edge = unit === 'day' ? from : startOfDay(from);
  const tens = startOfTenDays(edge);
  /** The first ten days that lie in the window as a whole. */
  const whole = unit === 'day' ? startOfTenDays(edge + TEN_DAYS_MS - 1) : FOREVER;
  return [
    { size: TEN_DAYS, open: false, from: history, to: tens },
    { size: TEN_DAYS, open: false, from: whole, to: FOREVER },
    { size: DAY, open: false, from: tens, to: unit === 'day' ? whole : edge },
    { size: DAY, open: true, from: history, to: tens },
    ...(unit === 'day' ? [{ size: DAY, open: true, from: whole, to: FOREVER }] : [{ size: HOUR, open: false, from: edge, to: FOREVER }]),
    { size: HOUR, open: true, from: history, to: unit === 'day' ? FOREVER : edge },
    { size: MINUTE, open: true, from: history, to: FOREVER },
  ];
}

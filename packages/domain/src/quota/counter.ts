import type { Instant } from '../alert/vocabulary.ts';

/**
 * One process's view of one window of one allowance. Units are used only after they were granted, and a grant is kept before it is used:
 * whatever dies, no unit is granted twice.
 */
export interface QuotaCount {
  /** Start of the window the figures are of. */
  startsAt: Instant;
  /** Units kept as granted, to all processes together, as far as this one knows. */
  granted: number;
  /** Of them granted to this process and not used (yet). Below zero: used while nothing could be kept, to be kept as soon as that works. */
  idle: number;
  /** Granted, and neither used nor held here: idle in other processes, or lost with one that was killed. Infinity: not known yet. */
  elsewhere: number;
}

/** Most of a limit that may lie granted and unused in one process. */
const AHEAD_SHARE = 200;
/** Most of a limit that may lie so in all processes together, dead ones included. */
const WASTE_SHARE = 100;

export const emptyCount = (startsAt: Instant): QuotaCount => ({ startsAt, granted: 0, idle: 0, elsewhere: Infinity });

/** The count in the window that begins at `startsAt`: a later window begins empty, an earlier one is never opened again. */
export const rollTo = (count: QuotaCount, startsAt: Instant): QuotaCount => (startsAt > count.startsAt ? emptyCount(startsAt) : count);

/** Units used, as far as known: what other processes hold idle counts as used. */
export const usedOf = (count: QuotaCount): number => count.granted - count.idle;

/** Units that still fit; never negative, also when the limit was lowered below what is used. */
export const remainingOf = (count: QuotaCount, limit: number): number => Math.max(0, limit - usedOf(count));

/** Whether `units` fit under the limit at all, granted or not. */
export const fits = (count: QuotaCount, limit: number, units: number): boolean => units <= remainingOf(count, limit);

/** Whether they may be used at once: granted, and within a limit that may have been lowered since. */
export const mayUse = (count: QuotaCount, limit: number, units: number): boolean => units <= count.idle && fits(count, limit, units);

/**
 * Units to hold ready beyond what is asked for. Small limits get none: each unit is granted when it is wanted. Half of what may still be
 * wasted at most, so that however many processes are killed in a window, one percent of it is never lost.
 */
export const aheadOf = (limit: number, elsewhere: number): number =>
  Math.max(0, Math.min(Math.floor(limit / AHEAD_SHARE), Math.floor((limit / WASTE_SHARE - elsewhere) / 2)));

/** Units to ask for so that `needed` can be used now; 0 = enough is held. Half of what is held ahead may go before more is asked for. */
export function wantedUnits(count: QuotaCount, limit: number, needed: number): number {
  const ahead = aheadOf(limit, count.elsewhere);
  const left = count.idle - needed;
  return left >= 0 && left >= ahead / 2 ? 0 : needed + ahead - count.idle;
}

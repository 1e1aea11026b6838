import type { Instant } from '../alert/vocabulary.ts';
import type { EventFact, FactStep } from './fact.ts';

export type ChangeReason = 'replaced' | 'severity' | 'impact_tags' | 'area' | 'early_end';
export type ChangeClass = 'escalating' | 'stable' | 'de_escalating';

export interface Change {
  class: ChangeClass;
  reason: ChangeReason | null;
  /** When it came about; null when stable. */
  at: Instant | null;
  before: FactStep;
  after: FactStep;
  /** Went up and came back (or the other way round). */
  swung: boolean;
  extended: boolean;
  shortened: boolean;
}

/** A rise of hazard_rank by this much is a rise of impact tags. */
const TAG_RISE = 20;
/** Smaller changes of area are drawing, not weather. */
const LEAST_KM2 = 100;
const EARLY_MS = 15 * 60_000;

/**
 * How an event changed within [from, to): the version standing at `from` (else its first) against the last that still affected a zone.
 * The first reason with a sign decides; none: stable. Null when nothing was known about it before `to`.
 */
export function classify(fact: EventFact, from: Instant, to: Instant): Change | null {
  const known = fact.steps.filter((step) => step.at < to);
  const first = known[0];
  if (!first) return null;
  const before = known.findLast((step) => step.at <= from) ?? first;
  const after = known.findLast((step) => step.live && step.at >= before.at) ?? before;
  const end = fact.end && fact.end.at < to && fact.end.at >= from ? fact.end : null;
  const [sign, reason] = firstSign(fact, before, after, end);
  const between = known.filter((step) => step.at >= before.at && step.at <= after.at);
  const moved = between.some((step) => Math.abs(step.rank - before.rank) >= TAG_RISE || severitySign(before, step) !== 0);
  return {
    class: sign > 0 ? 'escalating' : sign < 0 ? 'de_escalating' : 'stable',
    reason,
    at: sign === 0 ? null : reason === 'replaced' || reason === 'early_end' ? (end?.at ?? after.at) : after.at,
    before,
    after,
    swung: sign === 0 && moved,
    extended: (after.until ?? Infinity) > (before.until ?? Infinity),
    shortened: (after.until ?? Infinity) < (before.until ?? Infinity),
  };
}

function firstSign(fact: EventFact, before: FactStep, after: FactStep, end: EventFact['end']): [number, ChangeReason | null] {
  if (end?.how === 'upgraded' && fact.upgradedRank !== null) {
    const sign = Math.sign(fact.upgradedRank - fact.baseRank);
    if (sign !== 0) return [sign, 'replaced'];
  }
  const severity = severitySign(before, after);
  if (severity !== 0) return [severity, 'severity'];
  const rise = after.rank - before.rank;
  if (Math.abs(rise) >= TAG_RISE) return [Math.sign(rise), 'impact_tags'];
  const area = areaSign(before, after);
  if (area !== 0) return [area, 'area'];
  if (end?.how === 'cancelled' && after.until !== null) {
    const left = after.until - end.at;
    if (left >= Math.max(EARLY_MS, 0.25 * (after.until - after.from))) return [-1, 'early_end'];
  }
  return [0, null];
}

/** Unknown on either side tells nothing. */
function severitySign(before: FactStep, after: FactStep): number {
  return before.severity === 0 || after.severity === 0 ? 0 : Math.sign(after.severity - before.severity);
}

function areaSign(before: FactStep, after: FactStep): number {
  const { km2 } = before;
  if (km2 === null || km2 === 0) return 0;
  if (after.km2 !== null && after.km2 / km2 >= 1.25 && after.km2 - km2 >= LEAST_KM2) return 1;
  const kept = after.keptKm2;
  return kept !== null && kept / km2 <= 0.75 && km2 - kept >= LEAST_KM2 ? -1 : 0;
}

/** Sign of every change between successive versions in a life: rises of severity or tags up, falls down. */
export function stepSigns(fact: EventFact): { at: Instant; sign: number }[] {
  return fact.steps.slice(1).flatMap((step, index) => {
    const previous = fact.steps[index];
    if (!previous || !step.live) return [];
    const rise = step.rank - previous.rank;
    const sign = severitySign(previous, step) || (Math.abs(rise) >= TAG_RISE ? Math.sign(rise) : 0);
    return sign === 0 ? [] : [{ at: step.at, sign }];
  });
}

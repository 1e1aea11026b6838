import type { Coverage, Insufficient } from '@nwms/contract';
import { coveredDays, type CoveredSpan, type CoverageScope, coveredMs, dayOf, gapsOf, type Instant, type Span } from '@nwms/domain';

/** What our own record holds of a time. */
export interface Covered {
  /** Covered UTC days; of a cut day the part that was asked. */
  days: Set<number>;
  spans: Span[];
  wire: Coverage;
}

/** Without a scope: of all hazards everywhere, which no import covers. */
export type CoveredSpans = (from: Instant, to: Instant, scope?: CoverageScope) => Promise<CoveredSpan[]>;

/** The covered times as far as a question's hazards and places go; `level`: areas that its answer tells apart. */
export const spansFor =
  ({ coveredSpans }: { coveredSpans: CoveredSpans }, { events, codes }: CoverageScope, level?: keyof typeof PLACING_OF): CoveredSpans =>
  (from, to) =>
    coveredSpans(from, to, { events, codes, placing: level && PLACING_OF[level] });

/** What must be known of every event's place so that an area without events is one. */
const PLACING_OF = { county: 'counties', state: 'zones', office: 'none' } as const;

const MAX_GAPS = 20;
const iso = (at: Instant) => new Date(at).toISOString();

export async function coverageOf(spansOf: CoveredSpans, from: Instant, to: Instant, since: Instant | null): Promise<Covered> {
  const spans = await spansOf(from, to);
  const days = coveredDays(spans, from, to);
  const gaps = gapsOf(spans, from, to).toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return {
    days,
    spans,
    wire: {
      from: iso(from),
      to: iso(to),
      days: dayOf(to - 1) - dayOf(from) + 1,
      covered_days: days.size,
      share: round2(coveredMs(spans, from, to) / (to - from)),
      gaps: gaps.slice(0, MAX_GAPS).map((gap) => ({ from: iso(gap.from), to: iso(gap.to) })),
      archive_since: since === null ? null : iso(since),
      imported: spans.some((span) => span.imported),
    },
  };
}

/** At the edge only. */
export const round2 = (value: number): number => Math.round(value * 100) / 100;
export const roundOrNull = (value: number | null): number | null => (value === null ? null : round2(value));

export const bounds = <M extends string>(of: { low: number; high: number }, method: M) => ({
  low: round2(of.low),
  high: round2(of.high),
  level: 0.95,
  method,
});

/** Collects what could not be computed; each value left null is named here. */
export interface Lacking {
  list: Insufficient[];
  add(path: string, reason: Insufficient['reason'], need: string, have: string): null;
}

export function createLacking(): Lacking {
  const list: Insufficient[] = [];
  return {
    list,
    add(path, reason, need, have) {
      list.push({ path, reason, need, have });
      return null;
    },
  };
}

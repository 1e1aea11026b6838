import type { Coverage } from '@nwms/contract';
import { coveredDays, type CoverageScope, coveredMs, dayOf, gapsOf, type Instant, type Span } from '@nwms/domain';
import type { PlaybackDeps } from './deps.ts';

const MAX_GAPS = 20;

/** What our own record holds of the range: a gap is told, never drawn as calm. */
export async function coverageOf(
  deps: PlaybackDeps,
  from: Instant,
  to: Instant,
  scope: CoverageScope,
): Promise<{ spans: Span[]; wire: Coverage }> {
  const spans = await deps.coveredSpans(from, to, scope);
  const since = await deps.timeline.since();
  const iso = (at: Instant) => new Date(at).toISOString();
  const gaps = gapsOf(spans, from, to).toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return {
    spans,
    wire: {
      from: iso(from),
      to: iso(to),
      days: dayOf(to - 1) - dayOf(from) + 1,
      covered_days: coveredDays(spans, from, to).size,
      share: Math.round((coveredMs(spans, from, to) / (to - from)) * 100) / 100,
      gaps: gaps.slice(0, MAX_GAPS).map((gap) => ({ from: iso(gap.from), to: iso(gap.to) })),
      archive_since: since === null ? null : iso(since),
      imported: spans.some((span) => span.imported),
    },
  };
}

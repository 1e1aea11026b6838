import { type CoveredSpan, type CoverageScope, gapsOf, type ImportedSpan, importedSpans, type Instant, type Span } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import { readImportedSpans } from './store-imports.ts';

/** The covered parts of a time, in order: those that were observed, and between them what imports alone cover. */
export type CoveredFor = (from: Instant, to: Instant, scope?: CoverageScope) => Promise<CoveredSpan[]>;

/** Imports are rare and questions come in bursts. */
const KEPT_MS = 10_000;

/** What was observed, and what imports add to it for the hazards and places a question is about. */
export function createCoveredFor(deps: {
  clock: Clock;
  reads: Part;
  observed: (from: Instant, to: Instant, known?: CoverageScope['known']) => Promise<Span[]>;
}): CoveredFor {
  let kept: { atMs: number; spans: Promise<ImportedSpan[]> } | null = null;
  const imports = async () => {
    const nowMs = deps.clock.monotonicMs();
    if (!kept || nowMs - kept.atMs >= KEPT_MS) {
      const fresh = { atMs: nowMs, spans: readImportedSpans(deps.reads) };
      kept = fresh;
      // A failure is told to those who wait and then forgotten.
      fresh.spans.catch(() => kept === fresh && (kept = null));
    }
    try {
      return await kept.spans;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return async (from, to, scope = {}) => {
    const observed = await deps.observed(from, to, scope.known);
    const gaps = gapsOf(observed, from, to);
    if (gaps.length === 0 || !scope.events) return observed;
    const added = importedSpans(await imports(), from, to, scope);
    const filled = gaps.flatMap((gap) =>
      added.flatMap((span): CoveredSpan[] => {
        const part = { from: Math.max(gap.from, span.from), to: Math.min(gap.to, span.to) };
        return part.to > part.from ? [{ ...part, imported: true }] : [];
      }),
    );
    return [...observed, ...filled].sort((a, b) => a.from - b.from);
  };
}

import type { Instant, Source } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { GuardMemory } from './accept-snapshot.ts';
import { fetchHistory, missingEvidence } from './backfill.ts';
import type { Coverage } from './coverage.ts';
import { type ListedFact, type ReadFeatures, readFeatures } from './parse.ts';
import type { Quarantine } from './quarantine.ts';

export interface FetchedHistory {
  requestedAt: Instant;
  /** Up to when the answer can know anything: its own `updated`, if that is earlier than the request. */
  reachesTo: Instant;
  read: ReadFeatures;
  /** Everything issued since the start of the window is in it, as far as can be told. */
  isWhole: boolean;
}

export interface Histories {
  /** Messages seen in any list: every later history that reaches back to them must hold them. */
  remember(facts: readonly ListedFact[]): void;
  /** The history of what may have been missed, or null when none is due or none came in time. */
  fetchIfDue(guard: GuardMemory, signal: AbortSignal): Promise<FetchedHistory | null>;
  /** After its messages were stored. */
  done(history: FetchedHistory): Promise<void>;
  counts(): { done: number; failed: number };
}

/** Warnings of the list in hand must not wait longer than this for the past. */
const BUDGET_MS = 20_000;
/** A message may take this long to appear in every node's history. */
const SETTLED_MS = 120_000;
/** Messages remembered as evidence: as long as the longest overlap plus the sweep, with a margin. */
const REMEMBERED_MS = 3 * 3_600_000;
/** Enough evidence for any window; bounds a simulation at full speed. */
const MAX_REMEMBERED = 20_000;

export function createHistories(deps: {
  source: Source;
  clock: SteadyClock;
  log: Log;
  outbound: Outbound;
  coverage: Coverage;
  quarantine: Quarantine;
}): Histories {
  const { clock, log, coverage } = deps;
  /** By upstream id, oldest first. */
  const remembered = new Map<string, { upstreamId: string; sent: Instant }>();
  const counts = { done: 0, failed: 0 };

  const remember = (facts: readonly ListedFact[]) => {
    const oldest = clock.now() - REMEMBERED_MS;
    for (const { upstreamId, sent } of facts) if (sent >= oldest) remembered.set(upstreamId, { upstreamId, sent });
    for (const [id, { sent }] of remembered) if (sent < oldest || remembered.size > MAX_REMEMBERED) remembered.delete(id);
  };
  const failed = (detail: object) => {
    counts.failed++;
    coverage.historyFailed();
    log.warn(detail, 'The upstream history could not be read whole');
  };

  return {
    remember,
    async fetchIfDue(guard, signal) {
      const since = coverage.historyDue();
      if (since === null) return null;
      const requestedAt = clock.now();
      const budget = new AbortController();
      const cancelBudget = clock.after(BUDGET_MS, () => budget.abort());
      const answer = await fetchHistory(deps.outbound, since, AbortSignal.any([signal, budget.signal])).finally(cancelBudget);
      if (answer.kind !== 'list') {
        if (!signal.aborted) failed({ since, failure: answer.kind === 'failed' ? answer.failure.kind : answer.kind });
        return null;
      }
      const read = await readFeatures(answer.list.features, { source: deps.source, receivedAt: clock.now(), known: new Map() });
      await deps.quarantine.keep(read.unreadable, requestedAt);
      const got = new Set([
        ...read.readable.map(({ fact }) => fact.upstreamId),
        ...read.unreadable.map(({ upstreamId }) => upstreamId ?? ''),
      ]);
      const evidence = [...remembered.values(), ...(guard.listed?.values() ?? [])];
      const missing = missingEvidence(evidence, got, since, requestedAt - SETTLED_MS);
      // Nowhere in the country nothing for two hours, or for twenty minutes: not in the records.
      const isEmpty = deps.source === 'nws' && got.size === 0;
      const isWhole = answer.list.complete && missing === 0 && !isEmpty;
      if (!isWhole) failed({ since, missing, because: answer.list.incompleteBecause });
      if (answer.list.incompleteBecause === 'page_cap' && missing === 0) coverage.historyCut(requestedAt);
      return { requestedAt, reachesTo: Math.min(requestedAt, answer.list.updated ?? requestedAt), read, isWhole };
    },
    async done({ reachesTo, read, isWhole }) {
      remember(read.readable.map(({ fact }) => fact));
      if (!isWhole) return;
      counts.done++;
      await coverage.historyDone(reachesTo);
    },
    counts: () => ({ ...counts }),
  };
}

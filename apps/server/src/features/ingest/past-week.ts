import type { Instant } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { Apply } from './apply.ts';
import { fetchWindow, missingEvidence } from './backfill.ts';
import { HISTORY_DEPTH_MS } from './coverage.ts';
import { readFeatures } from './parse.ts';
import type { Quarantine } from './quarantine.ts';
import { BEFORE_FIRST_START, type Gap, type IngestConfig, type IngestStore } from './types.ts';

/** What upstream is about to forget is not begun with. */
const EDGE_MS = 3_600_000;
/** An ordinary quarter of a day is one page of 500, an outbreak a few. */
const WINDOW_MS = 6 * 3_600_000;
/** Requests of one round: the list of every half minute comes first, and the weather service asks for modest use. */
const WINDOWS_PER_ROUND = 2;
/** The next list must not wait longer than this for the past. */
const BUDGET_MS = 12_000;
const RETRY_FIRST_MS = 60_000;
const RETRY_CAP_MS = 1_800_000;
/** An answer that lacks what must be in it is asked for again so often; then the record begins behind it. */
const MAX_TRIES = 5;

/** The week before the first list of live data: read once, oldest first, a few hours per round, and gone on with after a restart. */
export interface PastWeek {
  restore(): Promise<void>;
  /** The next hours, if any are due. `listed` is what the active list holds: evidence for how whole an answer is. Throws nothing. */
  step(listed: Iterable<{ upstreamId: string; sent: Instant }>, signal: AbortSignal): Promise<void>;
}

export interface PastWeekDeps {
  config: Pick<IngestConfig, 'feed'>;
  clock: SteadyClock;
  log: Log;
  outbound: Outbound;
  store: IngestStore;
  apply: Pick<Apply, 'past'>;
  quarantine: Quarantine;
}

type Listed = Iterable<{ upstreamId: string; sent: Instant }>;

export function createPastWeek(deps: PastWeekDeps): PastWeek {
  const { clock, log, store } = deps;
  /** Where it stands: from its beginning up to `to` everything is stored. */
  let mark: Gap | null = null;
  /** First list of the record: from there on polls know. */
  let until: Instant | null = null;
  let isOver = deps.config.feed !== 'nws';
  let tries = 0;
  let retryAtMs = 0;

  const begin = async (from: Instant) => {
    const id = await store.openGap({ from, cause: BEFORE_FIRST_START });
    await store.closeGap(id, { to: from, backfilled: false });
    mark = { id, from, to: from, cause: BEFORE_FIRST_START, backfilled: false };
    return mark;
  };
  const retryLater = (detail: object) => {
    tries += 1;
    retryAtMs = clock.monotonicMs() + Math.min(RETRY_CAP_MS, RETRY_FIRST_MS * 2 ** Math.min(10, tries - 1));
    log.warn(detail, 'A part of the week before the first start could not be read whole; it is tried again');
  };
  const reached = async (at: Mark, to: Instant, end: Instant, whole: boolean) => {
    tries = 0;
    isOver = to >= end;
    // What the record may rely on begins behind the last hole.
    const kept = whole ? at : await begin(to);
    await store.closeGap(kept.id, { to, backfilled: isOver });
    mark = { ...kept, to, backfilled: isOver };
    if (isOver) log.info({ from: mark.from, to }, 'The week before the first start is on record');
  };

  /** One window; false when the rest has to wait. */
  const readWindow = async (at: Mark, end: Instant, listed: Listed, signal: AbortSignal): Promise<boolean> => {
    const to = Math.min(at.to + WINDOW_MS, end);
    const answer = await fetchWindow(deps.outbound, at.to, to, signal);
    if (answer.kind !== 'list') {
      if (!signal.aborted) retryLater({ from: at.to, to, failure: answer.kind === 'failed' ? answer.failure.kind : answer.kind });
      return false;
    }
    const read = await readFeatures(answer.list.features, { source: 'nws', receivedAt: clock.now(), known: new Map() });
    await deps.quarantine.keep(read.unreadable, clock.now());
    const got = new Set([...read.readable.map(({ fact }) => fact.upstreamId), ...read.unreadable.map((each) => each.upstreamId ?? '')]);
    const missing = missingEvidence(listed, got, at.to, to);
    // Nothing in the whole country for hours is not calm: upstream keeps less than we asked for.
    const isWhole = answer.list.complete && missing === 0 && got.size > 0;
    if (!isWhole && tries < MAX_TRIES - 1) {
      retryLater({ from: at.to, to, missing, because: answer.list.incompleteBecause });
      return false;
    }
    const stored = await deps.apply.past(read);
    await reached(at, to, end, isWhole);
    log.debug({ from: at.to, to, stored }, 'Some hours before the first start are on record');
    return !isOver;
  };

  const place = async (): Promise<{ mark: Mark; end: Instant } | null> => {
    until ??= await store.firstGoodPollAt();
    const oldest = clock.now() - HISTORY_DEPTH_MS;
    // A record that is older than what upstream keeps has nothing to gain.
    if (until === null || until <= oldest) return null;
    if (mark === null || (mark.to ?? mark.from) < oldest) await begin(oldest + EDGE_MS);
    const { id, from, to } = mark as unknown as Gap;
    return { mark: { id, from, to: to ?? from, cause: BEFORE_FIRST_START, backfilled: false }, end: until };
  };

  return {
    async restore() {
      if (isOver) return;
      mark = (await store.gaps(0)).findLast(({ cause }) => cause === BEFORE_FIRST_START) ?? null;
      isOver = mark?.backfilled ?? false;
    },
    async step(listed, signal) {
      if (isOver || clock.monotonicMs() < retryAtMs) return;
      const budget = new AbortController();
      const cancelBudget = clock.after(BUDGET_MS, () => budget.abort());
      try {
        for (let n = 0; n < WINDOWS_PER_ROUND; n += 1) {
          const at = await place();
          if (!at) {
            isOver = until !== null;
            return;
          }
          if (!(await readWindow(at.mark, at.end, listed, AbortSignal.any([signal, budget.signal])))) return;
        }
      } catch (error) {
        if (!signal.aborted) retryLater({ err: error });
      } finally {
        cancelBudget();
      }
    },
  };
}

type Mark = Gap & { to: Instant };

import type { Instant, Source } from '@nwms/domain';
import type { RunResult } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { PollRecord } from '../alerts/types.ts';
import type { Places } from '../places/types.ts';
import { type GuardMemory, judgeSnapshot, type Verdict } from './accept-snapshot.ts';
import type { Apply } from './apply.ts';
import { fetchActive, type Validators } from './fetch-active.ts';
import type { Histories } from './history.ts';
import { type KnownFeatures, type ListedFact, type ReadFeatures, readFeatures } from './parse.ts';
import type { Quarantine } from './quarantine.ts';
import type { ListFailure, UpstreamList } from './read-pages.ts';
import type { SeenDelays } from './seen-delays.ts';
import type { Cause, IngestState } from './state.ts';
import type { IngestStore } from './types.ts';

export interface RoundDeps {
  source: Source;
  clock: SteadyClock;
  log: Log;
  outbound: Outbound;
  store: IngestStore;
  state: IngestState;
  apply: Apply;
  histories: Histories;
  quarantine: Quarantine;
  seenDelays: SeenDelays;
  places: Pick<Places, 'ensure'>;
  /** Counts a finished round by its result word. */
  count(result: string): void;
}

/** What one round hands to the next. Replaced only when a round succeeded to its end. */
interface Carry {
  guard: GuardMemory;
  validators: Validators | null;
  /** Of the last accepted list's bytes: the same bytes again say the same. */
  digest: string | null;
  known: KnownFeatures;
  listedIds: ReadonlySet<string>;
}

interface GoodList {
  list: UpstreamList;
  read: ReadFeatures;
}

/** One round: fetch, judge, read, store. Returns when it is due again; throws nothing. */
export interface Rounds {
  run(signal: AbortSignal): Promise<RunResult>;
  /** What the last accepted list holds. */
  listed(): Iterable<ListedFact>;
}

export function createRounds(deps: RoundDeps): Rounds {
  let carry: Carry | null = null;

  const fail = async (startedAt: Instant, reason: string, cause: Cause): Promise<void> => {
    deps.count(reason);
    deps.state.rejected(cause);
    await deps.store.recordFailedPoll({ startedAt, reason });
  };

  async function round(startedAt: Instant, signal: AbortSignal): Promise<RunResult> {
    carry ??= await firstCarry(deps.store);
    const before = carry;
    // While the list stands still it is asked for whole: a stuck cache also confirms its own validators.
    const asked = {
      validators: deps.state.isFrozen() ? null : before.validators,
      sameAs: before.digest,
      isKnown: (digest: string) => before.known.has(digest),
    };
    const answer = await fetchActive(deps.outbound, asked, signal);
    if (answer.kind === 'failed') return failedAnswer(startedAt, answer.failure);
    if (answer.kind === 'not_modified') {
      watchClock(deps, answer.facts.date);
      if (before.guard.listed === null) return reject(startedAt, 'not_modified_unasked', 'poll_failing');
      // The accepted list stands: what a poll in between seemed to show has to be seen twice from here on.
      await store(startedAt, { ...before, guard: { ...before.guard, suspected: null } }, null, false, signal);
      return { kind: 'ok' };
    }
    watchClock(deps, answer.list.facts.date);
    const receivedAt = deps.clock.now();
    const read = await readFeatures(answer.list.features, { source: deps.source, receivedAt, known: before.known });
    const verdict = judgeSnapshot(before.guard, snapshotOf(answer.list, read), receivedAt);
    return settle(startedAt, before, { list: answer.list, read }, verdict, signal);
  }

  async function settle(startedAt: Instant, before: Carry, good: GoodList, verdict: Verdict, signal: AbortSignal): Promise<RunResult> {
    await deps.quarantine.keep(good.read.unreadable, startedAt);
    deps.histories.remember(good.read.readable.map(({ fact }) => fact));
    for (const { message } of good.read.readable) if (message) deps.places.ensure(message.zones);
    if (verdict.kind === 'quarantine') {
      deps.log.warn(
        { reason: verdict.reason, unexplained: verdict.unexplained, because: good.list.incompleteBecause },
        'List not used for absence',
      );
      await deps.apply.loose(verdict.reason === 'older_snapshot' ? newerThan(good.read, before.guard.updated) : good.read);
      carry = { ...before, guard: verdict.memory };
      return reject(startedAt, verdict.reason, verdict.reason === 'shrink_quarantined' ? 'shrink_quarantined' : 'poll_failing');
    }
    await store(startedAt, { ...before, guard: verdict.memory }, good, verdict.changed, signal);
    return { kind: 'ok' };
  }

  /** An accepted list, or (`good` null) the confirmation that the last one still stands. */
  async function store(startedAt: Instant, next: Carry, good: GoodList | null, looksChanged: boolean, signal: AbortSignal): Promise<void> {
    const owesAfterList = deps.state.coverage.owesAfterList();
    const history = await deps.histories.fetchIfDue(next.guard, signal);
    const isFirst = carry?.guard.listed === null;
    const plan = await deps.apply.plan(good?.read ?? null, history?.read ?? null);
    // After a start there is no list to compare with: only a message never stored before is a change.
    const changed = looksChanged && (!isFirst || plan.newInList > 0 || deps.state.facts().lastChangeAt === null);
    const facts = good?.list.facts;
    const poll: PollRecord = {
      startedAt,
      outcome: changed ? 'ok' : 'unchanged',
      etag: facts ? facts.etag : (next.validators?.etag ?? null),
      lastModified: facts ? facts.lastModified : (next.validators?.lastModified ?? null),
      upstreamUpdatedAt: next.guard.updated,
      listedCount: next.guard.listed?.size ?? 0,
    };
    const listedIds = good ? plan.listedIds : next.listedIds;
    await deps.apply.commit(plan, { poll, listed: !changed && deps.state.isFrozen() ? null : listedIds });
    if (good && deps.state.isContinuous(startedAt)) deps.seenDelays.record(plan.firstSeen);
    const known = good ? await deps.apply.learn(good.read) : { known: next.known, listedIds };
    carry = {
      ...next,
      ...known,
      validators: facts ? { etag: facts.etag, lastModified: facts.lastModified } : next.validators,
      digest: good ? good.list.digest : next.digest,
    };
    deps.count(changed ? 'ok' : 'unchanged');
    await deps.state.accepted({ startedAt, changed });
    if (history) await deps.histories.done(history);
    else if (owesAfterList) await fillUp(next.guard, signal);
  }

  /** The past that did not have to come before the list: after a short absence the list alone brings everything that is in force. */
  async function fillUp(guard: GuardMemory, signal: AbortSignal): Promise<void> {
    const history = await deps.histories.fetchIfDue(guard, signal);
    if (!history) return;
    await deps.apply.loose(history.read);
    await deps.histories.done(history);
  }

  async function reject(startedAt: Instant, reason: string, cause: Cause): Promise<RunResult> {
    await fail(startedAt, reason, cause);
    return { kind: 'ok' };
  }

  async function failedAnswer(startedAt: Instant, failure: ListFailure): Promise<RunResult> {
    if (failure.kind === 'aborted') return { kind: 'ok' };
    const reason =
      failure.kind === 'http_error' ? (failure.blocked && failure.status === 403 ? 'blocked' : `http_${failure.status}`) : failure.kind;
    const correlationId = 'facts' in failure ? failure.facts.correlationId : null;
    deps.log.warn({ reason, correlationId, detail: 'detail' in failure ? failure.detail : null }, 'Poll failed');
    await fail(startedAt, reason, 'poll_failing');
    return { kind: 'failed', retryAfterSeconds: failure.kind === 'http_error' ? failure.retryAfterSeconds : null };
  }

  return {
    listed: () => carry?.guard.listed?.values() ?? [],
    async run(signal) {
      const startedAt = deps.clock.now();
      try {
        return await round(startedAt, signal);
      } catch (error) {
        // Nothing of this round counts: the next one asks for the whole list again with the old validators.
        deps.count('store_failed');
        deps.state.rejected('poll_failing');
        deps.log.error({ err: error }, 'A poll could not be stored');
        return { kind: 'again' };
      }
    },
  };
}

async function firstCarry(store: IngestStore): Promise<Carry> {
  const last = await store.lastGoodPoll();
  const guard = { updated: last?.upstreamUpdatedAt ?? null, listed: null, earlierCount: last?.listedCount ?? null, suspected: null };
  return { guard, validators: null, digest: null, known: new Map(), listedIds: new Set() };
}

/**
 * What an older list holds and we do not was over before our list was made, its cancel included: taking it in would invent a warning. Only
 * what was sent later than our list is new.
 */
function newerThan(read: ReadFeatures, updated: Instant | null): ReadFeatures {
  return { ...read, readable: read.readable.filter(({ fact }) => updated === null || fact.sent > updated) };
}

function snapshotOf(list: UpstreamList, read: ReadFeatures) {
  return {
    updated: list.updated,
    facts: read.readable.map((feature) => feature.fact),
    unreadableIds: read.unreadable.map((feature) => feature.upstreamId).filter((id) => id !== null),
    complete: list.complete,
  };
}

/** Skew beyond a minute is worth an alarm (I7); the weather service's clock is not the truth, so ours stays unless a jump is pending. */
function watchClock(deps: Pick<RoundDeps, 'clock' | 'log'>, date: Instant | null): void {
  if (date === null) return;
  deps.clock.confirm(date);
  const { upstreamSkewMs, suspectedJumpMs } = deps.clock.state();
  if (upstreamSkewMs !== null && Math.abs(upstreamSkewMs) > 60_000) {
    deps.log.warn({ upstreamSkewMs, suspectedJumpMs }, 'Clock differs from upstream by more than a minute');
  }
}

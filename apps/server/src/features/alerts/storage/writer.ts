import { applyMessage, applyPresence, orderForApply, tick, type EventState, type Instant, type Stepped } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Log } from '../../../platform/log.ts';
import { createBatch, type Batch } from './batch.ts';
import { InDoubt, type Committer } from './committer.ts';
import type { EncodeAlert } from '../encode.ts';
import { identifyIncoming, loadIdentities, type Identified } from './identify-incoming.ts';
import type { CommittedLog } from './log.ts';
import type { MessagesStore } from './messages-store.ts';
import { prefetch } from './prefetch.ts';
import { relocateEvent, type ShapeOf } from './relocate.ts';
import type { PresenceMark } from './store.ts';
import { FOREVER } from './tables.ts';
import { createTurns } from './turns.ts';
import type { AlertWriter, ApplyResult, SnapshotInput } from '../types.ts';
import { sameButForListing, type Held, type WorkingSet } from './working-set.ts';

/** Events that are over stay in memory this long, for late messages and for lists of the last days. */
export const HELD_AFTER_OVER_MS = 7 * 24 * 3_600_000;

/** The writer as storage holds it. */
export interface PreparedWriter extends AlertWriter {
  /** Takes the right to write and brings memory to what the store says. Rejects as the calls of the writer do. */
  prepare(): Promise<void>;
}

export interface WriterDeps {
  clock: Clock;
  log: Log;
  set: WorkingSet;
  store: MessagesStore;
  committer: Committer;
  committed: CommittedLog;
  encodeAlert: EncodeAlert;
  shapeOf: ShapeOf;
  /** Fills the working set from the store anew, after another process wrote. */
  reload: () => Promise<void>;
  pause: () => Promise<void>;
}

type Work = (
  batch: Batch,
  now: Instant,
) => Promise<{ poll: SnapshotInput['poll']; presence: PresenceMark | null; stored: number; duplicates: number }>;

/**
 * The one writer. Each call runs alone, from what is committed to what is committed: it asks the state machine over the working
 * set, writes everything in one transaction, and announces after COMMIT. When that fails the working set is as before and nothing
 * is told; the next call tries again (I5, I6).
 */
export function createAlertWriter(deps: WriterDeps): PreparedWriter {
  const { clock, set } = deps;
  const inTurn = createTurns();
  const makeReady = createReadiness(deps);
  const run = (work: Work) => inTurn(() => runBatch(deps, makeReady, work));
  const unchanged = { poll: null, presence: null, stored: 0, duplicates: 0 };
  return {
    prepare: () => inTurn(makeReady),
    storedId: createStoredIds(deps, inTurn),
    applySnapshot: (input) => run((batch, now) => applySnapshot(deps, input, batch, now)),
    tick: async () => {
      if (set.nextDueAt() > clock.now() && deps.committer.isReady()) return { seqs: null, stored: 0, duplicates: 0 };
      return run(async (batch, now) => {
        for (const held of inOrder(set, (each) => each.dueAt <= now)) {
          step(deps, batch, held.event, now, () => tick(held.event, now), true);
          set.ticked(held.event.eventId, now);
          await deps.pause();
        }
        return unchanged;
      });
    },
    nextTickAt: () => {
      const next = set.nextDueAt();
      return next === FOREVER ? null : next;
    },
    relocate: (codes) =>
      run(async (batch, now) => {
        const wanted = new Set(codes);
        for (const held of inOrder(set, (each) => each.overAt > now && each.event.zones.some((zone) => wanted.has(zone.code)))) {
          step(deps, batch, held.event, now, () => relocateEvent(held, deps.shapeOf, set, now));
          await deps.pause();
        }
        return unchanged;
      }),
  };
}

/** The order of entries must not depend on what happens to lie where in memory: earlier ends first, then by name. */
function inOrder(set: WorkingSet, wanted: (held: Held) => boolean): Held[] {
  const found: Held[] = [];
  for (const held of set.all()) if (wanted(held)) found.push(held);
  return found.sort((a, b) => a.overAt - b.overAt || (a.event.eventId < b.event.eventId ? -1 : 1));
}

async function applySnapshot(deps: WriterDeps, input: SnapshotInput, batch: Batch, now: Instant): ReturnType<Work> {
  const { set, store, pause } = deps;
  const identified = await identifyIncoming(set, store, input.incoming, input.listed);
  await prefetch(
    set,
    store,
    identified.fresh.map(({ message }) => message),
    now,
  );
  const stored = await applyMessages(deps, input, identified, batch, now);
  const { poll } = input;
  if (poll && identified.listed) {
    const accepted = { startedAt: poll.startedAt, listed: identified.listed };
    for (const { event } of inOrder(set, (each) => each.overAt > now || each.event.withdrawnAt !== null)) {
      step(deps, batch, event, now, () => applyPresence(event, accepted, now));
      await pause();
    }
  }
  const presence = poll && identified.listed ? { startedAt: poll.startedAt, now } : null;
  return { poll, presence, stored, duplicates: identified.duplicates };
}

/** One message that the machine cannot take must not stop the others: it is reported and comes again with the next list (A6). */
async function applyMessages(deps: WriterDeps, input: SnapshotInput, identified: Identified, batch: Batch, now: Instant): Promise<number> {
  const raws = new Map(identified.fresh.map((each) => [each.message.id, each]));
  let stored = 0;
  for (const message of orderForApply(identified.fresh.map((each) => each.message))) {
    const incoming = raws.get(message.id);
    if (!incoming) continue;
    const listed = identified.listedFresh.has(message.id);
    try {
      deps.set.putMessage(message);
      const applied = applyMessage(deps.set, message, {
        now,
        listed,
        pollStartedAt: input.poll?.startedAt ?? null,
        past: input.past ?? false,
      });
      batch.add(applied, now, incoming);
      deps.set.accept(message);
      stored += 1;
    } catch (error) {
      deps.log.error({ err: error, messageId: message.id }, 'A message could not be applied and is left out; it will be tried again.');
    }
    await deps.pause();
  }
  return stored;
}

/** Takes over what the machine says about one event. A listing alone is kept in memory and written with the poll. */
function step(deps: WriterDeps, batch: Batch, event: EventState, now: Instant, ask: () => Stepped, due = false): void {
  try {
    const stepped = ask();
    if (stepped.isListing) deps.set.putListed(stepped.event);
    else if (stepped.entries.length > 0 || !sameButForListing(event, stepped.event))
      batch.add({ events: [stepped.event], entries: stepped.entries }, now);
    else if (due || stepped.event !== event) deps.set.put(stepped.event, now);
  } catch (error) {
    deps.log.error({ err: error, eventId: event.eventId }, 'An event could not be moved on; it will be tried again.');
  }
}

async function runBatch(deps: WriterDeps, makeReady: () => Promise<void>, work: Work): Promise<ApplyResult> {
  const { set, committer, committed } = deps;
  await makeReady();
  const now = deps.clock.now();
  const headSeq = committed.latestSeq();
  const batch = createBatch(set, deps.encodeAlert, deps.shapeOf, headSeq);
  try {
    const { poll, presence, stored, duplicates } = await work(batch, now);
    const announced = batch.committed();
    const last = headSeq + announced.entries.length;
    if (!batch.isEmpty() || poll)
      await committer.commit({ rows: batch.rows(poll), headSeq, presence }).catch((error: unknown) => settle(deps, error));
    set.keep();
    set.forget(now - HELD_AFTER_OVER_MS);
    if (!batch.isEmpty()) committed.announce(announced);
    return { seqs: last > headSeq ? { first: headSeq + 1, last } : null, stored, duplicates };
  } catch (error) {
    set.undo();
    throw databaseFault(error);
  }
}

/** A commit in doubt is cleared up at once if the database answers; else at the start of the next call, with nothing told meanwhile. */
async function settle(deps: WriterDeps, error: unknown): Promise<void> {
  if (!(error instanceof InDoubt)) throw error;
  const fate = await deps.committer.claim();
  if (fate === 'lost') throw error.cause;
}

/** Before anything is decided: the right to write is held, no commit is in doubt, and memory is what the store says. */
function createReadiness({ committer, committed, reload }: WriterDeps): () => Promise<void> {
  let isCurrent = false;
  return async () => {
    if (isCurrent && committer.isReady()) return;
    isCurrent = false;
    if (!committer.isReady()) await committer.claim();
    // Whoever wrote meanwhile (another process, or our own commit of unknown outcome): the store is right.
    try {
      await committed.catchUp();
      await reload();
    } catch (error) {
      throw databaseFault(error);
    }
    isCurrent = true;
  };
}

/** Answers many questions of one moment with one query; what memory knows costs none. */
function createStoredIds(deps: WriterDeps, inTurn: <T>(run: () => Promise<T>) => Promise<T>): AlertWriter['storedId'] {
  const { set, store } = deps;
  let waiting: { upstreamId: string; contentHash: string }[] = [];
  let round: Promise<void> | null = null;
  return async (upstreamId, contentHash) => {
    const known = set.idOf(upstreamId, contentHash);
    if (known !== undefined) return known;
    waiting.push({ upstreamId, contentHash });
    round ??= inTurn(async () => {
      const asked = waiting;
      waiting = [];
      round = null;
      await loadIdentities(set, store, asked);
    });
    await round.catch((error: unknown) => {
      throw databaseFault(error);
    });
    return set.idOf(upstreamId, contentHash) ?? null;
  };
}

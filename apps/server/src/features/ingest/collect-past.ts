import type { Instant, Source } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { AlertWriter } from '../alerts/types.ts';
import type { Places } from '../places/types.ts';
import { createApply } from './apply.ts';
import { type KnownFeatures, type ReadFeatures, readFeatures } from './parse.ts';
import { createQuarantine } from './quarantine.ts';
import { createTurns } from './turns.ts';
import type { IngestStore } from './types.ts';

/** A world whose past can be asked for, such as the simulator's. */
export interface KnownWorld {
  /** Everything sent with from < sent <= to. */
  issuedBetween(from: Instant, to: Instant): readonly unknown[];
  /** Null: what a list lacks is not asked for. */
  listedAt: ((at: Instant) => readonly unknown[]) | null;
}

export interface CollectPastDeps {
  source: Exclude<Source, 'nws'>;
  world: KnownWorld;
  writer: AlertWriter;
  store: IngestStore;
  log: Log;
  places: Pick<Places, 'ensure'>;
  /** Resolves when every shape asked for is there, so that no alert is told twice for a late one. */
  shapesReady(): Promise<void>;
  /** Moves the clock that the writer dates by. */
  advanceTo(at: Instant): Promise<void>;
}

/** Half as long as the shortest warnings live: each is known while it lasts. What a commit costs is most of what a year takes. */
const STEP_MS = 10 * 60_000;
/** A whole list says what is still there; an hour is soon enough for that. */
const LIST_EVERY_MS = 60 * 60_000;

/**
 * Collects [from, to) as if it had been polled all the time, only faster: the same reading, the same state machine and the same
 * transactions, with the clock of each step. Ends early when told to; what is stored by then is whole, and the next call goes on.
 */
export async function collectPast(
  deps: CollectPastDeps,
  { from, to, signal, onStep }: { from: Instant; to: Instant; signal: AbortSignal; onStep: (at: Instant, stored: number) => void },
): Promise<number> {
  const { source, world, writer } = deps;
  let stored = 0;
  const apply = createApply({ source, writer, inTurn: createTurns(), countStored: (count) => void (stored += count) });
  const quarantine = createQuarantine({ store: deps.store, log: deps.log });
  let known: KnownFeatures = new Map();

  const read = async (features: readonly unknown[], at: Instant, knownFeatures: KnownFeatures): Promise<ReadFeatures> => {
    const result = await readFeatures(features, { source, receivedAt: at, known: knownFeatures });
    await quarantine.keep(result.unreadable, at);
    for (const { message } of result.readable) if (message) deps.places.ensure(message.zones);
    return result;
  };

  for (let last = from; last < to && !signal.aborted;) {
    const at = Math.min(to, (Math.floor(last / STEP_MS) + 1) * STEP_MS);
    await deps.advanceTo(at);
    const dueAt = writer.nextTickAt();
    if (dueAt !== null && dueAt <= at) await writer.tick();
    const issued = await read(world.issuedBetween(last, at), at, new Map());
    const isListing = at % LIST_EVERY_MS === 0 || at === to;
    const list = world.listedAt && isListing ? await read(world.listedAt(at), at, known) : null;
    if (issued.readable.length > 0 || list) {
      await deps.shapesReady();
      const plan = await apply.plan(list, issued);
      const poll = {
        startedAt: at,
        outcome: plan.incoming.length > 0 ? ('ok' as const) : ('unchanged' as const),
        etag: null,
        lastModified: null,
        upstreamUpdatedAt: at,
        listedCount: plan.listedIds.size,
      };
      await apply.commit(plan, { poll, listed: list ? plan.listedIds : null });
      if (list) known = (await apply.learn(list)).known;
    }
    last = at;
    onStep(at, stored);
  }
  return stored;
}

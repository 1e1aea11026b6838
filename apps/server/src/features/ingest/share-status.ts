import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { SeenDelays } from './seen-delays.ts';
import type { IngestState } from './state.ts';
import type { IngestStatusStore } from './types.ts';

/** Where this process tells the others how its feed is doing; null where no other process reads. */
export interface Sharing {
  store: IngestStatusStore;
  /** Number of the newest log entry, as the others will have to have it before they may say what we say. */
  latestSeq(): number;
  /** Number of the right to write; null without it. */
  term(): number | null;
}

/** Tells once per call, never twice at a time. A database that is away is no fault here: the others then see the age grow. */
export function createShareStatus(deps: { clock: SteadyClock; state: IngestState; seenDelays: SeenDelays; sharing: Sharing | null }) {
  const { clock, state, seenDelays, sharing } = deps;
  let busy = false;
  return async (): Promise<void> => {
    const term = sharing?.term() ?? null;
    if (!sharing || term === null || busy) return;
    busy = true;
    try {
      // Facts first: entries that come in between can only make the number larger than needed.
      const status = { ...state.facts(), seenDelays: seenDelays.summary(clock.now()), latestSeq: sharing.latestSeq() };
      await sharing.store.save(term, clock.now(), status);
    } catch {
      // Told again in a second.
    } finally {
      busy = false;
    }
  };
}

import type { PlaceSearchDeps } from './deps.ts';
import { openGazetteer } from './gazetteer.ts';
import { Settlements } from './settlements.ts';

export interface Loaded {
  settlements: Settlements;
  /** Null without a gazetteer. */
  attribution: string | null;
}

/** A failed reading is tried again this much later. */
const AGAIN_AFTER_MS = 60_000;

/**
 * The settlements, read at the first question and kept: nothing is read at the start of the server. While they are read, other questions
 * wait for the same reading. Never rejects: without a gazetteer the built-in cities are there.
 */
export function createLoader(deps: PlaceSearchDeps & { now: () => number }): () => Promise<Loaded> {
  let loading: Promise<Loaded> | null = null;
  let failedAt: number | null = null;
  const load = async (): Promise<Loaded> => {
    const settlements = new Settlements();
    try {
      const gazetteer = await (deps.openGazetteer ?? openGazetteer)();
      if (!gazetteer) return { settlements, attribution: null };
      await settlements.read(gazetteer, () => new Promise((turn) => setImmediate(turn)));
      return { settlements, attribution: gazetteer.attribution };
    } catch (error) {
      deps.log.error({ err: error }, 'The gazetteer cannot be read: only the built-in cities are found');
      failedAt = deps.now();
      return { settlements: new Settlements(), attribution: null };
    }
  };
  return () => {
    if (failedAt !== null && deps.now() - failedAt > AGAIN_AFTER_MS) [loading, failedAt] = [null, null];
    return (loading ??= load());
  };
}

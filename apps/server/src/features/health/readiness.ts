import type { Clock } from '../../platform/clock.ts';

/** After this long without a first list it is ready all the same: people can sign in, and lists say that nothing can be concluded. */
const WAIT_FOR_FIRST_LIST_MS = 30_000;

export interface ReadinessDeps {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Alert lists can be answered: the stored board is in memory, and it holds alerts or a list was accepted once. */
  loaded(): boolean;
}

/**
 * What a balancer should wait for before it sends people here; empty = nothing. Only ever falls silent: a weather service
 * that is away later leaves every process as it is, and a site that is taken away whole would tell less than stale alerts do.
 */
export function createReadiness({ clock, loaded }: ReadinessDeps): () => string[] {
  const startedMs = clock.monotonicMs();
  let isReady = false;
  return () => {
    isReady ||= loaded() || clock.monotonicMs() - startedMs >= WAIT_FOR_FIRST_LIST_MS;
    return isReady ? [] : ['the first list of alerts'];
  };
}

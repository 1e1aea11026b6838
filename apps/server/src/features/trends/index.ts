import type { Serve } from '../../platform/http/serve.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import type { TrendsDeps } from './deps.ts';
import { registerTrendRoutes } from './routes.ts';

export { coverageOf, type CoveredSpans } from './covered.ts';
export type { TrendsDeps } from './deps.ts';

export interface Trends {
  registerRoutes(serve: Serve): void;
  /** Begins to follow the log, so that questions find the facts ready. */
  start(): void;
  stop(): Promise<void>;
}

const FOLLOW_MS = 60_000;
/** Between two pieces of a long first count everything else gets its turn. */
const PIECE_MS = 2_000;

/** Statistics over the stored record: distinct events, covered days, intervals, and "not enough data" instead of guesses. */
export function createTrends(deps: TrendsDeps & { log: Log; random: () => number }): Trends {
  const follow = every(deps, {
    name: 'event-facts',
    intervalMs: FOLLOW_MS,
    backoff: { floorMs: 100, firstMs: 5_000, capMs: FOLLOW_MS, retryAfterCapMs: FOLLOW_MS },
    run: async () => ({ kind: (await deps.record.facts.catchUp(PIECE_MS)) ? 'ok' : 'again' }),
  });
  return {
    registerRoutes: (serve) => registerTrendRoutes(serve, deps),
    start: () => follow.start(),
    stop: () => follow.stop(),
  };
}

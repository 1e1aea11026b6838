import { every, type Job } from '../../platform/jobs/every.ts';
import type { PlaybackDeps } from './deps.ts';

/** What an older version of the program writes beside this one, while processes are being replaced, is looked for this often. */
const LOOK_MS = 60_000;
/** Between two pieces of a long fill everything else gets its turn. */
const PIECE_MS = 2_000;
const REST_MS = 100;

/** Fills what timelines ask of a record that was written before they asked for it; afterwards one small question a minute. */
export function createPartsJob(deps: Pick<PlaybackDeps, 'clock' | 'random' | 'log' | 'timeline'>): Job {
  return every(deps, {
    name: 'timeline parts',
    intervalMs: LOOK_MS,
    backoff: { floorMs: REST_MS, firstMs: 5_000, capMs: LOOK_MS, retryAfterCapMs: LOOK_MS },
    run: async (signal) => ({ kind: (await deps.timeline.prepare(PIECE_MS, signal)) ? 'ok' : 'again' }),
  });
}

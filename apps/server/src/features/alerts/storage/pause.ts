import type { Clock } from '../../../platform/clock.ts';

/** Work on the event loop is cut into slices of about this length, far below the 50 ms a client may notice (P7). */
const SLICE_MS = 8;

/** Awaited often inside long work: lets timers and sockets run when a slice is used up, else costs nothing worth naming. */
export function createPause(clock: Pick<Clock, 'monotonicMs'>): () => Promise<void> {
  let sliceStart = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - sliceStart < SLICE_MS) return;
    await new Promise<void>((done) => setImmediate(done));
    sliceStart = clock.monotonicMs();
  };
}

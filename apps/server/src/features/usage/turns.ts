/** Work on the event loop is cut into slices of about this length, far below what a caller may notice. */
const SLICE_MS = 8;

/** Awaited often inside long work: lets timers and sockets run when a slice is used up. */
export function createTurns(clock: { monotonicMs(): number }): () => Promise<void> {
  let sliceStart = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - sliceStart < SLICE_MS) return;
    await new Promise<void>((done) => setImmediate(done));
    sliceStart = clock.monotonicMs();
  };
}

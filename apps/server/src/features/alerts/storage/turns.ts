/** Runs one task at a time, in the order of the calls; a failed one does not hold up the next. */
export function createTurns(): <T>(run: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = tail.then(run);
    tail = next.catch(() => {});
    return next;
  };
}

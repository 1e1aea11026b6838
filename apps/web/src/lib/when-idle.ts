/** Longest wait, in ms: a page that is never idle gets it too. */
const LATEST_MS = 2_000;

/** Runs when the page has nothing else to do; the function that comes back calls it off. Not every browser says when that is. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run, { timeout: LATEST_MS });
  return () => cancelIdleCallback(asked);
}

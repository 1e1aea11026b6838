import type { FeedClock, FeedEnvironment } from './feed-types.ts';

interface Target {
  addEventListener?(type: string, run: () => void): void;
  removeEventListener?(type: string, run: () => void): void;
}
/** What a browser has and Node has not. */
type Page = Target & { document?: Target & { visibilityState?: string } };

function listen(target: Target | undefined, type: string, run: () => void): () => void {
  target?.addEventListener?.(type, run);
  return () => target?.removeEventListener?.(type, run);
}

export function pageEnvironment(page: Page = globalThis as Page): FeedEnvironment {
  return {
    onOnline: (run) => listen(page, 'online', run),
    onVisible: (run) =>
      listen(page.document, 'visibilitychange', () => {
        if (page.document?.visibilityState === 'visible') run();
      }),
  };
}

export const realClock: FeedClock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AlertLog } from '../types.ts';

/** Long-polls at once; each holds a connection and costs a scan per commit. */
const MAX_WAITERS = 2000;

export interface Waiters {
  /** Resolves at the next commit, after `waitMs`, or when the caller is gone: `false` when nothing was committed. */
  nextCommit(waitMs: number, gone: AbortSignal): Promise<boolean>;
  /** Lets everyone go; who comes later does not wait at all. */
  stop(): void;
}

/** One listener on the log however many wait. */
export function createWaiters({ clock, alertLog }: { clock: Clock; alertLog: AlertLog }): Waiters {
  const waiting = new Set<(committed: boolean) => void>();
  let stopped = false;
  const wake = (committed: boolean) => {
    for (const resume of waiting) resume(committed);
  };
  const unlisten = alertLog.onCommitted((batch) => {
    if (batch.entries.length > 0) wake(true);
  });
  return {
    nextCommit(waitMs, gone) {
      if (waiting.size >= MAX_WAITERS)
        throw new AppError('feed.busy', { public: 'Too many long polls at once. Use wait=0 or the live feed.', retryAfterSeconds: 5 });
      if (stopped || gone.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const onGone = () => resume(false);
        const cancel = clock.after(waitMs, () => resume(false));
        const resume = (committed: boolean) => {
          waiting.delete(resume);
          cancel();
          gone.removeEventListener('abort', onGone);
          resolve(committed);
        };
        waiting.add(resume);
        gone.addEventListener('abort', onGone);
      });
    },
    stop() {
      stopped = true;
      unlisten();
      wake(false);
    },
  };
}

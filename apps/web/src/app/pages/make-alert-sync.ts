import type { Services } from '../../api/services.ts';
import { createAlertSync } from '../../features/alerts/alert-sync.ts';

/** The one sync of the page with the browser's own timers; for `services.once`. */
export const makeAlertSync = ({ api, live, queries }: Services) =>
  createAlertSync({
    api,
    live,
    queries,
    now: Date.now,
    after: (delayMs, run) => void setTimeout(run, delayMs),
    every: (seconds, run) => {
      const timer = setInterval(run, seconds * 1000);
      return () => clearInterval(timer);
    },
  });

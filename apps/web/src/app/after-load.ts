import type { Services } from '../api/services.ts';
import { writeLastKnown } from '../lib/last-known.ts';
import { keepLastKnown } from './keep-last-known.ts';
import { watchUpdates } from './updates.ts';

/** What begins when the page stands: keeping what it hears for a start without a network, and looking for new versions. */
export async function afterLoad(win: Window & typeof globalThis, { queries, updates }: Services): Promise<void> {
  keepLastKnown({
    queries,
    write: (known) => writeLastKnown(win.caches, known),
    after: (ms, run) => void win.setTimeout(run, ms),
  });
  // While developing, files have no stable names that could be kept.
  if (!import.meta.env.PROD) return;
  await watchUpdates({
    container: win.navigator.serviceWorker,
    raise: (name) => win.dispatchEvent(new CustomEvent(name)),
    offer: (apply) => updates.offer(apply),
    reload: () => win.location.reload(),
    every: (ms, run) => void win.setInterval(run, ms),
  });
}

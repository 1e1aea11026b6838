/** Raised on the window when a new version of the application is installed and waits (BOOT-02). */
export const UPDATE_EVENT = 'sw-update-available';
/** BOOT-01. */
const CHECK_MS = 60_000;

/** The parts of the browser that are used. */
export interface UpdatesDeps {
  container: Pick<ServiceWorkerContainer, 'register' | 'controller' | 'addEventListener'> | undefined;
  raise: (event: string) => void;
  /** Shows that there is a new version; `apply` lets it take over, then loads the page anew. */
  offer: (apply: () => void) => void;
  reload: () => void;
  every: (ms: number, run: () => void) => void;
}

/** BOOT-01, BOOT-02: registers the worker and looks for a new one every minute. Nothing happens where browsers have none. Once per page. */
export async function watchUpdates({ container, raise, offer, reload, every }: UpdatesDeps): Promise<void> {
  if (!container) return;
  let waiting: ServiceWorker | null = null;
  const apply = () => {
    // Another tab may have let it take over already: then the page only has to be loaded anew.
    if (waiting?.state !== 'installed') return reload();
    container.addEventListener('controllerchange', reload, { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name: it is always ours
    waiting.postMessage({ type: 'take-over' });
  };
  const announce = (worker: ServiceWorker) => {
    if (waiting === worker) return;
    waiting = worker;
    offer(apply);
    raise(UPDATE_EVENT);
  };
  const follow = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      // The first worker of all replaces none: there is no older version to leave.
      if (worker.state === 'installed' && container.controller) announce(worker);
    });
  };
  // A browser may forbid it (private windows, no room); the page works without.
  const registration = await container.register('/sw.js', { scope: '/' }).catch(() => undefined);
  if (!registration) return;
  if (registration.waiting && container.controller) announce(registration.waiting);
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  every(CHECK_MS, () => void registration.update().catch(() => undefined));
}

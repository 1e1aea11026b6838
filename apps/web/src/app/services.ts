import type { User } from '../api/user.ts';
import { createApi } from '../api/call.ts';
import { createLiveConnection } from '../api/live.ts';
import { createQueryClient, PUBLIC_KEYS } from '../api/query-client.ts';
import { createRetryBudget } from '../api/retry.ts';
import type { Services } from '../api/services.ts';
import { createSession } from '../api/session.ts';
import { createThemeStore } from '../lib/theme.ts';
import { createTimeLabels } from '../lib/time-labels.ts';
import { createOfferedUpdate } from '../lib/offered-update.ts';
import { ME, SIGN_OUT } from './account-lines.ts';

/** What screens are given, made from the browser's own parts. */
export function createServices(win: Window & typeof globalThis): Services {
  const budget = createRetryBudget(Date.now);
  const queries = createQueryClient({ budget, random: Math.random });
  const session = createSession({
    storage: () => win.localStorage,
    fetchUser: () => api.call(ME, {}),
    endOnServer: async () => void (await api.call(SIGN_OUT, { once: true })),
    later: (ms, run) => waitOrOnline(win, ms, run),
    random: Math.random,
    onStorage: (listener) => win.addEventListener('storage', (event) => listener(event.key)),
  });
  const api = createApi({
    fetch: win.fetch.bind(win),
    baseUrl: '',
    token: session.token,
    onRefused: session.refused,
    budget,
    random: Math.random,
    wait: (ms) => new Promise((done) => void win.setTimeout(done, ms)),
    newKey: () => win.crypto.randomUUID(),
  });
  let owner: User['id'] | null = null;
  session.subscribe(() => {
    const state = session.state();
    const next = state.status === 'signed-in' ? state.user.id : null;
    if (next === owner) return;
    // Nothing of one person is left for the next; what everybody may see stays.
    if (owner !== null) {
      api.forget();
      queries.removeQueries({ predicate: ({ queryKey }) => !PUBLIC_KEYS.has(String(queryKey[0])) });
    }
    owner = next;
  });
  const said = win.document.querySelector<HTMLElement>('#root')?.dataset;
  const made = new Map<unknown, unknown>();
  const services: Services = {
    api,
    origin: win.location.origin,
    paintedOrigin: said?.['origin'] ?? win.location.origin,
    simulated: said?.['simulated'] !== undefined,
    session,
    queries,
    live: createLiveConnection(`${win.location.origin}/ws/alerts`),
    labels: createTimeLabels(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
    theme: createThemeStore(win),
    budget,
    random: Math.random,
    pollSpread: Math.random(),
    updates: createOfferedUpdate(),
    once<T>(make: (given: Services) => T): T {
      if (!made.has(make)) made.set(make, make(services));
      return made.get(make) as T;
    },
  };
  return services;
}

/** Runs after the wait, or sooner when the device says that it is online again. Returns how to call it off. */
function waitOrOnline(win: Window, ms: number, run: () => void): () => void {
  const done = () => {
    win.clearTimeout(timer);
    win.removeEventListener('online', go);
  };
  const go = () => {
    done();
    run();
  };
  const timer = win.setTimeout(go, ms);
  win.addEventListener('online', go);
  return done;
}

import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Theme, ThemeChoice, ThemeStore } from '../lib/theme.ts';
import type { TimeLabels } from '../lib/time-labels.ts';
import type { OfferedUpdate } from '../lib/offered-update.ts';
import type { Api } from './call.ts';
import type { LiveConnection, LiveStatus } from './live.ts';
import type { RetryBudget } from './retry.ts';
import type { SessionStore } from './session.ts';

/** What screens are given instead of importing it; made once in app/providers. */
export interface Services {
  api: Api;
  /** Scheme, host and port of this site, for addresses that are shown. */
  origin: string;
  /** The same as a painted document shows it; the same as `origin` where nothing came painted. */
  paintedOrigin: string;
  /** The server wrote into the document that its weather is simulated. Answers say it too, later. */
  simulated: boolean;
  session: SessionStore;
  queries: QueryClient;
  live: LiveConnection;
  labels: TimeLabels;
  theme: ThemeStore;
  /** Retries left to this tab, and chance: for `byPolicy`. */
  budget: RetryBudget;
  random: () => number;
  /** 0 to 1, one number per tab: keeps the polls of many tabs apart. */
  pollSpread: number;
  /** A new version of the application, when there is one. */
  updates: OfferedUpdate;
  /** The object that `make` makes of these services, made once, at its first use: machinery that only some screens load. */
  once<T>(make: (services: Services) => T): T;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('ServicesContext is missing');
  return services;
}

const never = (): (() => void) => () => {};

/** Where this site is, for addresses that are shown in a page that may have come painted. */
export function useOrigin(): string {
  const { origin, paintedOrigin } = useServices();
  return useSyncExternalStore(
    never,
    () => origin,
    () => paintedOrigin,
  );
}

export function useLiveStatus(): LiveStatus {
  const { live } = useServices();
  return useSyncExternalStore(live.onStatus, live.status, live.status);
}

export function useTheme(): { theme: Theme; choice: ThemeChoice } {
  const { theme: store } = useServices();
  const theme = useSyncExternalStore(store.subscribe, store.theme, () => 'light' as const);
  const choice = useSyncExternalStore(store.subscribe, store.choice, () => 'system' as const);
  return { theme, choice };
}

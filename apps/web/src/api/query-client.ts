import { QueryClient } from '@tanstack/react-query';
import { CACHE_MINUTES, CAP_MS, POLICIES, type Policy } from './intervals.ts';
import { mayRetry, nextPollMs, retryDelayMs, type RetryBudget } from './retry.ts';

/** Seconds between safety refetches of the alert list (ALRT-02), of its statistics and of health. */
export const REFRESH_SECONDS = {
  alerts: POLICIES.alerts.every,
  afterFailure: 10,
  stats: POLICIES.alertStats.every,
  health: POLICIES.health.every,
} as const;

/** Keys that begin with one of these hold nothing of a person and outlive a sign-out. */
export const PUBLIC_KEYS: ReadonlySet<string> = new Set(['alerts', 'freshness', 'health', 'ticker', 'landing']);

export interface QueryDeps {
  budget: RetryBudget;
  random: () => number;
}

export interface PollDeps extends QueryDeps {
  /** See nextPollMs. */
  pollSpread: number;
}

/** NET-08: current for 60 s, kept 10 min, not asked again on focus, asked again on reconnect. */
export function createQueryClient({ budget, random }: QueryDeps): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => mayRetry(failures, error, POLICIES.standard, budget),
        retryDelay: (attempt, error) => retryDelayMs(attempt, error, random),
        // The browser's own idea of being online is often wrong; a failed call says more than a skipped one.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        staleTime: POLICIES.standard.stale * 1000,
        gcTime: CACHE_MINUTES * 60_000,
      },
      // NET-09 is kept by api.call, which repeats a change once under one Idempotency-Key.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Query options for a line of the table: `{ ...byPolicy('monitoring', services) }`. `automatic: false` stops the polls only. */
export function byPolicy(name: keyof typeof POLICIES, { budget, random, pollSpread }: PollDeps, automatic = true) {
  const policy: Policy = POLICIES[name];
  const capMs = name === 'analytics' || name === 'analyticsOverview' ? CAP_MS.analytics : CAP_MS.standard;
  return {
    staleTime: policy.stale * 1000,
    retry: (failures: number, error: unknown) => mayRetry(failures, error, policy, budget),
    retryDelay: (attempt: number, error: unknown) => retryDelayMs(attempt, error, random, capMs),
    refetchInterval: (query: { state: { error: unknown } }) =>
      policy.every !== null && automatic ? nextPollMs(policy.every, query.state.error, pollSpread) : false,
  } as const;
}

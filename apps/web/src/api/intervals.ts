/**
 * The one table of how often screens ask, how long an answer counts as current and how often a failed question is repeated
 * (R-07, R-40, NET-06 to NET-13). Seconds; `every: null` = not by itself.
 */
export interface Policy {
  every: number | null;
  stale: number;
  retries: number;
}

export const POLICIES = {
  /** What a feature screen does unless it says otherwise. */
  standard: { every: null, stale: 60, retries: 2 },
  health: { every: 30, stale: 0, retries: 3 },
  alerts: { every: 120, stale: 90, retries: 1 },
  /** MAP-11; the reader may choose another of MAP_EVERY_SECONDS. */
  map: { every: 300, stale: 90, retries: 1 },
  alertStats: { every: 180, stale: 120, retries: 2 },
  landing: { every: 30, stale: 0, retries: 2 },
  ticker: { every: 300, stale: 0, retries: 2 },
  analytics: { every: null, stale: 60, retries: 3 },
  analyticsOverview: { every: 300, stale: 240, retries: 1 },
  geographic: { every: 120, stale: 60, retries: 2 },
  performance: { every: 60, stale: 30, retries: 2 },
  userAgents: { every: 120, stale: 60, retries: 2 },
  endpoints: { every: 60, stale: 30, retries: 2 },
  business: { every: 60, stale: 30, retries: 2 },
  errors: { every: 60, stale: 30, retries: 2 },
  realtime: { every: 10, stale: 5, retries: 1 },
  monitoring: { every: 30, stale: 15, retries: 2 },
  /** INTL-08: trends every 2 min, fatigue and patterns every 5 min. */
  severityTrends: { every: 120, stale: 60, retries: 2 },
  alertFatigue: { every: 300, stale: 120, retries: 2 },
  historicalPatterns: { every: 300, stale: 120, retries: 2 },
  admin: { every: null, stale: 30, retries: 2 },
  /** A key's use while somebody looks at it. */
  keys: { every: 30, stale: 10, retries: 2 },
} as const satisfies Record<string, Policy>;

/** MAP-11. */
export const MAP_EVERY_SECONDS = [60, 300, 600, 1800] as const;

/** Longest wait between two tries, in ms: 30 s for analytics (NET-06), 10 s for the rest (NET-07). */
export const CAP_MS = { standard: 10_000, analytics: 30_000 } as const;

/** Seconds a call may take (R-07): public and platform calls, the members' screens, ML and AI. */
export const TIMEOUT_SECONDS = { standard: 15, feature: 30, ml: 60 } as const;

/** Cached answers nobody looks at any more are kept this long: NET-08. */
export const CACHE_MINUTES = 10;

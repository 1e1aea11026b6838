import type { Alert, AlertList, Freshness } from '@nwms/contract';
import { ApiError } from './errors.ts';

interface Known {
  /** UTC text of the last good data; null when there never was any. */
  asOf: string | null;
  /** Exercise weather of the simulator or of a replay, never to be shown as real. */
  simulated: boolean;
  freshness: Freshness;
}

/**
 * The one question with three answers. `none` is said only when the service vouches for it; whenever it cannot, or cannot be reached, the
 * answer is `unknown`, which must never be shown as "no alerts".
 */
export type ActiveAlerts =
  | (Known & {
      kind: 'alerts';
      alerts: Alert[];
      /** All that match, also beyond the rows of this answer. */
      total: number;
      /** False: these were active at `asOf`; there may be others by now. */
      current: boolean;
    })
  | (Known & { kind: 'none'; asOf: string })
  | {
      kind: 'unknown';
      asOf: string | null;
      simulated: boolean | null;
      freshness: Freshness | null;
      /** Why: a freshness reason, a warning code, or an error code. */
      reason: string;
      error: ApiError | null;
    };

const isCurrent = (freshness: Freshness) => freshness.status === 'live' || freshness.status === 'simulated';

/** Turns a list answer of active alerts into the three-way answer. */
export function judge(list: AlertList): ActiveAlerts {
  const { freshness } = list;
  if (!Array.isArray(list.alerts) || typeof freshness !== 'object' || freshness === null) return unknown('client.bad_reply', null, null);
  const known = { asOf: freshness.data_as_of, simulated: freshness.simulated, freshness };
  if (list.alerts.length > 0) return { kind: 'alerts', ...known, alerts: list.alerts, total: list.total, current: isCurrent(freshness) };
  // A misspelt event or zone, a hole in the record: an empty answer that proves nothing.
  const doubt = list.warnings?.[0]?.code;
  if (doubt) return unknown(doubt, freshness, null);
  if (!isCurrent(freshness) || freshness.data_as_of === null) return unknown(freshness.reason ?? freshness.status, freshness, null);
  if (list.total !== 0 || list.truncated) return unknown('truncated', freshness, null);
  return { kind: 'none', ...known, asOf: freshness.data_as_of };
}

/** What failed for a reason of the caller's own (a bad filter, a refused credential) is thrown on: it is no statement about the weather. */
export async function judged(ask: () => Promise<AlertList>): Promise<ActiveAlerts> {
  try {
    return judge(await ask());
  } catch (error) {
    if (error instanceof ApiError && error.retryable) return unknown(error.code, null, error);
    throw error;
  }
}

function unknown(reason: string, freshness: Freshness | null, error: ApiError | null): ActiveAlerts {
  return { kind: 'unknown', asOf: freshness?.data_as_of ?? null, simulated: freshness?.simulated ?? null, freshness, reason, error };
}

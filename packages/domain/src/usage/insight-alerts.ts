import { inWords, percentInWords, percentOf, roundTo } from './rates.ts';

export const INSIGHT_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type InsightSeverity = (typeof INSIGHT_SEVERITIES)[number];

/** What the rules look at, measured over the stretches in the names. */
export interface InsightFacts {
  hour: { requests: number; errors: number; p95Ms: number | null };
  tenMinutes: { requests: number; serverErrors: number; failedSignIns: number };
  /** Callers with the most requests of the last 60 minutes; `caller` says who without an address. */
  loudest: readonly { caller: string; requests: number }[];
  freshness: 'live' | 'simulated' | 'stale' | 'unknown';
  /** Requests of the last complete hour, and of the same weekday's hour in earlier weeks. */
  lastHour: { requests: number; before: readonly number[] } | null;
  droppedRows: number;
  /** Share of a day's or month's allowance used, percent; null = not known here. */
  quotas: readonly { subject: string; usedPercent: number }[] | null;
  /** Deliveries that wait; null = there are none to make. */
  backlog: { waiting: number; oldestSeconds: number } | null;
}

export interface InsightLimits {
  /** Percent of requests. */
  highErrorRate: number;
  /** Requests per hour of one caller. */
  unusualActivity: number;
}

/** One condition that holds now. `subject` tells apart alerts of one kind. */
export interface InsightFinding {
  id: string;
  subject: string;
  severity: InsightSeverity;
  message: string;
  evidence: Record<string, number | string>;
}

/** Fewer requests than this in an hour make no rate. */
const MIN_REQUESTS = 50;

/** Every rule that holds, in the order of the reference. */
export function insightFindings(facts: InsightFacts, limits: InsightLimits): InsightFinding[] {
  return [
    errorRate(facts, limits),
    serverErrors(facts),
    ...unusualActivity(facts, limits),
    slowResponses(facts),
    staleData(facts),
    trafficDrop(facts),
    ...quotaPressure(facts),
    deliveryBacklog(facts),
    recordingLoss(facts),
    signInAttack(facts),
  ].filter((finding) => finding !== null);
}

type Found = InsightFinding | null;
const found = (
  id: string,
  severity: InsightSeverity,
  message: string,
  evidence: InsightFinding['evidence'],
  subject = '',
): InsightFinding => ({
  id,
  subject,
  severity,
  message,
  evidence,
});

function errorRate({ hour }: InsightFacts, { highErrorRate }: InsightLimits): Found {
  const rate = percentOf(hour.errors, hour.requests) ?? 0;
  const exact = (100 * hour.errors) / Math.max(1, hour.requests);
  if (hour.requests < MIN_REQUESTS || exact <= highErrorRate / 2) return null;
  const severity = exact > highErrorRate ? 'critical' : 'warning';
  return found(
    'error_rate_high',
    severity,
    `${percentInWords(rate)} of ${inWords(hour.requests)} requests of the last 60 minutes failed.`,
    {
      error_rate_percent: rate,
      requests: hour.requests,
      threshold_percent: highErrorRate,
    },
  );
}

function serverErrors({ tenMinutes: { requests, serverErrors: failed } }: InsightFacts): Found {
  const rate = percentOf(failed, requests) ?? 0;
  // By the counts: 5 of 501 reads as 1 % and is less.
  if (failed < 5 || 100 * failed < requests) return null;
  return found(
    'server_errors',
    'critical',
    `${inWords(failed)} answers of the last 10 minutes were server errors (${percentInWords(rate)}).`,
    {
      server_errors: failed,
      requests,
      server_error_rate_percent: rate,
    },
  );
}

function unusualActivity({ loudest }: InsightFacts, { unusualActivity: limit }: InsightLimits): InsightFinding[] {
  return loudest
    .filter(({ requests }) => requests >= limit)
    .map(({ caller, requests }) =>
      found(
        'unusual_activity',
        requests >= 5 * limit ? 'critical' : 'warning',
        `${caller} made ${inWords(requests)} requests in the last 60 minutes.`,
        { requests, threshold: limit, caller },
        caller,
      ),
    );
}

function slowResponses({ hour }: InsightFacts): Found {
  if (hour.p95Ms === null || hour.requests < MIN_REQUESTS || hour.p95Ms <= 1_000) return null;
  const p95 = roundTo(hour.p95Ms, 1);
  return found(
    'slow_responses',
    p95 > 3_000 ? 'critical' : 'warning',
    `95% of the last 60 minutes' answers took up to ${inWords(p95)} ms.`,
    {
      p95_response_time_ms: p95,
      requests: hour.requests,
    },
  );
}

function staleData({ freshness }: InsightFacts): Found {
  if (freshness === 'stale') return found('data_stale', 'warning', 'Weather data is stale.', { freshness });
  return freshness === 'unknown' ? found('data_stale', 'critical', 'Whether weather data is current is unknown.', { freshness }) : null;
}

function trafficDrop({ lastHour }: InsightFacts): Found {
  if (!lastHour || lastHour.before.length < 3) return null;
  const sorted = [...lastHour.before].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  if (median < 100 || lastHour.requests >= 0.2 * median) return null;
  return found(
    'traffic_drop',
    'warning',
    `The last full hour had ${inWords(lastHour.requests)} requests; ${inWords(median)} are usual for it.`,
    {
      requests: lastHour.requests,
      usual: median,
      weeks: lastHour.before.length,
    },
  );
}

function quotaPressure({ quotas }: InsightFacts): InsightFinding[] {
  return (quotas ?? [])
    .filter(({ usedPercent }) => usedPercent > 80)
    .map(({ subject, usedPercent }) =>
      found(
        'quota_pressure',
        'info',
        `${subject} has used ${percentInWords(usedPercent)} of an allowance.`,
        { used_percent: usedPercent, subject },
        subject,
      ),
    );
}

function deliveryBacklog({ backlog }: InsightFacts): Found {
  if (!backlog || (backlog.waiting <= 1_000 && backlog.oldestSeconds <= 300)) return null;
  return found(
    'delivery_backlog',
    'warning',
    `${inWords(backlog.waiting)} deliveries wait, the oldest for ${inWords(backlog.oldestSeconds)} s.`,
    {
      waiting: backlog.waiting,
      oldest_seconds: backlog.oldestSeconds,
    },
  );
}

function recordingLoss({ droppedRows }: InsightFacts): Found {
  if (droppedRows === 0) return null;
  return found('recording_loss', 'critical', `${inWords(droppedRows)} requests of the last 60 minutes were not recorded.`, {
    dropped: droppedRows,
  });
}

function signInAttack({ tenMinutes: { failedSignIns } }: InsightFacts): Found {
  if (failedSignIns < 50) return null;
  return found('sign_in_attack', 'warning', `${inWords(failedSignIns)} sign-ins failed in the last 10 minutes.`, { failed: failedSignIns });
}

import type { UsageRealtime } from '@nwms/contract';
import { averageMs, MINUTE_MS, percentOf, startOfMinute } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { addressPeriod } from '../../platform/address-hash.ts';
import { byCount, createRecorded, estimatesOf, iso, uniqueCount, withoutRequests } from './answer.ts';
import { isOf, type Recent } from './recent.ts';
import { isCountedAsNext } from './segments.ts';
import type { UsageReads } from './store-read.ts';
import { Tally } from './tally.ts';
import { createTurns } from './turns.ts';
import type { PrincipalKind } from './types.ts';

export interface RealtimeDeps {
  clock: Clock;
  reads: UsageReads;
  recent: Recent;
  countryName(code: string): string;
  inFlight(): number;
  liveConnections(): { websocket: number; sse: number };
}

const DEFAULT_MINUTES = 60;
const TOP = 10;

/** The last minutes, the running one last, from memory. */
export async function realtime(
  { clock, reads, recent, countryName, inFlight, liveConnections }: RealtimeDeps,
  query: { minutes_back?: number; principal?: 'all' | PrincipalKind },
): Promise<UsageRealtime> {
  const now = clock.now();
  const minutes = query.minutes_back ?? DEFAULT_MINUTES;
  const principal = query.principal === undefined || query.principal === 'all' ? null : query.principal;
  const from = startOfMinute(now) - (minutes - 1) * MINUTE_MS;
  const period = addressPeriod(now);
  const breathe = createTurns(clock);
  const ofMinute = createRecorded(await reads.since(), MINUTE_MS);
  const starts = Array.from({ length: minutes }, (_, n) => from + n * MINUTE_MS);
  const total = new Tally();
  const byMinute = new Map<number, Tally>();
  const countries = new Map<string, Tally>();
  const endpoints = new Map<string, number>();
  for (const minute of recent.minutesFrom(from)) {
    const asNext = isCountedAsNext(minute.start, period);
    const own = byMinute.get(minute.start) ?? new Tally();
    byMinute.set(minute.start, own);
    for (const [key, tally] of minute.all) {
      if (!isOf(principal, key)) continue;
      own.mergeCounts(countsOf(tally));
      total.mergeTally(tally, asNext);
    }
    for (const [key, tally] of minute.countries) {
      if (!isOf(principal, key)) continue;
      const code = key.slice(key.indexOf(' ') + 1);
      const country = countries.get(code) ?? new Tally('country');
      countries.set(code, country);
      country.mergeTally(tally, asNext);
    }
    for (const [key, count] of minute.endpoints) {
      if (!isOf(principal, key)) continue;
      const endpoint = key.slice(key.indexOf(' ') + 1);
      endpoints.set(endpoint, (endpoints.get(endpoint) ?? 0) + count);
    }
    await breathe();
  }
  return {
    active_ips_last_5min: recent.active.addresses(principal),
    requests_per_minute: starts.map((start, n) => {
      const { requests, errors, ms, timed } = byMinute.get(start) ?? new Tally('status');
      return {
        timestamp: iso(start),
        requests: ofMinute.count(start, requests),
        avg_response_time_ms: averageMs(ms, timed),
        error_count: ofMinute.count(start, errors),
        error_rate_percent: percentOf(errors, requests),
        partial: n === minutes - 1,
      };
    }),
    current_requests: recent.active.requests(principal),
    in_flight: inFlight(),
    active_users: recent.active.accounts(principal).length,
    live_connections: liveConnections(),
    top_endpoints: [...endpoints]
      .map(([endpoint, requests]) => ({ endpoint, requests }))
      .sort(
        byCount(
          ({ requests }) => requests,
          ({ endpoint }) => endpoint,
        ),
      )
      .slice(0, TOP),
    country_stats: [...countries]
      .map(([code, tally]) => ({
        country: countryName(code),
        country_code: code,
        requests: tally.requests,
        unique_ips: uniqueCount(tally),
      }))
      .sort(
        byCount(
          ({ requests }) => requests,
          ({ country_code }) => country_code,
        ),
      )
      .slice(0, TOP),
    totals: {
      requests: total.requests,
      avg_response_time_ms: averageMs(total.ms, total.timed),
      error_rate_percent: percentOf(total.errors, total.requests),
      unique_ips: uniqueCount(total),
    },
    timestamp: iso(now),
    estimates: estimatesOf({ 'totals.unique_ips': total.addresses }),
    analysis_period: { start: iso(from), end: iso(now), minutes },
    generated_at: iso(now),
    insufficient: [
      ...ofMinute.missing('requests_per_minute', starts),
      ...withoutRequests(total.requests, ['totals.error_rate_percent']),
      ...withoutRequests(total.timed, ['totals.avg_response_time_ms']),
    ],
  };
}

const countsOf = ({ requests, errors, ms, timed }: Tally) => ({ requests, errors, ms, timed });

import type { UsageInsights } from '@nwms/contract';
import { HOUR_MS, roundTo, type UsageWindow } from '@nwms/domain';
import type { Tallies } from './figures.ts';
import type { Tally } from './tally.ts';

type PeakFigures = Pick<UsageInsights['system_insights'], 'peak_hour' | 'peak_hour_requests' | 'lowest_hour'>;

/** Mean requests by hour of day over the complete hours of the window that were recorded; every hour of day must be among them. */
export function hoursOfDay(window: UsageWindow, since: number | null, byHour: Tallies): { figures: PeakFigures; hours: number } {
  const none = { peak_hour: null, peak_hour_requests: null, lowest_hour: null };
  const begin = since === null ? window.to : Math.max(window.from, Math.ceil(since / HOUR_MS) * HOUR_MS);
  const sums = Array.from({ length: 24 }, () => ({ requests: 0, hours: 0 }));
  let hours = 0;
  for (let at = begin; at + HOUR_MS <= window.to; at += HOUR_MS) {
    const sum = sums[new Date(at).getUTCHours()];
    if (!sum) continue;
    hours += 1;
    sum.hours += 1;
    sum.requests += byHour.get(String(at))?.requests ?? 0;
  }
  if (sums.some((sum) => sum.hours === 0)) return { figures: none, hours };
  const means = sums.map((sum) => sum.requests / sum.hours);
  const peak = means.indexOf(Math.max(...means));
  return {
    figures: { peak_hour: peak, peak_hour_requests: roundTo(means[peak] ?? 0, 1), lowest_hour: means.indexOf(Math.min(...means)) },
    hours,
  };
}

/** Fewer requests say nothing about how slow or how faulty an endpoint is. */
export const RANKED_MIN_REQUESTS = 10;

export type RankedEndpoints = Pick<UsageInsights['system_insights'], 'busiest_endpoint' | 'slowest_endpoint' | 'error_prone_endpoint'>;

/** The busiest, the slowest and the one that fails most often; `most`: what the one with the most of them has, asked and timed. */
export function rankEndpoints(endpoints: Tallies): { figures: RankedEndpoints; most: { requests: number; timed: number } } {
  const all = [...endpoints].sort(([a], [b]) => (a < b ? -1 : 1));
  const best = (from: readonly [string, Tally][], score: (tally: Tally) => number) => {
    let found: { name: string; score: number } | null = null;
    for (const [name, tally] of from) if (score(tally) > (found?.score ?? 0)) found = { name, score: score(tally) };
    return found?.name ?? null;
  };
  const often = all.filter(([, { requests }]) => requests >= RANKED_MIN_REQUESTS);
  const mostOf = (countOf: (tally: Tally) => number) => all.reduce((most, [, tally]) => Math.max(most, countOf(tally)), 0);
  return {
    figures: {
      busiest_endpoint: best(all, ({ requests }) => requests),
      slowest_endpoint: best(often, ({ ms, timed }) => (timed === 0 ? 0 : ms / timed)),
      error_prone_endpoint: best(often, ({ errors, requests }) => errors / requests),
    },
    most: { requests: mostOf(({ requests }) => requests), timed: mostOf(({ timed }) => timed) },
  };
}

import type { UsageInsights, UsageInsufficient } from '@nwms/contract';
import {
  adviceFor,
  type AdviceFacts,
  averageMs,
  dailyGrowthRate,
  type DailySeries,
  dateOf,
  DAY_MS,
  FORECAST_INTERVAL_DAYS,
  FORECAST_MIN_DAYS,
  forecastRequests,
  GROWTH_MIN_DAYS,
  GROWTH_MIN_REQUESTS,
  growthTrend,
  HEALTH_MIN_REQUESTS,
  HOUR_MS,
  type HealthInput,
  MINUTE_MS,
  percentOf,
  roundTo,
  startOfDay,
  startOfHour,
  systemHealth,
  usageWindow,
  type UsageWindow,
} from '@nwms/domain';
import { type Asked, askedOf, type DaysQuery, type FigureDeps, periodMembers } from './answer.ts';
import { type FigurePart, namesByKind, type Tallies } from './figures.ts';
import type { InsightAlerts } from './insight-alerts.ts';
import type { Load } from './people.ts';
import type { Overlay } from './overlay.ts';
import { countsOf } from './people-figures.ts';
import type { Recent } from './recent.ts';
import { daysOf, hoursFrom, segmentsOf } from './segments.ts';
import type { RequestReads } from './store-requests.ts';
import { splitEndpoint, Tally } from './tally.ts';

export interface InsightDeps extends FigureDeps {
  loads(asked: Asked): Promise<Overlay<Load>>;
  recent: Recent;
  alerts: InsightAlerts;
  freshness(): HealthInput['freshness'];
  databaseAway(): boolean;
  deliveryBacklog(): boolean;
  droppedLastHour(): number;
  requests: RequestReads;
  usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  idleKeys?: () => Promise<number | null>;
}

const FORECAST_DAYS = 56;
const RANKED_MIN_REQUESTS = 10;

/** Everything by named rules over counted requests (docs/analytics.md); what they cannot tell is null and listed. */
export async function insights(deps: InsightDeps, query: DaysQuery): Promise<UsageInsights> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const today = startOfDay(window.to);
  const [figures, since, loads] = await Promise.all([
    deps.figures({ name: 'insights', parts: partsOf(window), principal }, asked.breathe),
    deps.reads.since(),
    deps.loads(asked),
  ]);
  const people = countsOf(loads);
  const total = figures.one('all');
  const endpoints = figures.of('endpoint');
  const byKey = figures.of('endpoint_key');
  const bots = figures.one('device', 'bot').requests;
  const last = lastDay(window, figures.of('last_hour'));
  const health = systemHealth({
    requests: last.requests,
    serverErrorPercent: percentOf(last.server_errors, last.requests),
    p95Ms: last.sketch?.quantile(0.95) ?? null,
    freshness: deps.freshness(),
    databaseAway: deps.databaseAway(),
    deliveryBacklog: deps.deliveryBacklog(),
    usageDropped: deps.droppedLastHour() > 0,
  });
  const peak = hoursOfDay(window, since, figures.of('hour'));
  const series = completeDays(today, since, figures.of('day'));
  const growth = dailyGrowthRate(series);
  const forecast = forecastRequests(series);
  const ranked = rankEndpoints(endpoints);
  return {
    system_insights: {
      system_health_score: health.score,
      health_components: health.components,
      ...peak.figures,
      total_requests: total.requests,
      unique_users: people.visitors,
      ...ranked,
      daily_growth_rate: growth,
      avg_requests_per_user: people.visitors === 0 ? null : roundTo(total.requests / people.visitors, 1),
      power_users_count: people.powerUsers,
    },
    recommendations: adviceFor({
      totalRequests: total.requests,
      botRequests: bots,
      dailyGrowthRate: growth,
      endpoints: [...endpoints].map(([name, tally]) => ({
        ...splitEndpoint(name),
        requests: tally.requests,
        averageMs: averageMs(tally.ms, tally.timed),
        errorPercent: percentOf(tally.errors, tally.requests) ?? 0,
        keyGets: byKey.get(name)?.gets ?? 0,
        keyNotModified: byKey.get(name)?.not_modified ?? 0,
      })),
      pollers: pollersOf(deps.recent, window.to),
      refusals: await refusalsOf(deps, window.from),
      idleKeys: (await deps.idleKeys?.()) ?? null,
    }),
    alerts: deps.alerts.open(),
    predictions: {
      next_week_requests: forecast?.week ?? null,
      next_month_requests: forecast?.month ?? null,
      growth_trend: growth === null ? null : growthTrend(growth),
      intervals: { next_week: forecast?.weekInterval ?? null, next_month: forecast?.monthInterval ?? null },
      daily: (forecast?.daily ?? []).map((one, n) => ({ date: dateOf(today + (n + 1) * DAY_MS), ...one })),
      method: 'seasonal-damped-v1',
      basis_days: forecast?.basisDays ?? series.counts.length,
    },
    confidence_score: forecast?.confidence ?? null,
    ...periodMembers(
      asked,
      gaps({ last, series, growth, hasPeak: peak.figures.peak_hour !== null, peakHours: peak.hours, total, people, ranked, asked }),
    ),
  };
}

function partsOf(window: UsageWindow): FigurePart[] {
  const from = startOfDay(window.to) - FORECAST_DAYS * DAY_MS;
  return [
    {
      kinds: ['all', 'endpoint', 'device'],
      segments: segmentsOf(window),
      counts: ['requests', 'errors', 'timed', 'ms', 'gets', 'not_modified'],
      principals: true,
      into: {
        ...namesByKind(['all', 'endpoint', 'device']),
        endpoint_key: (row) => (row.kind === 'endpoint' && row.principal === 'key' ? row.name : null),
      },
    },
    {
      kinds: ['all'],
      segments: hoursFrom(window.from),
      counts: ['requests'],
      by: 'hour',
      into: { hour: (row) => String(startOfHour(row.start)) },
    },
    {
      kinds: ['all'],
      // From a midnight on: the question, and what is kept of it, stays the same all day.
      segments: hoursFrom(startOfDay(usageWindow(1, window.to).from)),
      counts: ['requests', 'server_errors', 'timed'],
      sketch: true,
      ofAll: true,
      into: { last_hour: (row) => String(startOfHour(row.start)) },
    },
    {
      kinds: ['all'],
      segments: daysOf({ from, to: window.to, days: FORECAST_DAYS + 1, unit: 'day' }),
      counts: ['requests'],
      by: 'day',
      into: { day: (row) => String(startOfDay(row.start)) },
    },
  ];
}

/** The last 24 hours together. */
function lastDay({ to }: UsageWindow, byHour: Tallies): Tally {
  const total = new Tally();
  for (const [start, tally] of byHour) if (Number(start) >= usageWindow(1, to).from) total.mergeTally(tally, false);
  return total;
}

/** Complete UTC days since recording began, 56 at most; days without a request are days with none. */
function completeDays(today: number, since: number | null, byDay: Tallies): DailySeries {
  const begin = since === null ? today : Math.ceil(since / DAY_MS) * DAY_MS;
  const first = Math.max(begin, today - FORECAST_DAYS * DAY_MS);
  const length = Math.max(0, (today - first) / DAY_MS);
  return {
    counts: Array.from({ length }, (_, n) => byDay.get(String(first + n * DAY_MS))?.requests ?? 0),
    firstWeekday: new Date(first).getUTCDay(),
  };
}

type PeakFigures = Pick<UsageInsights['system_insights'], 'peak_hour' | 'peak_hour_requests' | 'lowest_hour'>;

/** Mean requests by hour of day over the complete hours of the window that were recorded; every hour of day must be among them. */
function hoursOfDay(window: UsageWindow, since: number | null, byHour: Tallies): { figures: PeakFigures; hours: number } {
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

type RankedEndpoints = Pick<UsageInsights['system_insights'], 'busiest_endpoint' | 'slowest_endpoint' | 'error_prone_endpoint'>;

function rankEndpoints(endpoints: Tallies): RankedEndpoints {
  const all = [...endpoints].sort(([a], [b]) => (a < b ? -1 : 1));
  const best = (from: readonly [string, Tally][], score: (tally: Tally) => number) => {
    let found: { name: string; score: number } | null = null;
    for (const [name, tally] of from) if (score(tally) > (found?.score ?? 0)) found = { name, score: score(tally) };
    return found?.name ?? null;
  };
  const often = all.filter(([, { requests }]) => requests >= RANKED_MIN_REQUESTS);
  return {
    busiest_endpoint: best(all, ({ requests }) => requests),
    slowest_endpoint: best(often, ({ ms, timed }) => (timed === 0 ? 0 : ms / timed)),
    error_prone_endpoint: best(often, ({ errors, requests }) => errors / requests),
  };
}

/** Who asked one route more than 120 times in the last hour, in nearly every minute of it. */
function pollersOf(recent: Recent, now: number): NonNullable<AdviceFacts['pollers']> {
  const seen = new Map<string, { requests: number; minutes: number }>();
  for (const { routes } of recent.minutesFrom(now - 60 * MINUTE_MS)) {
    for (const [key, requests] of routes) {
      const one = seen.get(key) ?? { requests: 0, minutes: 0 };
      seen.set(key, { requests: one.requests + requests, minutes: one.minutes + 1 });
    }
  }
  return [...seen]
    .filter(([, { requests, minutes }]) => requests > 120 && minutes >= 55)
    .map(([key, { requests }]) => ({ caller: key.split('\n')[0] ?? '', endpoint: key.split('\n')[1] ?? '', requests }));
}

/** Accounts that were refused for their number of requests. */
async function refusalsOf({ requests, usernamesOf }: InsightDeps, from: number): Promise<NonNullable<AdviceFacts['refusals']>> {
  const refused = await requests.refusals(from);
  const names = await usernamesOf(refused.map(({ userId }) => userId));
  return refused.map(({ userId, ...counts }) => ({ account: names.get(userId) ?? userId, ...counts }));
}

/** What is null, why, and what it would need. */
function gaps(known: {
  last: Tally;
  series: DailySeries;
  growth: number | null;
  hasPeak: boolean;
  peakHours: number;
  total: Tally;
  people: { visitors: number };
  ranked: RankedEndpoints;
  asked: Asked;
}): UsageInsufficient[] {
  const { last, series, growth, total } = known;
  const days = series.counts.length;
  const counted = series.counts.reduce((sum, count) => sum + count, 0);
  const missing: UsageInsufficient[] = [];
  const say = (fields: readonly string[], reason: UsageInsufficient['reason'], have: number, need: number) => {
    for (const field of fields) missing.push({ field, reason, have, need });
  };
  if (last.requests < HEALTH_MIN_REQUESTS)
    say(
      [
        'system_insights.system_health_score',
        'system_insights.health_components.availability',
        'system_insights.health_components.latency',
      ],
      'few_samples',
      last.requests,
      HEALTH_MIN_REQUESTS,
    );
  if (!known.hasPeak)
    say(
      ['peak_hour', 'peak_hour_requests', 'lowest_hour'].map((name) => `system_insights.${name}`),
      'short_history',
      known.peakHours / 24,
      1,
    );
  if (total.requests === 0) say(['system_insights.busiest_endpoint'], 'no_requests', 0, 1);
  if (known.ranked.slowest_endpoint === null) say(['system_insights.slowest_endpoint'], 'few_samples', total.requests, RANKED_MIN_REQUESTS);
  if (known.people.visitors === 0) say(['system_insights.avg_requests_per_user'], 'no_requests', 0, 1);
  if (growth === null) {
    const fields = ['system_insights.daily_growth_rate', 'predictions.growth_trend'];
    if (days < GROWTH_MIN_DAYS) say(fields, 'short_history', days, GROWTH_MIN_DAYS);
    else say(fields, 'few_samples', counted, GROWTH_MIN_REQUESTS);
  }
  if (days < FORECAST_MIN_DAYS)
    say(['predictions.next_week_requests', 'predictions.next_month_requests'], 'short_history', days, FORECAST_MIN_DAYS);
  if (days < FORECAST_INTERVAL_DAYS)
    say(
      ['predictions.intervals.next_week', 'predictions.intervals.next_month', 'confidence_score'],
      'short_history',
      days,
      FORECAST_INTERVAL_DAYS,
    );
  return missing;
}

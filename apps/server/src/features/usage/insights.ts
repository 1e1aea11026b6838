import type { UsageInsights } from '@nwms/contract';
import {
  adviceFor,
  averageMs,
  dailyGrowthRate,
  dateOf,
  DAY_MS,
  forecastRequests,
  growthTrend,
  type HealthInput,
  percentOf,
  roundTo,
  startOfDay,
  systemHealth,
} from '@nwms/domain';
import { type Asked, askedOf, type DaysQuery, type FigureDeps, periodMembers } from './answer.ts';
import type { InsightAlerts } from './insight-alerts.ts';
import { pollersOf, refusalsOf, revalidation } from './insight-callers.ts';
import { insightGaps } from './insight-gaps.ts';
import { hoursOfDay, rankEndpoints } from './insight-patterns.ts';
import { completeDays, insightParts, lastDay } from './insight-question.ts';
import type { Load } from './people.ts';
import type { Overlay } from './overlay.ts';
import { countsOf } from './people-figures.ts';
import type { Recent } from './recent.ts';
import type { RequestReads } from './store-requests.ts';
import { splitEndpoint } from './tally.ts';

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

/** Everything by named rules over counted requests (docs/analytics.md); what they cannot tell is null and listed. */
export async function insights(deps: InsightDeps, query: DaysQuery): Promise<UsageInsights> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const today = startOfDay(window.to);
  const [figures, since, loads] = await Promise.all([
    deps.figures({ name: 'insights', parts: insightParts(window), principal }, asked.breathe),
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
      ...ranked.figures,
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
        ...revalidation(name, byKey.get(name)),
      })),
      pollers: await pollersOf(deps, window.to),
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
      insightGaps({ last, series, growth, hasPeak: peak.figures.peak_hour !== null, peakHours: peak.hours, total, people, ranked }),
    ),
  };
}

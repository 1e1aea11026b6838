import type { alerts, BodyOf, health, playback, QueryOf, ReplyOf, RouteSpec, trends } from '@nwms/contract';
import type { AlertList } from '@nwms/contract';
import { type ActiveAlerts, judged } from './active-alerts.ts';
import { type CallerOptions, type CallInput, type CallOptions, createCaller } from './call.ts';
import { ROUTES } from './routes.ts';

type A = typeof alerts;
type H = typeof health;
type T = typeof trends;
type P = typeof playback;
/** `limit: 0` asks for the maximum; every list parameter takes an array. */
export type ListQuery = QueryOf<A['listAlerts']>;

/** Every call answers with the documented body or throws `ApiError`. Answers may be shared between calls: treat them as read-only. */
export interface NwmsClient {
  alerts: {
    /** Rows by filter; `view: 'messages'`, history and slim rows included. */
    list(query?: ListQuery, options?: CallOptions): Promise<AlertList>;
    stats(query?: QueryOf<A['alertStats']>, options?: CallOptions): Promise<ReplyOf<A['alertStats']>>;
    near(query: QueryOf<A['alertsNear']>, options?: CallOptions): Promise<ReplyOf<A['alertsNear']>>;
    within(query: QueryOf<A['alertsWithin']>, options?: CallOptions): Promise<ReplyOf<A['alertsWithin']>>;
    /** `within` for areas too large for a URL; a read although it posts. */
    withinShape(body: BodyOf<A['alertsWithinShape']>, options?: CallOptions): Promise<ReplyOf<A['alertsWithinShape']>>;
    /** By alert id or event id. */
    get(id: string, query?: QueryOf<A['getAlert']>, options?: CallOptions): Promise<ReplyOf<A['getAlert']>>;
    history(id: string, options?: CallOptions): Promise<ReplyOf<A['alertHistory']>>;
    types(options?: CallOptions): Promise<ReplyOf<A['alertTypes']>>;
    /** The numbered log; `wait` long-polls up to 30 s. */
    changes(query?: QueryOf<A['alertChanges']>, options?: CallOptions): Promise<ReplyOf<A['alertChanges']>>;
    ticker(query?: QueryOf<A['breakingNewsTicker']>, options?: CallOptions): Promise<ReplyOf<A['breakingNewsTicker']>>;
  };
  /** Statistics over the stored record; null with a reason where there is not enough data. */
  intelligence: {
    severityTrends(query?: QueryOf<T['severityTrends']>, options?: CallOptions): Promise<ReplyOf<T['severityTrends']>>;
    historicalPatterns(query?: QueryOf<T['historicalPatterns']>, options?: CallOptions): Promise<ReplyOf<T['historicalPatterns']>>;
    alertFatigue(query?: QueryOf<T['alertFatigueAnalysis']>, options?: CallOptions): Promise<ReplyOf<T['alertFatigueAnalysis']>>;
    recommendations(query?: QueryOf<T['systemRecommendations']>, options?: CallOptions): Promise<ReplyOf<T['systemRecommendations']>>;
  };
  playback: {
    /** What was in force over a range, as known then; a read although it posts. */
    timeline(body?: BodyOf<P['playbackTimeline']>, options?: CallOptions): Promise<ReplyOf<P['playbackTimeline']>>;
    seasonal(query?: QueryOf<T['seasonalPatterns']>, options?: CallOptions): Promise<ReplyOf<T['seasonalPatterns']>>;
    trends(query?: QueryOf<T['trendAnalysis']>, options?: CallOptions): Promise<ReplyOf<T['trendAnalysis']>>;
  };
  health: {
    get(options?: CallOptions): Promise<ReplyOf<H['getHealth']>>;
    upstream(options?: CallOptions): Promise<ReplyOf<H['getUpstreamHealth']>>;
  };
  /** Is anything active? `alerts`, `none`, or `unknown`; unreachable is `unknown`, never `none`. */
  activeAlerts(query?: Omit<ListQuery, 'active_only'>, options?: CallOptions): Promise<ActiveAlerts>;
}

/** The public API, typed by its contract. Runs in browsers and in Node 22 or later. */
export function createClient(options: CallerOptions): NwmsClient {
  const call = createCaller(options);
  const ask = <R extends RouteSpec>(route: { method: R['method']; path: R['path'] }, input: CallInput, how?: CallOptions) =>
    call(route, input, how) as Promise<ReplyOf<R>>;
  const list = (query?: ListQuery, how?: CallOptions) => call(ROUTES.listAlerts, { query: query ?? {} }, how) as Promise<AlertList>;
  return {
    alerts: {
      list,
      stats: (query = {}, how) => ask<A['alertStats']>(ROUTES.alertStats, { query }, how),
      near: (query, how) => ask<A['alertsNear']>(ROUTES.alertsNear, { query }, how),
      within: (query, how) => ask<A['alertsWithin']>(ROUTES.alertsWithin, { query }, how),
      withinShape: (body, how) => ask<A['alertsWithinShape']>(ROUTES.alertsWithinShape, { body }, how),
      get: (id, query = {}, how) => ask<A['getAlert']>(ROUTES.getAlert, { params: { id }, query }, how),
      history: (id, how) => ask<A['alertHistory']>(ROUTES.alertHistory, { params: { id } }, how),
      types: (how) => ask<A['alertTypes']>(ROUTES.alertTypes, {}, how),
      changes: (query = {}, how) => ask<A['alertChanges']>(ROUTES.alertChanges, { query, extraTimeoutMs: (query.wait ?? 0) * 1_000 }, how),
      ticker: (query = {}, how) => ask<A['breakingNewsTicker']>(ROUTES.breakingNewsTicker, { query }, how),
    },
    intelligence: {
      severityTrends: (query = {}, how) => ask<T['severityTrends']>(ROUTES.severityTrends, { query }, how),
      historicalPatterns: (query = {}, how) => ask<T['historicalPatterns']>(ROUTES.historicalPatterns, { query }, how),
      alertFatigue: (query = {}, how) => ask<T['alertFatigueAnalysis']>(ROUTES.alertFatigueAnalysis, { query }, how),
      recommendations: (query = {}, how) => ask<T['systemRecommendations']>(ROUTES.systemRecommendations, { query }, how),
    },
    playback: {
      timeline: (body = {}, how) => ask<P['playbackTimeline']>(ROUTES.playbackTimeline, { body }, how),
      seasonal: (query = {}, how) => ask<T['seasonalPatterns']>(ROUTES.seasonalPatterns, { query }, how),
      trends: (query = {}, how) => ask<T['trendAnalysis']>(ROUTES.trendAnalysis, { query }, how),
    },
    health: {
      get: (how) => ask<H['getHealth']>(ROUTES.getHealth, {}, how),
      upstream: (how) => ask<H['getUpstreamHealth']>(ROUTES.getUpstreamHealth, {}, how),
    },
    activeAlerts: (query = {}, how) => judged(() => list({ ...query, active_only: true }, how)),
  };
}

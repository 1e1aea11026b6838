import type { alerts, health, playback, RouteSpec, trends } from '@nwms/contract';

/**
 * Method and path of the public routes. Only types come from the contract, so that a page does not load its schemas; the compiler holds
 * each line to the contract's route object, and a test compares them once more.
 */
type LineOf<R extends RouteSpec> = { method: R['method']; path: R['path'] };
const line = <const R extends RouteSpec>(method: R['method'], path: R['path']): LineOf<R> => ({ method, path });

export const ROUTES = {
  listAlerts: line<typeof alerts.listAlerts>('GET', '/alerts'),
  alertStats: line<typeof alerts.alertStats>('GET', '/alerts/stats'),
  alertsNear: line<typeof alerts.alertsNear>('GET', '/alerts/near'),
  alertsWithin: line<typeof alerts.alertsWithin>('GET', '/alerts/within'),
  alertsWithinShape: line<typeof alerts.alertsWithinShape>('POST', '/alerts/within'),
  getAlert: line<typeof alerts.getAlert>('GET', '/alerts/{id}'),
  alertHistory: line<typeof alerts.alertHistory>('GET', '/alerts/{id}/history'),
  alertTypes: line<typeof alerts.alertTypes>('GET', '/alerts/types'),
  alertChanges: line<typeof alerts.alertChanges>('GET', '/alerts/changes'),
  breakingNewsTicker: line<typeof alerts.breakingNewsTicker>('GET', '/intelligence/weather-insights/breaking-news-ticker'),
  severityTrends: line<typeof trends.severityTrends>('GET', '/intelligence/severity-trends'),
  historicalPatterns: line<typeof trends.historicalPatterns>('GET', '/intelligence/historical-patterns'),
  alertFatigueAnalysis: line<typeof trends.alertFatigueAnalysis>('GET', '/intelligence/alert-fatigue-analysis'),
  systemRecommendations: line<typeof trends.systemRecommendations>('GET', '/intelligence/recommendations'),
  playbackTimeline: line<typeof playback.playbackTimeline>('POST', '/playback/timeline'),
  seasonalPatterns: line<typeof trends.seasonalPatterns>('GET', '/playback/patterns/seasonal'),
  trendAnalysis: line<typeof trends.trendAnalysis>('GET', '/playback/analysis/trends'),
  getHealth: line<typeof health.getHealth>('GET', '/health'),
  getUpstreamHealth: line<typeof health.getUpstreamHealth>('GET', '/health/upstream'),
} as const;

/**
 * Which call of `@nwms/client` asks an operation, and what it is given: `query`, `body`, `id` or `id, query`. What is missing here is not
 * part of the SDK. A test makes each of them and looks at what was asked.
 */
export const SDK_CALLS: Readonly<Record<string, { call: string; given: 'nothing' | 'query' | 'body' | 'id' | 'id, query' }>> = {
  listAlerts: { call: 'alerts.list', given: 'query' },
  alertStats: { call: 'alerts.stats', given: 'query' },
  alertsNear: { call: 'alerts.near', given: 'query' },
  alertsWithin: { call: 'alerts.within', given: 'query' },
  alertsWithinShape: { call: 'alerts.withinShape', given: 'body' },
  getAlert: { call: 'alerts.get', given: 'id, query' },
  alertHistory: { call: 'alerts.history', given: 'id' },
  alertTypes: { call: 'alerts.types', given: 'nothing' },
  alertChanges: { call: 'alerts.changes', given: 'query' },
  breakingNewsTicker: { call: 'alerts.ticker', given: 'query' },
  severityTrends: { call: 'intelligence.severityTrends', given: 'query' },
  historicalPatterns: { call: 'intelligence.historicalPatterns', given: 'query' },
  alertFatigueAnalysis: { call: 'intelligence.alertFatigue', given: 'query' },
  systemRecommendations: { call: 'intelligence.recommendations', given: 'query' },
  playbackTimeline: { call: 'playback.timeline', given: 'body' },
  seasonalPatterns: { call: 'playback.seasonal', given: 'query' },
  trendAnalysis: { call: 'playback.trends', given: 'query' },
  getHealth: { call: 'health.get', given: 'nothing' },
  getUpstreamHealth: { call: 'health.upstream', given: 'nothing' },
};

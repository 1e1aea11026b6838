export * from './route.ts';
export * from './errors.ts';
export * from './problem.ts';
export * from './schema.ts';
export * from './freshness.ts';
export * from './alert.ts';
export * as admin from './admin.ts';
export * as ai from './ai.ts';
export type { AiHealth } from './ai.ts';
export * as alerts from './alerts.ts';
export * as auth from './auth.ts';
export * as health from './health.ts';
export * as keys from './keys.ts';
export * as settings from './settings.ts';
export * as audit from './audit.ts';
export * as clientErrors from './client-errors.ts';
export * as places from './places.ts';
export * as playback from './playback.ts';
export * as trends from './trends.ts';
export type {
  AlertFatigueAnalysis,
  HistoricalPatterns,
  SeasonalPatterns,
  SeverityTrends,
  SystemRecommendations,
  TrendAnalysis,
} from './trends.ts';
export * as usage from './usage.ts';
export * as usagePeople from './usage-people.ts';
export type { UsageInsufficient } from './usage-parts.ts';
export type {
  UsageAgents,
  UsageBusiness,
  UsageEndpoint,
  UsageErrors,
  UsageGeographic,
  UsageOverview,
  UsagePerformance,
  UsageRequest,
  UsageRequests,
} from './usage.ts';
export type { UsageInsights, UsageRealtime, UsageUser, UsageUsers } from './usage-people.ts';
export type { Coverage, Insufficient, Interval, Recommendation } from './trends-parts.ts';
export * from './live.ts';
export * from './routes.ts';
export type { AlertChanges, AlertDetail, AlertHistory, AlertList, AlertStats, AlertTypes, Entry, Ticker } from './alerts.ts';
export type { Place, PlaceSearch } from './places.ts';
export type { Health, UpstreamHealth } from './health.ts';
export type { SavedSettings, Settings, SettingEffect, SettingsChange, SettingsValues } from './settings.ts';
export type { AdminStatus, AdminUser, Dashboard, UsageLimits, UserChange, UserList } from './admin.ts';
export type { AuditAction, AuditEntry, AuditList } from './audit.ts';
export type { AllowanceWindow, ApiKey, CallerLimits, IssuedKey, KeyUsage, OwnUsage } from './keys.ts';
export type { ClientErrorList, ClientErrorReport } from './client-errors.ts';
export { AUTH_PROVIDERS, AuthConfig, Login, ROLES, Session, User } from './auth.ts';
export * from './openapi.ts';
export * from './settings-table.ts';

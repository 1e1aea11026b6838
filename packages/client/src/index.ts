export { createClient, type ListQuery, type NwmsClient } from './client.ts';
export type { AnswerFacts, CallerOptions, CallOptions, Fetch } from './call.ts';
export type { ActiveAlerts } from './active-alerts.ts';
export { ApiError, type LocalCode } from './errors.ts';
export { createLiveFeed } from './live-feed.ts';
export { MAX_ATTEMPTS } from './backoff.ts';
export { MAX_ROWS, type FeedRow } from './feed-list.ts';
export type {
  ConnectionState,
  FeedClock,
  FeedEnvironment,
  FeedGap,
  FeedStatus,
  LiveFeed,
  LiveFeedOptions,
  SnapshotEvent,
  SocketConstructor,
  SocketLike,
} from './feed-types.ts';

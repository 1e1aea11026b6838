import type { Dashboard } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Passwords, UserStore } from '../auth/index.ts';
import type { SettingsReader } from '../settings/index.ts';

/** What is recorded of requests: docs/analytics.md says which. Throw `AppError` where the record cannot be read. */
export interface RequestFigures {
  /** Of this UTC day, by kind of caller. */
  today(): Promise<Dashboard['requests_today_by_principal']>;
  /** Accounts with a request at or after `since`. */
  activeSince(since: Instant): Promise<number>;
  /** With keys, all time, of every account that has any. */
  keyTotals(): Promise<ReadonlyMap<string, number>>;
}

export interface AdminDeps {
  clock: Clock;
  users: UserStore;
  passwords: Passwords;
  settings: SettingsReader;
  audit: AuditWriter;
  idempotency: Idempotency;
  requests: RequestFigures;
  /** API keys per account; absent accounts have none. */
  keyCountsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Units of accounts in the running windows: the counters that decide. Absent accounts used none. */
  unitsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, { keys: UsedUnits; sessions: UsedUnits }>>;
  /** What is not well, in a sentence; null = all is. */
  trouble(): string | null;
}

/** Units in the running UTC minute, day and month, and requests refused today. */
export interface UsedUnits {
  minute: number;
  day: number;
  month: number;
  refusedToday: number;
}

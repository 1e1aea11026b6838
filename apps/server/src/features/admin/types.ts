import type { Clock } from '../../platform/clock.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Passwords, UserStore } from '../auth/index.ts';
import type { SettingsReader } from '../settings/index.ts';
import type { RequestCounts } from './request-counts.ts';

export interface AdminDeps {
  clock: Clock;
  users: UserStore;
  passwords: Passwords;
  settings: SettingsReader;
  audit: AuditWriter;
  idempotency: Idempotency;
  counts: RequestCounts;
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

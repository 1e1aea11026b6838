import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';
import type { UserFigures } from '../auth/index.ts';

export type CallerKind = 'anonymous' | 'key' | 'session';

/** Counted requests of one account (empty id: nobody), one kind of caller, one UTC day. */
export interface Tally {
  userId: string;
  kind: CallerKind;
  /** `2026-11-21` */
  day: string;
  requests: number;
  lastAt: Instant;
}

export interface RequestTotalsStore {
  /** Adds to the day, its month and the total of all time, and keys' requests to the account; all or nothing. */
  add(tallies: readonly Tally[]): Promise<void>;
  figures(userIds: readonly string[], day: string, month: string): Promise<Map<string, UserFigures>>;
  sums(period: string): Promise<Record<CallerKind, number>>;
  /** Of keys, all time, without accounts that are gone. */
  keyRequests(): Promise<number>;
  rename(userId: string, unlinkable: string, transaction: Part): Promise<void>;
  activeSince(since: Instant): Promise<number>;
  /** Removes days over 40 days old and months over 14 months old. */
  expire(now: Instant): Promise<void>;
}

export const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10);
export const monthOf = (at: Instant): string => new Date(at).toISOString().slice(0, 7);
/** Beginning of the ids that stand for accounts which are gone. */
export const GONE = 'gone_';

import type { ClientErrorReport } from '@nwms/contract';
import type { Instant } from '@nwms/domain';

/** Errors of pages with the same kind, message, page and first frame. */
export interface ErrorGroup {
  fingerprint: string;
  kind: ClientErrorReport['errors'][number]['kind'];
  message: string;
  stack: string | null;
  page: string;
  appVersion: string;
  count: number;
  firstAt: Instant;
  lastAt: Instant;
}

export interface ClientErrorStore {
  /** Adds to the group of this fingerprint; the newest stack and version win. */
  add(group: ErrorGroup): Promise<void>;
  groups(): Promise<number>;
  /** Newest first, after `position`. */
  list(position: { at: Instant; id: string } | null, limit: number): Promise<ErrorGroup[]>;
  /** Removes groups last seen before that, and all but the newest ones. */
  expire(before: Instant, keepNewest: number): Promise<void>;
}

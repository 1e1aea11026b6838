import type { AuditAction } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';

export interface AuditActor {
  type: 'user' | 'system' | 'anonymous';
  id: string | null;
  /** As it was called at that time. */
  name: string;
}

export interface AuditChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** What a slice says happened. Left out: target none, outcome ok, no reason, no changes. */
export interface AuditRecord {
  actor: AuditActor;
  action: AuditAction;
  target?: { type: string; id: string | null; label: string | null } | null;
  outcome?: 'ok' | 'refused';
  /** Error code of a refusal. */
  reason?: string | null;
  requestId?: string | null;
  /** The caller's address in clear; only its keyed hash is kept. */
  address?: string | null;
  changes?: readonly AuditChange[];
}

/** The face other slices write through. */
export interface AuditWriter {
  /**
   * Writes one entry. With `transaction` (of the `app` part) the entry stands or falls with what it tells of; without, it is written by
   * itself. Rejects with the database's fault: what must be written down and cannot be, must not happen.
   */
  record(entry: AuditRecord, transaction?: Part): Promise<void>;
}

/** An entry as kept. */
export interface AuditRow {
  id: string;
  at: Instant;
  actor: AuditActor;
  action: string;
  target: { type: string; id: string | null; label: string | null } | null;
  outcome: 'ok' | 'refused';
  reason: string | null;
  requestId: string | null;
  addressHash: string | null;
  changes: readonly AuditChange[];
}

/** Place of a row in the one order there is: newest first, ties by id. */
export interface AuditPosition {
  at: Instant;
  id: string;
}

export interface AuditFilter {
  from?: Instant;
  to?: Instant;
  /** Id, or name with letter case folded. */
  actor?: string;
  /** Null = any; empty = none. */
  actions: readonly string[] | null;
  /** Id, type, or name with letter case folded. */
  target?: string;
  outcome?: 'ok' | 'refused';
}

/** Append-only: there is no way to change an entry, and only the retention removes some. */
export interface AuditStore {
  append(row: AuditRow, transaction?: Part): Promise<void>;
  /** At most `limit` rows after `position`. */
  list(filter: AuditFilter, position: AuditPosition | null, limit: number): Promise<AuditRow[]>;
  /** Removes at most `limit` entries older than `before`; answers how many. */
  expire(before: Instant, limit: number): Promise<number>;
}

import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { AuditRecord, AuditWriter } from '../audit/index.ts';
import type { UserStore } from '../auth/index.ts';
import type { SettingsReader } from '../settings/index.ts';
import { actorOf, originOf } from '../../platform/http/caller.ts';
import type { Quotas } from './quota/types.ts';
import type { KeyRows } from './store.ts';
import type { KeyRow, PlaceCredit, SecretRow } from './types.ts';
import type { KeyUses } from './uses.ts';

/** What the use cases of keys share. */
export interface KeyCaseDeps {
  clock: Clock;
  database: Database;
  rows: KeyRows;
  users: UserStore;
  settings: SettingsReader;
  audit: AuditWriter;
  idempotency: Idempotency;
  quotas: Quotas;
  uses: KeyUses;
  placeCredit(): PlaceCredit | null;
  /** Multiplies the allowance of sessions; 1 in the product. */
  factor: number;
  /** Forgets a key here and waits until no other process believes what it read of it before. */
  forgetEverywhere(keyId: string): Promise<void>;
  /** Its connections end. */
  ended(keyId: string): void;
}

export type Member = Extract<Principal, { type: 'session' }>;

/** Who asks, and the request itself. */
export interface KeyCall {
  member: Member;
  request: FastifyRequest;
}

export const entryOf = (
  { member, request }: KeyCall,
  action: AuditRecord['action'],
  key: Pick<KeyRow, 'id' | 'description'>,
): AuditRecord => ({
  actor: actorOf(member),
  action,
  target: { type: 'key', id: key.id, label: key.description },
  ...originOf(request, member),
});

/** Fields of a key under their names on the wire, for the audit log. */
export const auditedFields = (key: KeyRow, secret?: SecretRow): object => ({
  description: key.description,
  is_active: key.isActive,
  rate_limit_per_minute: key.limits.perMinute,
  daily_limit: key.limits.perDay,
  monthly_limit: key.limits.perMonth,
  expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
  ...(secret ? { key_prefix: secret.prefix } : {}),
});

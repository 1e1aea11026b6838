import { audit as contract } from '@nwms/contract';
import type { Clock } from '../../platform/clock.ts';
import type { AddressHash } from '../../platform/address-hash.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import { listEntries } from './list.ts';
import type { AuditRecord, AuditStore, AuditWriter } from './types.ts';

export { changesBetween } from './changes.ts';
export { createAuditStore } from './store.ts';
export type { AuditActor, AuditChange, AuditRecord, AuditStore, AuditWriter } from './types.ts';

/** Entries are kept this long. */
export const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
const EXPIRE_EVERY_MS = 6 * 3_600_000;
/** Rows per deletion: short transactions, since other writers wait. */
const EXPIRE_BATCH = 1_000;
/** Names and labels are for reading; whoever signs in with a megabyte of name does not fill the log. */
const MAX_TEXT = 200;

export interface Audit extends AuditWriter {
  registerRoutes(serve: Serve): void;
  start(): void;
  stop(): Promise<void>;
  /** One round of the retention job. */
  expireNow(): Promise<number>;
}

export interface AuditDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  store: AuditStore;
  addressHash: AddressHash;
}

/** What was done by whom: written beside the effect, read by administrators, removed by age alone. */
export function createAudit(deps: AuditDeps): Audit {
  const { clock, store } = deps;
  const expireNow = async () => {
    let removed = 0;
    for (;;) {
      const batch = await store.expire(clock.now() - KEPT_DAYS * DAY_MS, EXPIRE_BATCH);
      removed += batch;
      if (batch < EXPIRE_BATCH) return removed;
    }
  };
  const retention = every(deps, {
    name: 'audit retention',
    intervalMs: EXPIRE_EVERY_MS,
    run: async () => {
      await deps.addressHash.renew();
      await expireNow();
      return { kind: 'ok' };
    },
  });
  return {
    async record(entry, transaction) {
      await store.append(rowOf(entry, deps), transaction);
    },
    registerRoutes(serve) {
      serve(contract.listAudit, ({ query }) => listEntries(store, query));
    },
    start: () => retention.start(),
    stop: () => retention.stop(),
    expireNow,
  };
}

function rowOf(entry: AuditRecord, { clock, addressHash }: AuditDeps) {
  const { target = null } = entry;
  return {
    id: `aud_${randomBase32()}`,
    at: clock.now(),
    actor: { ...entry.actor, name: cleanText(entry.actor.name) },
    action: entry.action,
    target: target && { ...target, label: target.label === null ? null : cleanText(target.label) },
    outcome: entry.outcome ?? 'ok',
    reason: entry.reason ?? null,
    requestId: entry.requestId ?? null,
    addressHash: entry.address ? addressHash.hash(entry.address) : null,
    changes: entry.changes ?? [],
  } as const;
}

/** PostgreSQL takes no NUL and no half surrogate; readers take no control characters. */
const cleanText = (text: string) =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');

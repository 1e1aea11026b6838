import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { IdentifyCredential } from '../../platform/http/principal.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditWriter } from '../audit/index.ts';
import { type Auth, type CountryOf, createAddressList } from '../auth/index.ts';
import type { SettingsReader } from '../settings/index.ts';
import { accountSubject, keySubject, sessionSubject } from './allowances.ts';
import { createLiveCharge, type LiveCaller, type LiveCharged } from './charge-live.ts';
import { createGate, type Gate } from './gate.ts';
import { BELIEVED_MS, createKnownKeys } from './known-keys.ts';
import { createQuotas } from './quota/quotas.ts';
import { createQuotaStore } from './quota/store-quota.ts';
import type { Used } from './quota/types.ts';
import { registerKeyRoutes } from './routes.ts';
import { createKeyRows } from './store.ts';
import { createUseRows } from './store-uses.ts';
import { createKeyUpkeep } from './upkeep.ts';
import { hashOf } from './secret.ts';
import type { EndedKey, PlaceCredit } from './types.ts';
import { createKeyUses } from './uses.ts';

export type { Gate } from './gate.ts';
export type { LiveCaller, LiveCharged } from './charge-live.ts';

/** API keys, and what their owners and everybody else may ask for. */
export interface Keys {
  gate: Gate;
  /** Answers an API key; see `IdentifyCredential`. */
  identify: IdentifyCredential;
  /** Of a secret that was just identified: the name it is watched by, and when it ends by itself, epoch milliseconds; null = never. */
  presentedBy(secret: string): { credential: string; expiresAt: number | null };
  registerRoutes(serve: Serve): void;
  /** Counts what keys are used for. Call it before routes are mounted. */
  observe(app: FastifyInstance): void;
  /** Keys per account; absent accounts have none. */
  countsOf(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Keys that work and that nobody used for 90 days, or that are over a year old and have no end. */
  idle(): Promise<number>;
  /** Units of accounts in the running windows: of their keys, and of their sessions. */
  usedBy(userIds: readonly string[]): Promise<ReadonlyMap<string, { keys: Used; sessions: Used }>>;
  /** Takes units for a live connection. */
  chargeLive(caller: LiveCaller, units: number): Promise<LiveCharged>;
  /** Told of keys and secrets that may not be used any more, also of those another process ended, within a second. */
  onEnded(listener: (ended: EndedKey) => void): void;
  /** Says which secrets hold connections open in this process, and whose they are. Call it before `start`. */
  watch(open: () => ReadonlyMap<string, string>): void;
  start(): void;
  stop(): Promise<void>;
}

export interface KeysDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  auth: Auth;
  audit: AuditWriter;
  settings: SettingsReader;
  idempotency: Idempotency;
  addressOf(request: IncomingMessage): string;
  countryOf: CountryOf;
  placeCredit(): PlaceCredit | null;
  /** Multiplies the limits of callers without a key; 1 in the product. */
  factor: number;
}

/** Beyond the time that what was read is believed: a process that is a little late. */
const MARGIN_MS = 100;
const DAY_MS = 86_400_000;
const NONE: Used = { minute: 0, day: 0, month: 0, refusedToday: 0 };

export function createKeys(deps: KeysDeps): Keys {
  const { database, clock, auth, factor, settings } = deps;
  const rows = createKeyRows(database.engine);
  const useRows = createUseRows();
  const quotaStore = createQuotaStore(database.app);
  const shared = database.engine.kind === 'postgres';
  const quotas = createQuotas({ ...deps, store: quotaStore, shared });
  const known = createKnownKeys({ database, clock, rows, users: auth.users, shared });
  const uses = createKeyUses({ ...deps, rows: useRows });
  const limits = {
    factor,
    anonymousPerMinute: () => settings.current().limits.anonymous_rate_limit_per_minute,
    isTrusted: createAddressList(() => settings.current().security.trusted_ips),
  };
  const gate = createGate({ ...deps, quotas, limits });
  const listeners = new Set<(ended: EndedKey) => void>();
  const ended = (what: EndedKey) => {
    for (const listener of listeners) listener(what);
  };
  const upkeep = createKeyUpkeep({ ...deps, rows, quotaStore, users: auth.users, ended });

  auth.onChanged((userId) => known.forget({ userId }));
  auth.onUserRemoved(async (userId, part) => {
    const keys = await rows.listOf(part, userId);
    for (const key of keys) await rows.remove(part, userId, key.id, clock.now());
    const ids = keys.map((key) => key.id);
    await useRows.removeMinutesOf(part, ids);
    await quotaStore.remove([...ids.map(keySubject), accountSubject(userId), sessionSubject(userId)], part);
  });

  return {
    gate,
    identify: gate.counted(known.identify),
    presentedBy: (secret) => ({ credential: hashOf(secret), expiresAt: known.expiryOf(secret) }),
    registerRoutes(serve) {
      registerKeyRoutes(serve, {
        ...deps,
        rows,
        users: auth.users,
        quotas,
        uses,
        ended: (keyId) => ended({ keyId }),
        async forgetEverywhere(keyId) {
          known.forget({ keyId });
          // Other processes have no ear for this: what they read before is not believed any more after that time.
          if (shared) await new Promise<void>((over) => clock.after(BELIEVED_MS + MARGIN_MS, over));
        },
      });
    },
    observe: (app) => uses.observe(app),
    countsOf: (userIds) => rows.countsOf(database.app, userIds),
    idle: () => rows.countIdle(database.app, { unusedSince: clock.now() - 90 * DAY_MS, madeBefore: clock.now() - 365 * DAY_MS }),
    async usedBy(userIds) {
      const used = await quotas.usedBy(userIds.flatMap((id) => [accountSubject(id), sessionSubject(id)]));
      return new Map(
        userIds.map((id) => [id, { keys: used.get(accountSubject(id)) ?? NONE, sessions: used.get(sessionSubject(id)) ?? NONE }]),
      );
    },
    chargeLive: createLiveCharge({ database, clock, rows, users: auth.users, quotas, factor, takeAnonymous: gate.takeAnonymous }),
    onEnded: (listener) => void listeners.add(listener),
    watch: (open) => upkeep.watch(open),
    start() {
      quotas.start();
      uses.start();
      upkeep.start();
    },
    async stop() {
      await upkeep.stop();
      await uses.stop();
      await quotas.stop();
    },
  };
}

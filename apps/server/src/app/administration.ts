import type { FastifyRequest } from 'fastify';
import { type AdminDeps, registerAdminRoutes, type RequestFigures } from '../features/admin/index.ts';
import { type Audit, createAudit, createAuditStore } from '../features/audit/index.ts';
import type { Auth } from '../features/auth/index.ts';
import { createClientErrors, createClientErrorStore } from '../features/client-errors/index.ts';
import type { Keys } from '../features/keys/index.ts';
import { createSettings, createSettingsStore, type Settings } from '../features/settings/index.ts';
import { type AddressHash, openAddressHash } from '../platform/address-hash.ts';
import type { Clock } from '../platform/clock.ts';
import { addressKey } from '../platform/db/address-keys.ts';
import { createIdempotencyStore } from '../platform/db/idempotency-store.ts';
import type { Database } from '../platform/db/types.ts';
import { createIdempotency, type Idempotency } from '../platform/http/idempotency.ts';
import type { Serve } from '../platform/http/serve.ts';
import { every } from '../platform/jobs/every.ts';
import type { Log } from '../platform/log.ts';
import { createOutboundGuard, type OutboundGuard } from '../platform/outbound-guard.ts';
import { webhookTest } from './settings-test.ts';

export interface AdministrationDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  /** The accounts; asked for only after everything is built. */
  auth: () => Auth;
  addressOf(request: FastifyRequest): string;
  /** Their keys, asked for as late. */
  keys: () => Keys;
  /** What is recorded of requests, asked for as late. */
  requests: RequestFigures;
}

/** What administrators see and change: settings, the audit log, accounts, errors of pages; and what other slices need of it. */
export interface Administration {
  audit: Audit;
  settings: Settings;
  idempotency: Idempotency;
  guard: OutboundGuard;
  addressHash: AddressHash;
  /** `trouble`: what is not well, in a sentence. */
  registerRoutes(serve: Serve, trouble: () => string | null): void;
  start(): void;
  stop(): Promise<void>;
}

const EXPIRE_EVERY_MS = 3_600_000;

export async function createAdministration(deps: AdministrationDeps): Promise<Administration> {
  const { database, clock, log, random } = deps;
  const app = database.app;
  const addressHash = await openAddressHash({ clock, keyOf: (period) => addressKey(app, period) });
  const audit = createAudit({ clock, log, random, store: createAuditStore(app), addressHash });
  const guard = createOutboundGuard({ clock });
  const settings = await createSettings({
    clock,
    log,
    random,
    store: createSettingsStore(app),
    audit,
    // Mail comes with notifications; until then what needs it cannot be switched on.
    capabilities: { mailServer: false },
    urlFault: (url) => guard.urlFault(url),
    sendTest: webhookTest({ clock, guard }),
  });
  const idempotency = createIdempotency({ store: createIdempotencyStore(app), clock });
  const clientErrors = createClientErrors({ clock, log, random, store: createClientErrorStore(app), addressOf: deps.addressOf });
  const expiry = every(deps, {
    name: 'kept answers',
    intervalMs: EXPIRE_EVERY_MS,
    run: async () => {
      await idempotency.expire();
      return { kind: 'ok' };
    },
  });
  const jobs = [settings, audit, clientErrors, expiry];

  return {
    audit,
    settings,
    idempotency,
    guard,
    addressHash,
    registerRoutes(serve, trouble) {
      const { users, passwords } = deps.auth();
      const keyCountsOf: AdminDeps['keyCountsOf'] = (userIds) => deps.keys().countsOf(userIds);
      const unitsOf: AdminDeps['unitsOf'] = (userIds) => deps.keys().usedBy(userIds);
      settings.registerRoutes(serve);
      audit.registerRoutes(serve);
      clientErrors.registerRoutes(serve);
      registerAdminRoutes(serve, {
        clock,
        users,
        passwords,
        settings,
        audit,
        idempotency,
        requests: deps.requests,
        keyCountsOf,
        unitsOf,
        trouble,
      });
    },
    start() {
      for (const job of jobs) job.start();
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

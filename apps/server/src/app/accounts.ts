import type { FastifyRequest } from 'fastify';
import type { RequestFigures } from '../features/admin/index.ts';
import { type Auth, type CountryOf, createAuth, policyOf, type UserRequests } from '../features/auth/index.ts';
import { createKeys, type Keys } from '../features/keys/index.ts';
import type { Live } from '../features/live/index.ts';
import type { ChargeLive, VerifyCredential } from '../features/live/types.ts';
import { AppError } from '../platform/app-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/types.ts';
import { createClientAddress } from '../platform/http/client-address.ts';
import type { Serve } from '../platform/http/serve.ts';
import type { Log } from '../platform/log.ts';
import { type Administration, createAdministration } from './administration.ts';

export interface AccountsDeps {
  config: Config;
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  fetch: typeof fetch;
  passwordCostLog2: number;
  /** What is recorded of requests; asked for only after everything is built. */
  requests: RequestFigures & UserRequests;
  countryOf: CountryOf;
  placeCredit(): { text: string; url: string } | null;
}

/** Who people are, what administrators set, and what is written down about what they do. */
export interface Accounts {
  administration: Administration;
  auth: Auth;
  keys: Keys;
  /** `trouble`: what is not well, in a sentence. */
  registerRoutes(serve: Serve, trouble: () => string | null): void;
  /** The live feed asks who its callers are, and hears whose time is over. */
  verifyLive: VerifyCredential;
  chargeLive: ChargeLive;
  attachLive(live: Live): void;
  /** A line the operator must see, if any. */
  start(): Promise<string | null>;
  stop(): Promise<void>;
}

export async function createAccounts(deps: AccountsDeps): Promise<Accounts> {
  const { config, database, clock, log, random } = deps;
  const remoteAddress = createClientAddress(config.http.trustedProxies);
  const addressOf = (request: FastifyRequest) => remoteAddress(request.raw);
  const administration = await createAdministration({
    database,
    clock,
    log,
    random,
    addressOf,
    auth: () => auth,
    keys: () => keys,
    requests: deps.requests,
  });
  const { audit, settings, idempotency } = administration;
  const auth: Auth = await createAuth({
    database,
    clock,
    log,
    random,
    fetch: deps.fetch,
    config: config.auth,
    passwordCostLog2: deps.passwordCostLog2,
    policy: () => policyOf(settings.current()),
    audit,
    requests: deps.requests,
    addressOf,
    countryOf: deps.countryOf,
  });
  const keys: Keys = createKeys({
    database,
    clock,
    log,
    random,
    auth,
    audit,
    settings,
    idempotency,
    addressOf: remoteAddress,
    countryOf: deps.countryOf,
    placeCredit: () => deps.placeCredit(),
    factor: config.limits.factor,
  });
  return {
    administration,
    auth,
    keys,
    registerRoutes(serve, trouble) {
      auth.registerRoutes(serve);
      keys.registerRoutes(serve);
      administration.registerRoutes(serve, trouble);
    },
    async verifyLive({ kind, value }) {
      try {
        if (kind === 'api-key' || value.startsWith('nws_')) {
          const principal = await keys.identify(value, '');
          if (principal.type !== 'key') return null;
          return { kind: 'key', id: principal.keyId, userId: principal.account.id, ...keys.presentedBy(value) };
        }
        const principal = await auth.identify(value, '');
        if (principal.type !== 'session') return null;
        const expiresAt = await auth.expiryOf(principal);
        const { sessionId } = principal;
        return { kind: 'session', id: sessionId, userId: principal.account.id, credential: sessionId, expiresAt };
      } catch (error) {
        if (error instanceof AppError && /^(auth|key)\./.test(error.code)) return null;
        throw error;
      }
    },
    chargeLive: (who, units) => keys.chargeLive(who, units),
    attachLive(live) {
      auth.onEnded(({ userId, sessionIds, removed }) => {
        live.closeByPrincipal((principal) =>
          principal.kind === 'session'
            ? principal.userId === userId && (sessionIds === null || sessionIds.includes(principal.id))
            : // An account that is off or gone takes its keys along.
              (removed || sessionIds === null) && principal.userId === userId,
        );
      });
      const openOf = (kind: 'key' | 'session') => {
        const open = live.principals().filter((principal) => principal.kind === kind);
        return new Map(open.map((principal) => [principal.credential, principal.userId]));
      };
      keys.onEnded((ended) => {
        live.closeByPrincipal(
          (principal) =>
            principal.kind === 'key' && ('keyId' in ended ? principal.id === ended.keyId : principal.credential === ended.credential),
        );
      });
      keys.watch(() => openOf('key'));
      auth.watch(() => openOf('session'));
    },
    async start() {
      administration.start();
      keys.start();
      const { setupToken } = await auth.start();
      return setupToken === null ? null : `Setup token for the first administrator: ${setupToken}`;
    },
    async stop() {
      await Promise.all([auth.stop(), administration.stop(), keys.stop()]);
    },
  };
}

import type { AuthConfig } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import type { IdentifyCredential, Principal } from '../../platform/http/principal.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { Log } from '../../platform/log.ts';
import type { FetchFunction } from '../../platform/outbound.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createProviderKeys } from './google-keys.ts';
import type { IdProvider } from './id-token.ts';
import { openLocalProvider } from './local-provider.ts';
import { createLockouts } from './lockouts.ts';
import { createNonces } from './nonces.ts';
import { createOwnAccount } from './own-account.ts';
import { createOwnSessions } from './own-sessions.ts';
import { createPasswords } from './passwords.ts';
import { registerAuthRoutes } from './routes.ts';
import { openSecret } from './secret.ts';
import { openSessionKeys } from './session-keys.ts';
import { createSessionTokens } from './session-token.ts';
import { createSessions } from './sessions.ts';
import { signInWithIdToken } from './sign-in-google.ts';
import { signInWithPassword } from './sign-in-password.ts';
import { createSecretRows } from './store-secrets.ts';
import { createSessionRows } from './store-sessions.ts';
import { createSignInRows } from './store-sign-in.ts';
import { createUserRows } from './store-users.ts';
import { createThrottle } from './throttle.ts';
import type { AuthPolicy, CountryOf, Ended, Passwords, UserCascade, UserRequests, UserStore } from './types.ts';
import { createUpkeep } from './upkeep.ts';
import { createUsers } from './users.ts';

export { deviceOf } from './device.ts';
export { accountOf } from './sessions.ts';
export { createPasswords, PASSWORD_COST_LOG2 } from './passwords.ts';
export { presentUser } from './present.ts';
export { openSecret } from './secret.ts';
export { createAddressList } from './throttle.ts';
export { DEFAULT_POLICY, policyOf } from './policy.ts';
export type {
  Alongside,
  AuthPolicy,
  ChangeOptions,
  CountryOf,
  Ended,
  NewUser,
  Passwords,
  UserCascade,
  UserChange,
  UserCounts,
  UserFigures,
  UserFilter,
  UserLimits,
  UserRequests,
  UserRow,
  UserStore,
} from './types.ts';

/** Sign-in, sessions and accounts. */
export interface Auth {
  registerRoutes(serve: Serve): void;
  /** Answers a session token; see `IdentifyCredential`. At most half a second old, at once after a change in this process. */
  identify: IdentifyCredential;
  users: UserStore;
  passwords: Passwords;
  /** Ends all sessions of an account; answers how many. For a change that must be one transaction with it: `users.change` with `endSessions`. */
  endSessionsOf(userId: string): Promise<number>;
  /** Told after the commit; of watched sessions also what other processes ended, within a second. Answers how to stop listening. */
  onEnded(listener: (ended: Ended) => void): () => void;
  /** Told when an account may have changed, before the change is answered. */
  onChanged(listener: (userId: string) => void): void;
  /** Says which sessions hold connections open in this process: their end is looked for. Call it before `start`. */
  watch(sessions: () => ReadonlyMap<string, string>): void;
  /** Registers what goes with an account, in its transaction. Call it before the server listens. */
  onUserRemoved(cascade: UserCascade): void;
  /** When a session ends by itself, for connections that outlive their request. */
  expiryOf(principal: Extract<Principal, { type: 'session' }>): Promise<number>;
  /** A new key signs sessions from now on; those of the old one hold until they end. */
  rotateKeys(): Promise<void>;
  /** Answers the setup token when this start made one: the operator must see it. */
  start(): Promise<{ setupToken: string | null }>;
  stop(): Promise<void>;
}

export interface AuthConfigGroup {
  googleClientId: string | null;
  googleJwksUrl: string;
  adminEmails: readonly string[];
  setupToken: string | null;
  signup: 'open' | 'invited';
  passwordLogin: boolean;
  /** The built-in identity provider may exist: no other machine reaches this server. */
  localProvider: boolean;
  isPublic: boolean;
}

export interface AuthDeps {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  fetch: FetchFunction;
  config: AuthConfigGroup;
  policy: () => AuthPolicy;
  audit: AuditWriter;
  /** Default: nobody made a request yet. */
  requests?: UserRequests;
  /** The caller's address in clear, as far as it can be trusted. */
  addressOf(request: FastifyRequest): string;
  /** Default: nobody is anywhere. */
  countryOf?: CountryOf;
  /** `PASSWORD_COST_LOG2`; lowered by tests, as hashing at its real cost takes a third of a second. */
  passwordCostLog2: number;
}

const GOOGLE_ISSUERS = ['https://accounts.google.com', 'accounts.google.com'] as const;

/** Builds the slice; makes the keys of this installation when there are none yet. */
export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const { database, clock, log, config, policy, audit } = deps;
  const db = database.app;
  const [users, sessions, signIns, secrets] = [
    createUserRows(database.engine),
    createSessionRows(),
    createSignInRows(),
    createSecretRows(),
  ];
  const keys = await openSessionKeys({ db, clock, secrets });
  const secret = (await openSecret({ db, clock }, 'hashes', 1)).toString('base64url');
  const local = config.localProvider && config.googleClientId === null ? await openLocalProvider({ db, clock, secrets }) : null;
  const passwords = await createPasswords({ costLog2: deps.passwordCostLog2 });
  const lockouts = createLockouts({ db, clock, signIns, policy, secret });
  const nonces = createNonces(clock, secret);
  const tokens = createSessionTokens(keys);
  const live = createSessions({ database, clock, tokens, sessions, policy });
  const firstAdmin = createFirstAdmin({ db, clock, signIns, secrets }, config);

  const listeners = new Set<(ended: Ended) => void>();
  const cascades: UserCascade[] = [];
  const changeListeners: ((userId: string) => void)[] = [];
  const forget = (userId: string) => {
    live.forget(userId);
    for (const listener of changeListeners) listener(userId);
  };
  const ended = (what: Ended) => {
    for (const listener of listeners) listener(what);
  };
  const store = createUsers({
    database,
    clock,
    users,
    sessions,
    signIns,
    cascades,
    forget,
    ended,
    requests: deps.requests ?? { figuresOf: async () => new Map(), keyTotals: async () => new Map() },
    accountKey: (name) => lockouts.accountKey(name),
  });
  const provider: IdProvider | null = config.googleClientId
    ? { kind: 'google', issuers: GOOGLE_ISSUERS, audience: config.googleClientId, keys: createProviderKeys(deps, config.googleJwksUrl) }
    : (local?.provider ?? null);
  const startSession = { clock, tokens, sessions, audit, policy, database, users, store };
  const upkeep = createUpkeep({ ...deps, sessions, signIns, live, keys, ended });

  const describe = async (): Promise<AuthConfig> => {
    const { isOpen, isTokenRequired } = await firstAdmin.state(db);
    return {
      google: { enabled: provider !== null, client_id: config.googleClientId, mode: local ? 'local' : 'google' },
      password_enabled: config.passwordLogin,
      first_admin_open: isOpen,
      setup_token_required: isTokenRequired,
      nonce: nonces.make(),
    };
  };
  return {
    users: store,
    passwords,
    identify: (token, address) => live.identify(token, address),
    registerRoutes: (serve) =>
      registerAuthRoutes(serve, {
        log,
        audit,
        local,
        describe,
        users: store,
        addressOf: deps.addressOf,
        countryOf: deps.countryOf ?? (() => null),
        throttle: createThrottle(clock, () => policy().trustedIps),
        signInWithToken: provider
          ? (input) => signInWithIdToken({ ...startSession, signIns, nonces, firstAdmin, signup: config.signup, forget }, provider, input)
          : null,
        signInWithPassword: (input) => signInWithPassword({ ...startSession, passwords, lockouts, isEnabled: config.passwordLogin }, input),
        ownAccount: createOwnAccount({ users: store, passwords, lockouts, audit, policy }),
        ownSessions: createOwnSessions({ database, clock, sessions, live, audit, policy, forget, ended }),
      }),
    async endSessionsOf(userId) {
      let n = 0;
      const stop = listen((what) => (n = what.userId === userId ? (what.sessionIds?.length ?? 0) : n));
      await store.change(userId, () => ({}), { endSessions: { except: null } }).finally(stop);
      return n;
    },
    onEnded: listen,
    onChanged: (listener) => void changeListeners.push(listener),
    onUserRemoved: (cascade) => void cascades.push(cascade),
    watch: (watched) => upkeep.watch(watched),
    expiryOf: (principal) => live.expiryOf(principal.sessionId),
    rotateKeys: () => keys.rotate(true),
    async start() {
      upkeep.start();
      return { setupToken: await firstAdmin.prepare() };
    },
    stop: () => upkeep.stop(),
  };

  function listen(listener: (what: Ended) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
}

import { auth as contract, type AuthConfig } from '@nwms/contract';
import { emailFault } from '@nwms/domain';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Raw, Serve } from '../../platform/http/serve.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { LocalProvider } from './local-provider.ts';
import type { OwnAccount } from './own-account.ts';
import type { Member, OwnSessions } from './own-sessions.ts';
import type { Caller } from './start-session.ts';
import type { Throttle } from './throttle.ts';
import type { CountryOf, UserStore } from './types.ts';
import type { Login } from '@nwms/contract';

export interface AuthRouteDeps {
  log: Log;
  /** The caller's address in clear, as far as it can be trusted. */
  addressOf(request: FastifyRequest): string;
  countryOf: CountryOf;
  describe(): Promise<AuthConfig>;
  /** Null where there is no identity provider at all. */
  signInWithToken: ((input: { token: string; setupToken: string | null; caller: Caller }) => Promise<Login>) | null;
  signInWithPassword(input: { username: string; password: string; caller: Caller }): Promise<Login>;
  local: LocalProvider | null;
  throttle: Throttle;
  audit: AuditWriter;
  users: UserStore;
  ownAccount: OwnAccount;
  ownSessions: OwnSessions;
}

const NO_CONTENT: Raw = { kind: 'raw', status: 204, headers: {}, body: null };

/** Binds sign-in and the own account to their addresses. */
export function registerAuthRoutes(serve: Serve, deps: AuthRouteDeps): void {
  const { throttle, users, ownAccount, ownSessions } = deps;
  const callerOf = (request: FastifyRequest): Caller => ({
    address: deps.addressOf(request),
    requestId: request.id,
    userAgent: request.headers['user-agent'],
    countryCode: null,
  });
  /** Whose session may begin: it says where. */
  const arrivalOf = async (request: FastifyRequest): Promise<Caller> => {
    const caller = callerOf(request);
    return { ...caller, countryCode: await deps.countryOf(caller.address) };
  };
  const attempt = async (kind: string, name: string, caller: Caller, signIn: () => Promise<Login>): Promise<Login> => {
    const giveBack = throttle.attempt(kind, caller.address);
    try {
      const login = await signIn();
      giveBack();
      return login;
    } catch (error) {
      await recordFailure(deps, name, caller, error);
      throw error;
    }
  };

  serve(contract.getAuthConfig, async ({ reply }) => {
    reply.header('Cache-Control', 'no-store');
    return deps.describe();
  });
  serve(contract.signInWithGoogle, async ({ body, request, reply }) => {
    reply.header('Cache-Control', 'no-store');
    const { signInWithToken } = deps;
    const caller = await arrivalOf(request);
    return attempt('token', 'anonymous', caller, async () => {
      if (!signInWithToken) throw new AppError('auth.google_rejected', { public: 'Sign-in with Google is not set up on this server.' });
      return signInWithToken({ token: body.token, setupToken: body.setup_token ?? null, caller });
    });
  });
  serve(contract.signInWithPassword, async ({ body, request, reply }) => {
    reply.header('Cache-Control', 'no-store');
    const caller = await arrivalOf(request);
    return attempt('password', body.username, caller, () => deps.signInWithPassword({ ...body, caller }));
  });
  serve(contract.createLocalToken, async ({ body, reply }) => {
    reply.header('Cache-Control', 'no-store');
    if (!deps.local) throw new AppError('route.not_found', { public: 'No such path. The reference is at /docs.' });
    const fault = emailFault(body.email);
    if (fault) throw new AppError('request.invalid', { public: `${fault.message}.`, fields: [fault] });
    return { token: await deps.local.issue({ name: body.name, email: body.email, nonce: body.nonce ?? null }) };
  });

  serve(contract.getMe, async ({ principal }) => shown(principal));
  serve(contract.updateMe, async ({ principal, body, request }) => {
    await ownAccount.update(principal, body, callerOf(request));
    return shown(principal);
  });
  serve(contract.deleteMe, async ({ principal, request }) => {
    await ownAccount.remove(principal, callerOf(request));
    return NO_CONTENT;
  });
  serve(contract.changePassword, async ({ principal, body, request }) => {
    const caller = callerOf(request);
    const giveBack = throttle.attempt('password', caller.address);
    await ownAccount.changePassword(principal, body, caller);
    giveBack();
    return NO_CONTENT;
  });
  serve(contract.signOut, async ({ principal, request }) => {
    // Two sign-outs at once: the second finds nothing to end and is as content.
    await ownSessions.end(principal, principal.sessionId, callerOf(request)).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'session.not_found')) throw error;
    });
    return NO_CONTENT;
  });
  serve(contract.listSessions, async ({ principal }) => ({ sessions: await ownSessions.list(principal) }));
  serve(contract.endSession, async ({ principal, params, request }) => {
    await ownSessions.end(principal, params.id, callerOf(request));
    return NO_CONTENT;
  });

  async function shown({ account, mustChangePassword = false }: Member) {
    const user = await users.find(account.id);
    const [found] = user ? await users.present([user], user.role === 'admin') : [];
    if (!found) throw new AppError('auth.session_ended', { public: 'The session was ended. Sign in again.' });
    return { ...found, must_change_password: found.must_change_password && mustChangePassword };
  }
}

/** Refused sign-ins are written down; that they cannot be is no reason to answer otherwise. */
async function recordFailure({ audit, log }: AuthRouteDeps, name: string, caller: Caller, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || /^(server|request)\./.test(error.code) || error.code === 'auth.provider_unavailable') return;
  const entry = {
    action: 'sign_in.failed',
    outcome: 'refused',
    reason: error.code,
    requestId: caller.requestId,
    address: caller.address,
  } as const;
  await audit
    .record({ ...entry, actor: { type: 'anonymous', id: null, name } })
    .catch((fault: unknown) => log.warn({ err: fault }, 'a refused sign-in could not be written down'));
}

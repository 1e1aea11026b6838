import type { Access, RouteSpec } from '@nwms/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../app-error.ts';
import { addressKey } from './address-key.ts';
import { meteredOf } from './metered.ts';
import type { Credential, IdentifyCredential, Principal } from './principal.ts';

export interface IdentityDeps {
  /** Answers session tokens. */
  identifySession: IdentifyCredential;
  /** Answers API keys (`nws_...`); absent while there are none: every key is refused. */
  identifyKey?: IdentifyCredential;
  /** The caller's address in clear, as far as it can be trusted. */
  addressOf(request: FastifyRequest): string;
}

export interface Identity {
  /**
   * Who asks on an open route that shows some callers more. Nobody is refused for a bad credential here: it counts as none, and so does
   * one that cannot be checked.
   */
  quietly(request: FastifyRequest): Promise<Principal>;
}

const KEY_PREFIX = 'nws_';

/** What the headers present; URLs are never looked at. Throws 400 `auth.ambiguous`, or 401 for a scheme that is not ours. */
export function credentialIn(headers: IncomingHttpHeaders): Credential | null {
  const authorization = headers.authorization;
  const header = headers['x-api-key'];
  const apiKey = Array.isArray(header) ? header.join(',') : header;
  if (authorization === undefined && apiKey === undefined) return null;
  const bearer = authorization === undefined ? null : bearerOf(authorization);
  const key = apiKey?.trim();
  if (bearer !== null && key !== undefined && bearer !== key)
    throw new AppError('auth.ambiguous', { public: 'Send either a bearer token or X-API-Key, not two different ones.' });
  const secret = key ?? bearer ?? '';
  if (key !== undefined || secret.startsWith(KEY_PREFIX)) {
    if (!secret.startsWith(KEY_PREFIX)) throw keyInvalid();
    return { kind: 'key', key: secret };
  }
  return { kind: 'session', token: secret };
}

function bearerOf(authorization: string): string {
  const [scheme = '', ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() === 'bearer' && rest.length === 1 && rest[0]) return rest[0];
  throw new AppError('auth.invalid_token', { public: 'The Authorization header must be "Bearer" and one token.' });
}

const keyInvalid = () => new AppError('key.invalid', { public: 'The API key is not valid.' });

/** Reads credentials by the route's level, and refuses who may not pass. Install it before routes are mounted. */
export function installIdentity(app: FastifyInstance, deps: IdentityDeps): Identity {
  const identified = (request: FastifyRequest, address: string): Principal | Promise<Principal> => {
    const credential = credentialIn(request.headers);
    if (!credential) return { type: 'anonymous', address };
    if (credential.kind === 'session') return deps.identifySession(credential.token, address);
    if (!deps.identifyKey) throw keyInvalid();
    return deps.identifyKey(credential.key, address);
  };
  app.decorateRequest('principal', null);
  app.decorateRequest('metered', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { spec } = request.routeOptions.config;
    if (spec === undefined) return done();
    const { access } = spec;
    const address = addressKey(deps.addressOf(request));
    request.metered = meteredOf({ type: 'anonymous', address });
    // Open routes do not read credentials: a stale token must not keep somebody from signing in.
    if (access === 'open') return done();
    if (access !== 'public') reply.header('Cache-Control', 'private, no-store');
    if (request.headers.authorization === undefined && request.headers['x-api-key'] === undefined) {
      // The way of most requests: nothing to wait for.
      return settle(request, { type: 'anonymous', address }, spec, done);
    }
    const end = (who: Principal | Error) => settle(request, who, spec, done);
    let who: Principal | Promise<Principal>;
    try {
      who = identified(request, address);
    } catch (error) {
      return end(error as Error);
    }
    // What memory knows waits for nothing: a promise on the way costs several turns of the queue.
    if (who instanceof Promise) void who.then(end, end);
    else end(who);
  });
  return {
    async quietly(request) {
      const address = addressKey(deps.addressOf(request));
      try {
        return await identified(request, address);
      } catch {
        // By its contract: whoever cannot be identified is nobody here.
        return { type: 'anonymous', address };
      }
    },
  };
}

function settle(request: FastifyRequest, who: Principal | Error, spec: RouteSpec, done: (error?: Error) => void): void {
  if (who instanceof Error) return done(refused(request, who));
  request.metered = meteredOf(who);
  try {
    request.principal = settledPassword(admitted(who, spec.access), spec);
  } catch (error) {
    return done(refused(request, error as Error));
  }
  done();
}

/** Notes why the request goes no further. */
function refused(request: FastifyRequest, error: Error): Error {
  const { metered } = request;
  if (!metered || !(error instanceof AppError)) return error;
  metered.refused = error.code;
  if (error.code.startsWith('key.')) metered.caller = 'key';
  else if (error.code.startsWith('auth.') && !['auth.missing', 'auth.ambiguous'].includes(error.code)) metered.caller = 'session';
  return error;
}

/**
 * The principal, unless it must choose another password before anything that needs a credential. What is open to everybody stays open: alerts
 * are kept from nobody. Throws 403.
 */
function settledPassword(principal: Principal, { access, beforePasswordChange }: RouteSpec): Principal {
  if (principal.type !== 'session' || !principal.mustChangePassword) return principal;
  if (access === 'open' || access === 'public' || beforePasswordChange) return principal;
  throw new AppError('access.password_change_required', {
    public: 'An administrator chose the password of this account. Choose your own first.',
  });
}

/** The principal, if it may use routes of the level. Throws 401 for want of a credential, 403 for want of power. */
export function admitted(principal: Principal, access: Access): Principal {
  if (access === 'open' || access === 'public') return principal;
  if (principal.type === 'anonymous')
    throw new AppError('auth.missing', {
      public: 'This route needs a credential: sign in, or send an API key where the reference says so.',
    });
  const { account } = principal;
  switch (access) {
    case 'key-or-session':
      return principal;
    case 'member':
      if (principal.type === 'session') return principal;
      throw new AppError('access.session_required', { public: 'This route is for signed-in members; an API key is not enough.' });
    case 'special':
      if (principal.type === 'session' || account.specialAccess || account.role === 'admin') return principal;
      throw new AppError('access.special_required', { public: 'The owner of this key has no access to the AI and ML routes.' });
    case 'admin':
      if (principal.type === 'session' && account.role === 'admin') return principal;
      throw new AppError('access.admin_required', { public: 'This route is for administrators who are signed in.' });
  }
}

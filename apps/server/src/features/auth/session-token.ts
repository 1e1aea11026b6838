import { errors, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import { isCanonicalJwt } from './canonical-jwt.ts';
import type { SessionKeys } from './session-keys.ts';

const ISSUER = 'nwms';
const AUDIENCE = 'nwms-session';
/** A type of its own: no other token of ours, or of anybody, can be taken for a session (F2). */
const TYPE = 'nwms-session+jwt';
const ALGORITHM = 'HS256';
/** Longer than any we make; headers in all may be twice that. */
const MAX_LENGTH = 4_096;

export interface SessionClaims {
  sessionId: string;
  userId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Our own tokens: which session and whose, nothing else. What it may do is read from the store at every request. */
export interface SessionTokens {
  sign(claims: SessionClaims, issuedAt: number): Promise<string>;
  /** Throws 401 `auth.token_expired` or `auth.invalid_token`; a fault of the database as it is. */
  verify(token: string, now: number): Promise<SessionClaims>;
}

export const invalidToken = (internal?: string) =>
  new AppError('auth.invalid_token', { public: 'The session token is not valid. Sign in again.', ...(internal ? { internal } : {}) });
export const tokenExpired = () => new AppError('auth.token_expired', { public: 'The session is over its time. Sign in again.' });

export function createSessionTokens(keys: SessionKeys): SessionTokens {
  return {
    sign({ sessionId, userId, expiresAt }, issuedAt) {
      const { kid, key } = keys.current();
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(Math.floor(issuedAt / 1_000))
        .setExpirationTime(Math.floor(expiresAt / 1_000))
        .sign(key);
    },
    async verify(token, now) {
      if (token.length > MAX_LENGTH || !isCanonicalJwt(token)) throw invalidToken('not the form of a token');
      let databaseError: unknown;
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = await keys.find(kid ?? '').catch((error: unknown) => {
              databaseError = error;
              throw error;
            });
            if (!key) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          {
            algorithms: [ALGORITHM],
            typ: TYPE,
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['exp', 'iat', 'sub', 'sid'],
            currentDate: new Date(now),
          },
        );
        const { sub, exp, sid } = payload;
        if (typeof sub !== 'string' || typeof exp !== 'number' || typeof sid !== 'string') throw invalidToken('claims of another kind');
        return { sessionId: sid, userId: sub, expiresAt: exp * 1_000 };
      } catch (error) {
        if (databaseError !== undefined) throw databaseError;
        if (error instanceof AppError) throw error;
        if (error instanceof errors.JWTExpired) throw tokenExpired();
        throw invalidToken(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

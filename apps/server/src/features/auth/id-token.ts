import { createHash } from 'node:crypto';
import { errors, importJWK, jwtVerify } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import { isCanonicalJwt } from './canonical-jwt.ts';
import type { ProviderKeys } from './google-keys.ts';

/** Google signs with this and nothing else; a list of one also shuts out `none` and keys of ours as secrets. */
const ALGORITHM = 'RS256';
const LEEWAY_SECONDS = 60;
const MAX_LENGTH = 8_192;

/** An issuer of ID tokens that is believed. */
export interface IdProvider {
  kind: 'google' | 'local';
  /** Accepted spellings; the first one names accounts. */
  issuers: readonly [string, ...string[]];
  /** Our client id: who the token was made for. */
  audience: string;
  keys: ProviderKeys;
}

/** What a good ID token says. */
export interface IdClaims {
  /** First spelling of the issuer, whichever the token used. */
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** The provider also keeps the mailbox (gmail.com, or `hd`): only then may the address alone name an account of ours. */
  ownsMailbox: boolean;
  nonce: string | null;
  /** Epoch milliseconds beyond which it is refused for its age. */
  refusedFrom: number;
  /** Names what was signed, however it is spelt. */
  hash: string;
}

const refused = (internal: string) =>
  new AppError('auth.google_rejected', { public: 'The sign-in was not accepted. Start it again.', internal });

/** Throws 401 `auth.google_rejected`, or 503 `auth.provider_unavailable` when the signature cannot be judged (F1). */
export async function verifyIdToken(provider: IdProvider, token: string, now: number): Promise<IdClaims> {
  if (token.length > MAX_LENGTH || !isCanonicalJwt(token)) throw refused('not the form of a token');
  let unavailable: unknown;
  try {
    const { payload } = await jwtVerify(
      token,
      // Keys come from the provider's own set by id; `jku`, `jwk` and `x5c` of a header are never looked at.
      async ({ kid }) => {
        if (typeof kid !== 'string') throw new errors.JWKSNoMatchingKey();
        const key = await provider.keys.find(kid).catch((error: unknown) => {
          unavailable = error;
          throw error;
        });
        if (!key || key.kty !== 'RSA' || (key.use ?? 'sig') !== 'sig') throw new errors.JWKSNoMatchingKey();
        return importJWK(key, ALGORITHM);
      },
      {
        algorithms: [ALGORITHM],
        issuer: [...provider.issuers],
        audience: provider.audience,
        requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now),
      },
    );
    const { sub, exp, iat, aud, email, email_verified, hd, name, nonce } = payload;
    // A token for several parties, or handed on by another one, is not one that was made for us.
    if (typeof aud !== 'string') throw refused('several audiences');
    if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw refused('no subject');
    if (typeof iat !== 'number' || iat > now / 1_000 + LEEWAY_SECONDS) throw refused('from the future');
    if (typeof email !== 'string' || email === '') throw refused('no e-mail address');
    if (nonce !== undefined && typeof nonce !== 'string') throw refused('nonce of another kind');
    const address = email.toLowerCase();
    return {
      issuer: provider.issuers[0],
      subject: sub,
      email,
      emailVerified: email_verified === true,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 120) : null,
      ownsMailbox: address.endsWith('@gmail.com') || (typeof hd === 'string' && hd !== '' && address.endsWith(`@${hd.toLowerCase()}`)),
      nonce: nonce ?? null,
      refusedFrom: ((exp ?? 0) + LEEWAY_SECONDS) * 1_000,
      hash: createHash('sha256')
        .update(token.slice(0, token.lastIndexOf('.')))
        .digest('base64url'),
    };
  } catch (error) {
    if (unavailable !== undefined) throw unavailable;
    if (error instanceof AppError) throw error;
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

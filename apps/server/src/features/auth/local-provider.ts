import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { foldName } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../../platform/db/types.ts';
import type { IdProvider } from './id-token.ts';
import type { SecretRows } from './store-secrets.ts';

const NAME = 'local-provider';
const ISSUER = 'urn:nwms:local-provider';
const AUDIENCE = 'nwms-local';
const ALGORITHM = 'RS256';
const KEY_ID = 'local-1';
/** Used at once by the page that asked. */
const VALID_SECONDS = 300;

/** An identity provider inside the server, for machines without a Google account at hand; real signatures, the same verification. */
export interface LocalProvider {
  provider: IdProvider;
  issue(person: { name: string; email: string; nonce: string | null }): Promise<string>;
}

export async function openLocalProvider(deps: { db: Part; clock: Clock; secrets: SecretRows }): Promise<LocalProvider> {
  const { privateJwk, publicJwk } = await keyPair(deps);
  const key = await importJWK(privateJwk, ALGORITHM);
  return {
    provider: {
      kind: 'local',
      issuers: [ISSUER],
      audience: AUDIENCE,
      keys: { find: async (kid) => (kid === KEY_ID ? publicJwk : null) },
    },
    issue({ name, email, nonce }) {
      const now = Math.floor(deps.clock.now() / 1_000);
      const address = foldName(email);
      const claims = { email: email.trim(), email_verified: true, name, hd: address.split('@')[1] ?? '', ...(nonce ? { nonce } : {}) };
      return (
        new SignJWT({ ...claims, jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          // The same address is the same person, at every sign-in.
          .setSubject(createHash('sha256').update(address).digest('hex').slice(0, 24))
          .setIssuedAt(now)
          .setExpirationTime(now + VALID_SECONDS)
          .sign(key)
      );
    },
  };
}

async function keyPair({
  db,
  clock,
  secrets,
}: {
  db: Part;
  clock: Clock;
  secrets: SecretRows;
}): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  let [kept] = await secrets.all(db, NAME);
  if (!kept) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    await secrets.insert(db, NAME, { generation: 1, value: JSON.stringify(await exportJWK(privateKey)), createdAt: clock.now() });
    // Of two processes that start together, both take what the first one wrote.
    [kept] = await secrets.all(db, NAME);
  }
  const privateJwk = JSON.parse(kept?.value ?? '{}') as JWK;
  const { kty, n, e } = privateJwk;
  return { privateJwk, publicJwk: { kty, n, e, kid: KEY_ID, alg: ALGORITHM, use: 'sig' } as JWK };
}

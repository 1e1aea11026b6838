import { createHash, timingSafeEqual } from 'node:crypto';
import { foldName } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../../platform/db/types.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { SecretRows } from './store-secrets.ts';
import type { SignInRows } from './store-sign-in.ts';

const NAME = 'setup-token';

export interface FirstAdminConfig {
  /** Only these may claim, with a verified address; empty: anybody. */
  adminEmails: readonly string[];
  /** Fixed by the operator; null: made here when it is needed. */
  setupToken: string | null;
  /** Reachable by others than this machine. */
  isPublic: boolean;
}

/** How a server gets its first administrator: once, ever (F4, W2). */
export interface FirstAdmin {
  /** Makes the setup token where one is needed; answers it when it must be told to the operator now. */
  prepare(): Promise<string | null>;
  state(db: Part): Promise<{ isOpen: boolean; isTokenRequired: boolean }>;
  /** Within the transaction that writes the account. Throws 403 `auth.setup_token_required` for who might claim but did not prove it. */
  tryClaim(
    transaction: Part,
    person: { userId: string; email: string; emailVerified: boolean; setupToken: string | null },
  ): Promise<boolean>;
}

const hashOf = (token: string) => createHash('sha256').update(`${NAME}:${token}`).digest('base64url');

export function createFirstAdmin(
  deps: { db: Part; clock: Clock; signIns: SignInRows; secrets: SecretRows },
  config: FirstAdminConfig,
): FirstAdmin {
  const { db, clock, signIns, secrets } = deps;
  const mayClaim = new Set(config.adminEmails.map(foldName));
  // True is final: a claim outlives its account, so a look that found one need not be repeated.
  let isClaimed = false;
  const claimedAlready = async (part: Part) => (isClaimed ||= await signIns.isClaimed(part));
  const tokenHash = async (part: Part) => (await secrets.all(part, NAME))[0] ?? null;

  return {
    async prepare() {
      if (await claimedAlready(db)) return null;
      const before = await tokenHash(db);
      const isNeeded = config.setupToken !== null || (config.isPublic && mayClaim.size === 0);
      if (!isNeeded) {
        if (before) await secrets.removeBelow(db, NAME, before.generation + 1);
        return null;
      }
      // Only hashes are kept: after a restart a new one is made and told, and the one before it is void.
      const token = config.setupToken ?? randomBase32(24);
      const generation = (before?.generation ?? 0) + 1;
      await secrets.insert(db, NAME, { generation, value: hashOf(token), createdAt: clock.now() });
      await secrets.removeBelow(db, NAME, generation);
      return config.setupToken === null ? token : null;
    },
    async state(part) {
      if (await claimedAlready(part)) return { isOpen: false, isTokenRequired: false };
      return { isOpen: true, isTokenRequired: (await tokenHash(part)) !== null };
    },
    async tryClaim(part, { userId, email, emailVerified, setupToken }) {
      if (await claimedAlready(part)) return false;
      if (mayClaim.size > 0 && !(emailVerified && mayClaim.has(foldName(email)))) return false;
      const wanted = await tokenHash(part);
      if (wanted && !(setupToken !== null && isSame(hashOf(setupToken), wanted.value))) {
        throw new AppError('auth.setup_token_required', {
          public: 'This server has no administrator yet. The first one must give the setup token that the server printed at its start.',
        });
      }
      return signIns.claim(part, userId, clock.now());
    },
  };
}

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

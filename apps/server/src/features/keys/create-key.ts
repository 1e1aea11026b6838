import type { BodyOf, IssuedKey, keys as contract } from '@nwms/contract';
import { AppError, invariant } from '../../platform/app-error.ts';
import type { KeepAnswer } from '../../platform/http/idempotency.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import { changesBetween } from '../audit/index.ts';
import { auditedFields, entryOf, type KeyCall, type KeyCaseDeps } from './deps.ts';
import { presentKey } from './present.ts';
import { defaultLimits, newLimits, readDescription } from './read-fields.ts';
import { hashOf, makeSecret, shownPrefix } from './secret.ts';
import type { KeyRow, SecretRow } from './types.ts';

const DAY_MS = 86_400_000;
const UNUSED = { requests: 0, lastAt: null, agent: null, country: null };

export const locationOf = (keyId: string): string => `/api/v1/api-keys/${keyId}`;

/**
 * Makes a key: row, audit entry and the repeatable answer (without the secret) in one transaction that holds the account's row, so that
 * two makers at once never pass the most there may be.
 * @throws AppError request.invalid, key.limit_above_account, key.limit_reached
 */
export async function createKey(
  deps: KeyCaseDeps,
  call: KeyCall,
  body: BodyOf<typeof contract.createKey>,
  keep: KeepAnswer<IssuedKey>,
): Promise<IssuedKey> {
  const description = readDescription(body.description);
  const { limits: settings } = deps.settings.current();
  const defaults = defaultLimits(settings);
  const secret = makeSecret();
  let issued: IssuedKey | undefined;
  await deps.users.change(call.member.account.id, () => ({}), {
    async alongside(part, user) {
      const counts = await deps.rows.countsOf(part, [user.id]);
      const most = settings.max_keys_per_user;
      if ((counts.get(user.id) ?? 0) >= most)
        throw new AppError('key.limit_reached', { public: `Your account has ${most} keys, as many as it may. Delete one first.` });
      const now = deps.clock.now();
      const key: KeyRow = {
        id: `key_${randomBase32()}`,
        userId: user.id,
        description,
        isActive: true,
        limits: newLimits(body, defaults, user.limits),
        createdAt: now,
        updatedAt: now,
        expiresAt: body.expires_in_days ? now + body.expires_in_days * DAY_MS : null,
        lastUsedAt: null,
        lastCountry: null,
        lastAgent: null,
        totalRequests: 0,
        version: 1,
      };
      const row: SecretRow = { hash: hashOf(secret), keyId: key.id, prefix: shownPrefix(secret), createdAt: now, endsAt: null };
      await deps.rows.insert(part, key, row);
      await deps.audit.record({ ...entryOf(call, 'key.created', key), changes: changesBetween(null, auditedFields(key, row)) }, part);
      const shown = presentKey({ key, secrets: [row], account: user.limits, used: undefined, waiting: UNUSED, credit: null }, now);
      await keep(part, { status: 201, headers: { Location: locationOf(key.id) }, body: { ...shown, api_key: null } });
      issued = { ...shown, api_key: secret };
    },
  });
  invariant(issued, 'a created key was not presented');
  return issued;
}

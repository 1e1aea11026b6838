import type { IssuedKey } from '@nwms/contract';
import type { KeepAnswer } from '../../platform/http/idempotency.ts';
import { changesBetween } from '../audit/index.ts';
import { inTransaction, keyNotFound } from './change-key.ts';
import { entryOf, type KeyCall, type KeyCaseDeps } from './deps.ts';
import { presentKey } from './present.ts';
import { keySubject } from './allowances.ts';
import { hashOf, makeSecret, shownPrefix } from './secret.ts';
import type { SecretRow } from './types.ts';

/**
 * A new secret for the same key. Without overlap the old one is dead in every process before this resolves: forgotten here at once, and
 * elsewhere after the time what was read is believed (F6). A second refresh ends the first overlap.
 * @throws AppError key.not_found
 */
export async function refreshKey(
  deps: KeyCaseDeps,
  call: KeyCall,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
  keep: KeepAnswer<IssuedKey>,
): Promise<IssuedKey> {
  const { account } = call.member;
  const text = makeSecret();
  const used = (await deps.quotas.usedBy([keySubject(id)])).get(keySubject(id));
  const issued = await inTransaction(deps, async (part) => {
    const key = await deps.rows.find(part, account.id, id, { lock: true });
    if (!key) throw keyNotFound();
    const now = deps.clock.now();
    const [own, ...older] = await deps.rows.secretsOf(part, [id]);
    // Those before the last one end now, the last one when its overlap is over.
    if (older.length > 0 || overlapSeconds === 0) await deps.rows.endSecrets(part, id, now, own && overlapSeconds > 0 ? own.hash : null);
    if (overlapSeconds > 0) await deps.rows.endSecrets(part, id, now + overlapSeconds * 1_000, null);
    const secret: SecretRow = { hash: hashOf(text), keyId: id, prefix: shownPrefix(text), createdAt: now, endsAt: null };
    await deps.rows.addSecret(part, secret);
    const changed = { ...key, updatedAt: now, version: key.version + 1 };
    await deps.rows.update(part, changed);
    const changes = changesBetween({ key_prefix: own?.prefix ?? null }, { key_prefix: secret.prefix });
    await deps.audit.record({ ...entryOf(call, 'key.refreshed', changed), changes }, part);
    const secrets = await deps.rows.secretsOf(part, [id]);
    const shown = presentKey(
      { key: changed, secrets, account: account.limits, used, waiting: deps.uses.waitingOf(id), credit: deps.placeCredit() },
      now,
    );
    await keep(part, { status: 200, body: { ...shown, api_key: null } });
    return { ...shown, api_key: text };
  });
  await deps.forgetEverywhere(id);
  if (overlapSeconds === 0) deps.ended(id);
  return issued;
}

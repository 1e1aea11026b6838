import type { BodyOf, keys as contract } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import { checkIfMatch } from '../../platform/http/if-match.ts';
import { changesBetween } from '../audit/index.ts';
import { auditedFields, entryOf, type KeyCall, type KeyCaseDeps } from './deps.ts';
import { changedLimits, readDescription } from './read-fields.ts';
import type { KeyRow } from './types.ts';

export const keyNotFound = () => new AppError('key.not_found', { public: 'No API key with this id among your own.' });

/** Changes a key; what is absent stays. @throws AppError key.not_found, request.invalid, key.limit_above_account, precondition.failed */
export async function updateKey(deps: KeyCaseDeps, call: KeyCall, id: string, body: BodyOf<typeof contract.updateKey>): Promise<KeyRow> {
  const { account } = call.member;
  const description = body.description === undefined ? undefined : readDescription(body.description);
  const { before, after } = await inTransaction(deps, async (part) => {
    const key = await deps.rows.find(part, account.id, id, { lock: true });
    if (!key) throw keyNotFound();
    checkIfMatch(call.request.headers['if-match'], key.version, { required: false });
    const next: KeyRow = {
      ...key,
      description: description ?? key.description,
      isActive: body.is_active ?? key.isActive,
      limits: changedLimits(body, key.limits, account.limits),
    };
    const changes = changesBetween(auditedFields(key), auditedFields(next));
    if (changes.length === 0) return { before: key, after: key };
    const changed = { ...next, updatedAt: deps.clock.now(), version: key.version + 1 };
    await deps.rows.update(part, changed);
    await deps.audit.record({ ...entryOf(call, 'key.updated', changed), changes }, part);
    return { before: key, after: changed };
  });
  if (after !== before) await deps.forgetEverywhere(id);
  if (before.isActive && !after.isActive) deps.ended(id);
  return after;
}

/** Deletes a key for good; no process takes it any more when this resolves. @throws AppError key.not_found */
export async function deleteKey(deps: KeyCaseDeps, call: KeyCall, id: string): Promise<void> {
  const { account } = call.member;
  await inTransaction(deps, async (part) => {
    const key = await deps.rows.find(part, account.id, id, { lock: true });
    if (!key || !(await deps.rows.remove(part, account.id, id, deps.clock.now()))) throw keyNotFound();
    await deps.audit.record({ ...entryOf(call, 'key.deleted', key), changes: changesBetween(auditedFields(key), null) }, part);
  });
  await deps.forgetEverywhere(id);
  deps.ended(id);
}

type Transact = Parameters<Parameters<ReturnType<KeyCaseDeps['database']['app']['transaction']>['execute']>[0]>[0];

export async function inTransaction<T>(deps: Pick<KeyCaseDeps, 'database'>, work: (part: Transact) => Promise<T>): Promise<T> {
  try {
    return await deps.database.app.transaction().execute(work);
  } catch (error) {
    throw databaseFault(error);
  }
}

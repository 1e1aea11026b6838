import { type AllowanceWindow, type ApiKey, type IssuedKey, keys as contract } from '@nwms/contract';
import { QUOTA_WINDOWS, windowAt } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import { versionTag } from '../../platform/http/if-match.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { accountAllowance, allowancesOf, keySubject, sessionAllowance } from './allowances.ts';
import { deleteKey, keyNotFound, updateKey } from './change-key.ts';
import { createKey, locationOf } from './create-key.ts';
import type { KeyCaseDeps, Member } from './deps.ts';
import { presentKey, presentLimits, presentUsed, presentWindow } from './present.ts';
import { defaultLimits, newLimits } from './read-fields.ts';
import { refreshKey } from './refresh-key.ts';
import type { KeyRow } from './types.ts';
import { keyUsage } from './key-usage.ts';

const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** Binds keys, their use and the limits of callers to their addresses. */
export function registerKeyRoutes(serve: Serve, deps: KeyCaseDeps): void {
  const { rows, database, quotas } = deps;
  const told = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  const shown = async (member: Member, keys: readonly KeyRow[]): Promise<ApiKey[]> => {
    const ids = keys.map((key) => key.id);
    const [secrets, used] = await told(Promise.all([rows.secretsOf(database.app, ids), quotas.usedBy(ids.map(keySubject))]));
    const byKey = Map.groupBy(secrets, (secret) => secret.keyId);
    const now = deps.clock.now();
    return keys.map((key) =>
      presentKey(
        {
          key,
          secrets: byKey.get(key.id) ?? [],
          account: member.account.limits,
          used: used.get(keySubject(key.id)),
          waiting: deps.uses.waitingOf(key.id),
          credit: deps.placeCredit(),
        },
        now,
      ),
    );
  };
  const own = async (member: Member, id: string): Promise<KeyRow> => {
    await deps.uses.settled();
    const key = await told(rows.find(database.app, member.account.id, id));
    if (!key) throw keyNotFound();
    return key;
  };
  const one = async (member: Member, key: KeyRow): Promise<ApiKey> => {
    const [found] = await shown(member, [key]);
    if (!found) throw keyNotFound();
    return found;
  };

  serve(contract.listKeys, async ({ principal, reply }) => {
    await deps.uses.settled();
    const keys = await told(rows.listOf(database.app, principal.account.id));
    reply.headers({ ...PRIVATE, 'NWMS-Total-Count': String(keys.length) });
    return shown(principal, keys);
  });
  serve(contract.createKey, async ({ principal, body, request, reply }) => {
    reply.headers(PRIVATE);
    const call = { spec: contract.createKey, principal, request, reply, body };
    const issued = await deps.idempotency.run<IssuedKey>(call, (keep) => createKey(deps, { member: principal, request }, body, keep));
    reply.headers({ Location: locationOf(issued.id), ETag: versionTag(issued.version) });
    return issued;
  });
  serve(contract.getKey, async ({ principal, params, reply }) => {
    const key = await own(principal, params.id);
    reply.headers({ ...PRIVATE, ETag: versionTag(key.version) });
    return one(principal, key);
  });
  serve(contract.updateKey, async ({ principal, params, body, request, reply }) => {
    const key = await updateKey(deps, { member: principal, request }, params.id, body);
    reply.headers({ ...PRIVATE, ETag: versionTag(key.version) });
    return one(principal, key);
  });
  serve(contract.refreshKey, async ({ principal, params, body, request, reply }) => {
    reply.headers(PRIVATE);
    const call = { spec: contract.refreshKey, principal, request, reply, body };
    const wish = { id: params.id, overlapSeconds: body.overlap_seconds ?? 0 };
    const issued = await deps.idempotency.run<IssuedKey>(call, (keep) => refreshKey(deps, { member: principal, request }, wish, keep));
    reply.header('ETag', versionTag(issued.version));
    return issued;
  });
  serve(contract.deleteKey, async ({ principal, params, request }) => {
    await deleteKey(deps, { member: principal, request }, params.id);
    return { kind: 'raw', status: 204, headers: {}, body: null };
  });
  serve(contract.getKeyUsage, async ({ principal, params, query, reply }) => {
    reply.headers(PRIVATE);
    const key = await own(principal, params.id);
    return told(keyUsage(deps, principal, key, query.minutes));
  });

  serve(contract.getOwnUsage, async ({ principal, reply }) => {
    reply.headers(PRIVATE);
    const user = await deps.users.find(principal.account.id);
    if (!user) throw new AppError('auth.session_ended', { public: 'The session was ended. Sign in again.' });
    const account = accountAllowance(user.id, user.limits);
    const web = sessionAllowance(user.id, user.limits, deps.factor);
    const used = await told(quotas.usedBy([account.subject, web.subject]));
    const webUsed = used.get(web.subject);
    const now = deps.clock.now();
    const { limits: settings } = deps.settings.current();
    const [minute, day, month] = QUOTA_WINDOWS.map((window) => new Date(windowAt(window, now).endsAt).toISOString()) as [
      string,
      string,
      string,
    ];
    return {
      limits: presentLimits(user.limits),
      current_usage: presentUsed(used.get(account.subject)),
      windows: (await told(quotas.statesOf([account]))).map(presentWindow),
      web: {
        limits: { per_minute: web.limits.minute ?? 0, per_day: web.limits.day ?? 0 },
        current_usage: { this_minute: webUsed?.minute ?? 0, today: webUsed?.day ?? 0 },
      },
      resets: { minute, day, month },
      new_key: presentLimits(newLimits({}, defaultLimits(settings), user.limits)),
      max_keys: settings.max_keys_per_user,
      anonymous_per_minute: Math.round(settings.anonymous_rate_limit_per_minute * deps.factor),
    };
  });
  serve(contract.getLimits, async ({ principal, reply }) => {
    reply.headers(PRIVATE);
    return { principal: idOf(principal), windows: await windowsOf(principal) };
  });

  async function windowsOf(principal: Exclude<Principal, { type: 'anonymous' }>): Promise<AllowanceWindow[]> {
    return (await told(quotas.statesOf(allowancesOf(principal, deps.factor)))).map(presentWindow);
  }
}

const idOf = (principal: Exclude<Principal, { type: 'anonymous' }>) =>
  principal.type === 'key' ? ({ type: 'key', id: principal.keyId } as const) : ({ type: 'session', id: principal.account.id } as const);

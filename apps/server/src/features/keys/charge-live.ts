import { retryAfterSeconds } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/types.ts';
import type { UserStore } from '../auth/index.ts';
import { accountAllowance, keyAllowance, sessionAllowance } from './allowances.ts';
import type { Exceeded, Quotas, Taken } from './quota/types.ts';
import type { KeyRows } from './store.ts';

/** Whose live connection is charged. `principal` null: nobody signed in, the address pays. */
export interface LiveCaller {
  principal: { kind: 'key' | 'session'; id: string; userId: string } | null;
  address: string;
}

export type LiveCharged = { ok: true } | { ok: false; retryAfterSeconds: number };

export interface LiveChargeDeps {
  database: Database;
  clock: Clock;
  rows: KeyRows;
  users: UserStore;
  quotas: Quotas;
  factor: number;
  takeAnonymous(address: string, units: number): Taken | Exceeded;
}

/**
 * Units of live connections: at their start and for every five minutes. The limits are read each time, as they may have changed since.
 * A database that is away charges nobody: alerts must go on.
 */
export function createLiveCharge(deps: LiveChargeDeps): (caller: LiveCaller, units: number) => Promise<LiveCharged> {
  const take = async ({ principal, address }: LiveCaller, units: number): Promise<Taken | Exceeded | null> => {
    if (!principal) return deps.takeAnonymous(address, units);
    const user = await deps.users.find(principal.userId);
    // Gone: its connection is being ended.
    if (!user) return null;
    if (principal.kind === 'session') return deps.quotas.take([sessionAllowance(user.id, user.limits, deps.factor)], units);
    const key = await deps.rows.find(deps.database.app, user.id, principal.id);
    if (!key) return null;
    return deps.quotas.take([keyAllowance(key.id, key.limits), accountAllowance(user.id, user.limits)], units);
  };
  return async (caller, units) => {
    const taken = await take(caller, units).catch(() => null);
    if (!taken || taken.ok) return { ok: true };
    return { ok: false, retryAfterSeconds: retryAfterSeconds(taken.exceeded, deps.clock.now(), 0) };
  };
}

import type { Principal, RequestLimits } from '../../platform/http/principal.ts';
import type { Allowance } from './quota/types.ts';

/** Limits of callers that no key carries; `factor` multiplies all of them. */
export interface GateLimits {
  /** 1 in the product; tests and closed networks raise it. */
  factor: number;
  /** Units per minute of an address without a credential: a setting. */
  anonymousPerMinute: () => number;
  /** Addresses with ten times that. */
  isTrusted: (address: string) => boolean;
}

/** Least allowance of the sessions of an account: screens ask in bursts, and a key's owner must not be locked out of them. */
const SESSION_MINUTE = { least: 300, times: 3 };
const SESSION_DAY = { least: 50_000, times: 5 };

export const keySubject = (keyId: string): string => `key:${keyId}`;
export const accountSubject = (userId: string): string => `account:${userId}`;
export const sessionSubject = (userId: string): string => `session:${userId}`;

const windowsOf = ({ perMinute, perDay, perMonth }: RequestLimits) => ({ minute: perMinute, day: perDay, month: perMonth });

export const keyAllowance = (keyId: string, limits: RequestLimits): Allowance => ({
  subject: keySubject(keyId),
  scope: 'key',
  limits: windowsOf(limits),
});

export const accountAllowance = (userId: string, limits: RequestLimits): Allowance => ({
  subject: accountSubject(userId),
  scope: 'account',
  limits: windowsOf(limits),
});

/** Of all sessions of an account together: apart from its keys, so that a script cannot blind its owner's screens. */
export const sessionAllowance = (userId: string, limits: RequestLimits, factor: number): Allowance => ({
  subject: sessionSubject(userId),
  scope: 'session',
  limits: {
    minute: Math.round(factor * Math.max(SESSION_MINUTE.least, SESSION_MINUTE.times * limits.perMinute)),
    day: Math.round(factor * Math.max(SESSION_DAY.least, SESSION_DAY.times * limits.perDay)),
    month: null,
  },
});

/** Everything a request of this caller must fit in: a key's in its key and its account, a session's in that of the sessions. */
export function allowancesOf(principal: Exclude<Principal, { type: 'anonymous' }>, factor: number): Allowance[] {
  const { account } = principal;
  return principal.type === 'key'
    ? [keyAllowance(principal.keyId, principal.keyLimits), accountAllowance(account.id, account.limits)]
    : [sessionAllowance(account.id, account.limits, factor)];
}

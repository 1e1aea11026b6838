import type { AllowanceWindow, ApiKey } from '@nwms/contract';
import { resetsAt } from '@nwms/domain';
import type { RequestLimits } from '../../platform/http/principal.ts';
import type { Standing, Used } from './quota/types.ts';
import type { KeyRow, PlaceCredit, SecretRow } from './types.ts';

const iso = (at: number) => new Date(at).toISOString();
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

export const presentLimits = (limits: RequestLimits) => ({
  per_minute: limits.perMinute,
  per_day: limits.perDay,
  per_month: limits.perMonth,
});

export const presentUsed = (used: Used | undefined) => ({
  this_minute: used?.minute ?? 0,
  today: used?.day ?? 0,
  this_month: used?.month ?? 0,
});

export function presentWindow(state: Standing): AllowanceWindow {
  return {
    name: state.window,
    // Nobody asks for the window of an address.
    scope: state.scope === 'address' ? 'session' : state.scope,
    limit: state.limit,
    used: state.used,
    remaining: state.remaining,
    resets_at: iso(resetsAt(state)),
  };
}

export const effectiveLimits = (key: RequestLimits, account: RequestLimits): RequestLimits => ({
  perMinute: Math.min(key.perMinute, account.perMinute),
  perDay: Math.min(key.perDay, account.perDay),
  perMonth: Math.min(key.perMonth, account.perMonth),
});

/** What a key looks like besides its row. */
export interface KeyView {
  key: KeyRow;
  /** Newest first. */
  secrets: readonly SecretRow[];
  account: RequestLimits;
  used: Used | undefined;
  /** Used here and not written yet. */
  waiting: { requests: number; lastAt: number | null; agent: string | null; country: string | null };
  /** Due where a country is shown. */
  credit: PlaceCredit | null;
}

export function presentKey({ key, secrets, account, used, waiting, credit }: KeyView, now: number): ApiKey {
  const [own] = secrets;
  const previous = secrets.slice(1).find((secret) => secret.endsAt !== null && secret.endsAt > now);
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  const isNewer = waiting.lastAt !== null && waiting.lastAt >= (key.lastUsedAt ?? 0);
  const lastUsedAt = isNewer ? waiting.lastAt : key.lastUsedAt;
  const [country, agent] = isNewer ? [waiting.country, waiting.agent] : [key.lastCountry, key.lastAgent];
  return {
    id: key.id,
    description: key.description,
    created_at: iso(key.createdAt),
    is_active: key.isActive,
    last_used_at: isoOrNull(lastUsedAt),
    total_requests: key.totalRequests + waiting.requests,
    key_prefix: own?.prefix ?? '',
    status: isExpired ? 'expired' : key.isActive ? 'active' : 'inactive',
    expires_at: isoOrNull(key.expiresAt),
    rate_limit_per_minute: key.limits.perMinute,
    daily_limit: key.limits.perDay,
    monthly_limit: key.limits.perMonth,
    effective_limits: presentLimits(effectiveLimits(key.limits, account)),
    current_usage: presentUsed(used),
    last_used_from: lastUsedAt === null ? null : { country_code: country, agent, attribution: country === null ? null : credit },
    previous: previous?.endsAt ? { key_prefix: previous.prefix, valid_until: iso(previous.endsAt) } : null,
    version: key.version,
  };
}

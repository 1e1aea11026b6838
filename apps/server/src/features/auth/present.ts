import type { Session, User } from '@nwms/contract';
import type { SessionRow } from './store-sessions.ts';
import type { UserFigures, UserRow } from './types.ts';

const iso = (at: number) => new Date(at).toISOString();
const NONE: UserFigures = {
  total_api_requests: 0,
  current_day_requests: 0,
  current_month_requests: 0,
  web_requests: { today: 0, month: 0, total: 0 },
};
const UNKNOWN: UserFigures = { total_api_requests: null, current_day_requests: null, current_month_requests: null, web_requests: null };

/** An account on the wire. What administrators wrote about it stays with them. `figures`: absent = no requests, null = cannot be read. */
export function presentUser(user: UserRow, figures: UserFigures | null = NONE, forAdmin = false): User {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    full_name: user.fullName,
    organization: user.organization,
    role: user.role,
    is_active: user.isActive,
    special_access: user.specialAccess,
    api_rate_limit_per_minute: user.limits.perMinute,
    api_daily_limit: user.limits.perDay,
    api_monthly_limit: user.limits.perMonth,
    notes: forAdmin ? user.notes : null,
    last_login: user.lastLoginAt === null ? null : iso(user.lastLoginAt),
    ...(figures ?? UNKNOWN),
    auth_provider: user.provider,
    has_password: user.passwordHash !== null,
    email_verified: user.emailVerified,
    must_change_password: user.mustChangePassword,
    created_at: iso(user.createdAt),
    updated_at: iso(user.updatedAt),
    version: user.version,
  };
}

export function presentSession(session: SessionRow, at: { expiresAt: number; lastSeenAt: number; current: boolean }): Session {
  return {
    id: session.id,
    created_at: iso(session.createdAt),
    last_seen_at: iso(at.lastSeenAt),
    expires_at: iso(at.expiresAt),
    current: at.current,
    provider: session.provider,
    device: session.device,
    country_code: session.countryCode,
  };
}

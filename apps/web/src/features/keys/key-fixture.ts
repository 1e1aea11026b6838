import type { ApiKey } from '@nwms/contract';

/** Limits of an account: the defaults. */
export const LIMITS = { per_minute: 100, per_day: 10_000, per_month: 100_000 };

export const KEY: ApiKey = {
  id: 'key_7q2m4x9k1v5t8r3n6p0w',
  description: 'Storm dashboard',
  created_at: '2026-11-01T12:00:00.000Z',
  is_active: true,
  last_used_at: null,
  total_requests: 0,
  key_prefix: 'nws_Jk3f9QwZ',
  status: 'active',
  expires_at: null,
  rate_limit_per_minute: 60,
  daily_limit: 10_000,
  monthly_limit: 100_000,
  effective_limits: { per_minute: 60, per_day: 10_000, per_month: 100_000 },
  current_usage: { this_minute: 0, today: 0, this_month: 0 },
  last_used_from: null,
  previous: null,
  version: 1,
};

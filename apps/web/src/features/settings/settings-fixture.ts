import type { Settings } from '@nwms/contract';

/** Settings of a fresh installation as the server answers them, for tests. */
export const someSettings = (): Settings => ({
  system: {
    api_rate_limit_default: 100,
    daily_limit_default: 10_000,
    monthly_limit_default: 100_000,
    jwt_expiration_hours: 24,
    max_failed_login_attempts: 5,
    lockout_duration_minutes: 30,
  },
  security: {
    password_min_length: 6,
    require_email_verification: false,
    enable_session_logging: true,
    cors_origins: [],
    trusted_ips: [],
  },
  notifications: {
    enable_email_notifications: false,
    admin_email: null,
    webhook_url: null,
    alert_thresholds: { high_error_rate: 10, unusual_activity: 1000 },
  },
  limits: {
    anonymous_rate_limit_per_minute: 60,
    key_rate_limit_default: 60,
    key_daily_limit_default: 10_000,
    key_monthly_limit_default: 100_000,
    max_keys_per_user: 10,
  },
  version: 1,
  updated_at: null,
  updated_by: null,
  bounds: {
    'system.api_rate_limit_default': { min: 1, max: 10_000 },
    'system.daily_limit_default': { min: 1 },
    'system.jwt_expiration_hours': { min: 1, max: 24 },
    'system.max_failed_login_attempts': { min: 3, max: 20 },
    'security.password_min_length': { min: 6, max: 128 },
    'security.cors_origins': { max_items: 50 },
  },
  effect: { 'system.jwt_expiration_hours': 'new_sessions', 'security.password_min_length': 'now' },
  pending_restart: [],
});

import { settingsDefaults, type SettingsValues } from '@nwms/contract';
import type { AuthPolicy } from './types.ts';

/** What sign-in reads of the settings. */
export const policyOf = ({ system, security }: SettingsValues): AuthPolicy => ({
  jwtExpirationHours: system.jwt_expiration_hours,
  maxFailedLoginAttempts: system.max_failed_login_attempts,
  lockoutDurationMinutes: system.lockout_duration_minutes,
  passwordMinLength: security.password_min_length,
  requireEmailVerification: security.require_email_verification,
  enableSessionLogging: security.enable_session_logging,
  trustedIps: security.trusted_ips,
  userLimits: { perMinute: system.api_rate_limit_default, perDay: system.daily_limit_default, perMonth: system.monthly_limit_default },
});

/** Of a server whose settings nobody changed. */
export const DEFAULT_POLICY: AuthPolicy = policyOf(settingsDefaults());

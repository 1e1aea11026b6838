import type { AuthPolicy } from '../features/auth/index.ts';
import type { SettingsReader } from '../features/settings/index.ts';

/** What sign-in reads of the settings, as saved at this moment. */
export function authPolicy(settings: SettingsReader): AuthPolicy {
  const { system, security } = settings.current();
  return {
    jwtExpirationHours: system.jwt_expiration_hours,
    maxFailedLoginAttempts: system.max_failed_login_attempts,
    lockoutDurationMinutes: system.lockout_duration_minutes,
    passwordMinLength: security.password_min_length,
    requireEmailVerification: security.require_email_verification,
    enableSessionLogging: security.enable_session_logging,
    trustedIps: security.trusted_ips,
    userLimits: { perMinute: system.api_rate_limit_default, perDay: system.daily_limit_default, perMonth: system.monthly_limit_default },
  };
}

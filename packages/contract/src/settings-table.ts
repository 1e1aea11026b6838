import type { SettingEffect, SettingsValues } from './settings.ts';

/** What a value may be. `origins`, `addresses`, `email` and `url` have rules of their own besides the numbers here. */
export type SettingRule =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'boolean' }
  | { kind: 'origins'; maxItems: number }
  | { kind: 'addresses'; maxItems: number }
  | { kind: 'email'; maxLength: number }
  | { kind: 'url'; maxLength: number };

export interface SettingRow {
  path: string;
  default: unknown;
  rule: SettingRule;
  /** When a saved value begins to count. */
  effect: SettingEffect;
  /** Unit of a number, as screens say it. */
  unit?: string;
}

const integer = (min: number, max: number): SettingRule => ({ kind: 'integer', min, max });
const number = (min: number, max: number): SettingRule => ({ kind: 'number', min, max });
const row = (path: string, fallback: unknown, rule: SettingRule, effect: SettingEffect, unit?: string): SettingRow =>
  unit === undefined ? { path, default: fallback, rule, effect } : { path, default: fallback, rule, effect, unit };

/** The largest limits an account may have; defaults above them would make accounts nobody can edit. */
export const MAX_PER_MINUTE = 10_000;
export const MAX_PER_DAY = 100_000_000;
export const MAX_PER_MONTH = 3_000_000_000;

/**
 * Every setting: where it stands, what it is at first, what it may be, when it takes effect. The lower bounds are floors: below them an
 * installation is unsafe or unusable, so a save is refused.
 */
export const SETTING_ROWS: readonly SettingRow[] = [
  row('system.api_rate_limit_default', 100, integer(1, MAX_PER_MINUTE), 'new_users', 'requests per minute'),
  row('system.daily_limit_default', 10_000, integer(1, MAX_PER_DAY), 'new_users', 'requests per day'),
  row('system.monthly_limit_default', 100_000, integer(1, MAX_PER_MONTH), 'new_users', 'requests per month'),
  row('system.jwt_expiration_hours', 24, integer(1, 24), 'new_sessions', 'hours'),
  row('system.max_failed_login_attempts', 5, integer(3, 20), 'now', 'attempts'),
  row('system.lockout_duration_minutes', 30, integer(1, 1440), 'now', 'minutes'),
  row('security.password_min_length', 6, integer(6, 128), 'now', 'characters'),
  row('security.require_email_verification', false, { kind: 'boolean' }, 'now'),
  row('security.enable_session_logging', true, { kind: 'boolean' }, 'now'),
  row('security.cors_origins', [], { kind: 'origins', maxItems: 50 }, 'now'),
  row('security.trusted_ips', [], { kind: 'addresses', maxItems: 100 }, 'now'),
  row('notifications.enable_email_notifications', false, { kind: 'boolean' }, 'now'),
  row('notifications.admin_email', null, { kind: 'email', maxLength: 254 }, 'now'),
  row('notifications.webhook_url', null, { kind: 'url', maxLength: 2048 }, 'now'),
  row('notifications.alert_thresholds.high_error_rate', 10, number(1, 100), 'now', 'percent'),
  row('notifications.alert_thresholds.unusual_activity', 1000, integer(10, 10_000_000), 'now', 'requests per hour'),
  row('limits.anonymous_rate_limit_per_minute', 60, integer(10, 600), 'now', 'requests per minute'),
  row('limits.key_rate_limit_default', 60, integer(1, MAX_PER_MINUTE), 'new_keys', 'requests per minute'),
  row('limits.key_daily_limit_default', 10_000, integer(1, MAX_PER_DAY), 'new_keys', 'requests per day'),
  row('limits.key_monthly_limit_default', 100_000, integer(1, MAX_PER_MONTH), 'new_keys', 'requests per month'),
  row('limits.max_keys_per_user', 10, integer(1, 100), 'new_keys', 'keys'),
];

/** The groups built from values by path; a path that `valueOf` answers undefined for gets its default. */
export function settingsFrom(valueOf: (path: string) => unknown): SettingsValues {
  const groups: Record<string, unknown> = {};
  for (const { path, default: fallback } of SETTING_ROWS) {
    const names = path.split('.');
    const last = names.pop() as string;
    let group = groups;
    for (const name of names) group = (group[name] ??= {}) as Record<string, unknown>;
    const value = valueOf(path);
    group[last] = value === undefined ? structuredClone(fallback) : value;
  }
  return groups as SettingsValues;
}

/** What an installation starts with. */
export const settingsDefaults = (): SettingsValues => settingsFrom(() => undefined);

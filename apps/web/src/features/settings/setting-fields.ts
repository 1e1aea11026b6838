import { SETTING_ROWS } from '@nwms/contract/settings-table';

/** One editable setting: how it is named and explained. Bounds and effect come from the server. */
export interface SettingField {
  /** Where it stands in the settings object, e.g. `system.jwt_expiration_hours`. */
  path: string;
  label: string;
  hint: string;
  /** Shown behind the number. */
  unit?: string;
  kind: 'integer' | 'number' | 'switch' | 'email' | 'url' | 'lines';
}
export interface SettingSection {
  title: string;
  text: string;
  fields: readonly SettingField[];
  /** Offers to send a test message over this channel. */
  channels?: readonly ('email' | 'webhook')[];
}

/** SETT-01: the three tabs, in the order of the screen. */
export const SETTING_TABS = ['system', 'security', 'notifications'] as const;
export type SettingTab = (typeof SETTING_TABS)[number];
export const TAB_LABELS: Record<SettingTab, string> = { system: 'System', security: 'Security', notifications: 'Notifications' };

const integer = (path: string, label: string, unit: string, hint: string): SettingField => ({ path, label, unit, hint, kind: 'integer' });

/** SETT-04 to SETT-06 and the limits of keys and visitors, tab by tab. */
export const SETTING_SECTIONS: Record<SettingTab, readonly SettingSection[]> = {
  system: [
    {
      title: 'Limits of new users',
      text: 'What an account starts with. Accounts that exist keep their own limits.',
      fields: [
        integer('system.api_rate_limit_default', 'Default rate limit', 'requests per minute', 'May be raised or lowered for each user.'),
        integer('system.daily_limit_default', 'Default daily limit', 'requests per day', 'A day ends at 00:00 UTC.'),
        integer('system.monthly_limit_default', 'Default monthly limit', 'requests per month', 'A month ends at 00:00 UTC of the first.'),
      ],
    },
    {
      title: 'Limits of keys and visitors',
      text: 'What an API key starts with, and what someone without a credential may ask.',
      fields: [
        integer('limits.anonymous_rate_limit_per_minute', 'Visitors', 'requests per minute', 'Counted for each address.'),
        integer(
          'limits.key_rate_limit_default',
          'Default rate limit of a key',
          'requests per minute',
          'Never above the limit of its account.',
        ),
        integer(
          'limits.key_daily_limit_default',
          'Default daily limit of a key',
          'requests per day',
          'Never above the limit of its account.',
        ),
        integer(
          'limits.key_monthly_limit_default',
          'Default monthly limit of a key',
          'requests per month',
          'Never above the limit of its account.',
        ),
        integer('limits.max_keys_per_user', 'Keys per user', 'keys', 'Keys that exist stay when this is lowered.'),
      ],
    },
    {
      title: 'Sessions and sign-in',
      text: 'How long a sign-in holds, and when wrong passwords lock an account.',
      fields: [
        integer('system.jwt_expiration_hours', 'Session length', 'hours', 'A shorter length also ends sessions that are already older.'),
        integer('system.max_failed_login_attempts', 'Failed sign-ins before a lock', 'attempts', 'Of one account from one address.'),
        integer('system.lockout_duration_minutes', 'Length of a lock', 'minutes', 'An administrator can unlock an account earlier.'),
      ],
    },
  ],
  security: [
    {
      title: 'Passwords and records',
      text: 'Rules for accounts that sign in with a password, and what is written down.',
      fields: [
        integer('security.password_min_length', 'Minimum password length', 'characters', 'For passwords set from now on.'),
        {
          path: 'security.require_email_verification',
          label: 'Require email verification',
          hint: 'Signing in with a password then needs a verified address. Needs a mail server.',
          kind: 'switch',
        },
        {
          path: 'security.enable_session_logging',
          label: 'Session logging',
          hint: 'Writes the start and end of sessions to the audit log. Those of administrators are always written.',
          kind: 'switch',
        },
      ],
    },
    {
      title: 'Who may connect from where',
      text: 'Exact lists; one entry per line.',
      fields: [
        {
          path: 'security.cors_origins',
          label: 'Allowed origins',
          hint: 'Other sites whose pages may read the API and open the live feed, such as https://status.example.org. No wildcard, no path.',
          kind: 'lines',
        },
        {
          path: 'security.trusted_ips',
          label: 'Trusted addresses',
          hint: 'Addresses or ranges (CIDR) with ten times the visitor limit. They are never spared the lock of an account.',
          kind: 'lines',
        },
      ],
    },
  ],
  notifications: [
    {
      title: 'Operator messages',
      text: 'Where problems of this installation are reported. These are not weather alerts.',
      fields: [
        {
          path: 'notifications.enable_email_notifications',
          label: 'Email notifications',
          hint: 'Mails problems to the address below. Needs a mail server.',
          kind: 'switch',
        },
        { path: 'notifications.admin_email', label: 'Admin email', hint: 'Required while email notifications are on.', kind: 'email' },
        {
          path: 'notifications.webhook_url',
          label: 'Webhook URL',
          hint: 'A public https address that gets a signed message for every problem.',
          kind: 'url',
        },
      ],
      channels: ['email', 'webhook'],
    },
    {
      title: 'Alert thresholds',
      text: 'From where on a problem is reported.',
      fields: [
        {
          path: 'notifications.alert_thresholds.high_error_rate',
          label: 'High error rate',
          unit: '% of requests',
          hint: 'Measured over the last hour.',
          kind: 'number',
        },
        integer(
          'notifications.alert_thresholds.unusual_activity',
          'Unusual activity',
          'requests per hour',
          'Of one key, one user or one address.',
        ),
      ],
    },
  ],
};

export const ALL_FIELDS: readonly SettingField[] = SETTING_TABS.flatMap((tab) =>
  SETTING_SECTIONS[tab].flatMap((section) => section.fields),
);
export const tabOf = (path: string): SettingTab =>
  SETTING_TABS.find((tab) => SETTING_SECTIONS[tab].some((section) => section.fields.some((field) => field.path === path))) ?? 'system';

/** What a fresh installation starts with, by path (SETT-04 to SETT-06). For "reset to default". */
export const SETTING_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(SETTING_ROWS.map((row) => [row.path, row.default]));

/** When a change takes hold, in words beside the field. */
export const EFFECT_LABELS: Record<string, string> = {
  now: 'Takes effect now',
  new_sessions: 'Takes effect for new sessions',
  new_users: 'Takes effect for new users',
  new_keys: 'Takes effect for new keys',
  restart: 'Takes effect after a restart',
};

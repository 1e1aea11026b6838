import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

const int = (description: string) => Type.Integer({ description });

/** The four groups. Defaults, bounds and effects of every path: docs/settings.md and the `bounds` and `effect` members of the answer. */
export const SettingsGroups = {
  system: Type.Object({
    api_rate_limit_default: int('Requests per minute of users created from now on'),
    daily_limit_default: int('The same per UTC day'),
    monthly_limit_default: int('The same per UTC month'),
    jwt_expiration_hours: int('Length of a session, hours; shortening ends older sessions at their start + this'),
    max_failed_login_attempts: int('Wrong passwords of one account from one address before the lock'),
    lockout_duration_minutes: int('Length of that lock, minutes'),
  }),
  security: Type.Object({
    password_min_length: int('Characters of passwords set from now on'),
    require_email_verification: Type.Boolean({ description: 'Password sign-in needs a verified e-mail address' }),
    enable_session_logging: Type.Boolean({ description: 'Audit entries for start and end of sessions; those of administrators always' }),
    cors_origins: Type.Array(Type.String(), { description: 'Exact origins of other pages that may read the API and open the live feed' }),
    trusted_ips: Type.Array(Type.String(), {
      description: 'Addresses or CIDRs with ten times the anonymous limit, spared the sign-in throttle per address',
    }),
  }),
  notifications: Type.Object({
    enable_email_notifications: Type.Boolean({ description: 'Mails for insight alerts; needs a mail server' }),
    admin_email: orNull(Type.String({ description: 'Their recipient' })),
    webhook_url: orNull(Type.String({ description: 'https address that gets a signed POST per insight alert' })),
    alert_thresholds: Type.Object({
      high_error_rate: Type.Number({ description: 'Percent of requests' }),
      unusual_activity: int('Requests per hour'),
    }),
  }),
  limits: Type.Object({
    anonymous_rate_limit_per_minute: int('Requests per minute and address without a credential'),
    key_rate_limit_default: int('Requests per minute of keys created from now on'),
    key_daily_limit_default: int('The same per UTC day'),
    key_monthly_limit_default: int('The same per UTC month'),
    max_keys_per_user: int('API keys one account may have'),
  }),
};
const groups = Type.Object(SettingsGroups);
/** Values of the four groups. */
export type SettingsValues = Static<typeof groups>;

export const SETTING_EFFECTS = ['now', 'new_sessions', 'new_users', 'new_keys', 'restart'] as const;
export type SettingEffect = (typeof SETTING_EFFECTS)[number];
const paths = Type.Array(Type.String({ description: 'e.g. system.jwt_expiration_hours' }));

const envelope = {
  version: Type.Integer(),
  updated_at: orNull(Ts),
  updated_by: orNull(Type.String({ description: 'User name of who saved last' })),
  bounds: Type.Record(
    Type.String(),
    Type.Object({
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      max_items: Type.Optional(Type.Integer()),
    }),
  ),
  effect: Type.Record(Type.String(), oneOf(SETTING_EFFECTS)),
  pending_restart: paths,
};

export const Settings = Type.Object({ ...SettingsGroups, ...envelope });
export type Settings = Static<typeof Settings>;
export const SavedSettings = Type.Object({ ...SettingsGroups, ...envelope, applied_now: paths });
export type SavedSettings = Static<typeof SavedSettings>;

/** Any part of the groups; what is absent stays. Nested thresholds may be partial too. */
export const SettingsChange = Type.Object(
  {
    system: Type.Optional(Type.Partial(SettingsGroups.system)),
    security: Type.Optional(Type.Partial(SettingsGroups.security)),
    notifications: Type.Optional(
      Type.Partial(
        Type.Object({
          ...SettingsGroups.notifications.properties,
          alert_thresholds: Type.Partial(SettingsGroups.notifications.properties.alert_thresholds),
        }),
      ),
    ),
    limits: Type.Optional(Type.Partial(SettingsGroups.limits)),
  },
  { additionalProperties: false },
);
type DeepPartial<T> = { [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K] };
export type SettingsChange = DeepPartial<SettingsValues>;

export const getSettings = route({
  method: 'GET',
  path: '/auth/admin/settings',
  access: 'admin',
  area: 'settings',
  operation: 'getSettings',
  summary: 'Settings of this installation, with bounds and when each takes effect',
  description: 'The strong ETag is what a save must send as If-Match.',
  reply: Settings,
  errors: ['auth.missing', 'access.admin_required'],
});
export const saveSettings = route({
  method: 'PUT',
  path: '/auth/admin/settings',
  access: 'admin',
  area: 'settings',
  operation: 'saveSettings',
  summary: 'Save settings; partial groups allowed, If-Match required',
  description: 'Nothing is adjusted silently: a value outside its bounds refuses the whole save, `fields` names every fault by its path.',
  body: SettingsChange,
  bodyCheckedBy: 'handler',
  reply: SavedSettings,
  errors: [
    'settings.unsafe',
    'settings.unsupported',
    'precondition.required',
    'precondition.failed',
    'auth.missing',
    'access.admin_required',
  ],
});
export const TestResult = Type.Object({ delivered: Type.Boolean(), detail: Type.String() });
export const testSettings = route({
  method: 'POST',
  path: '/auth/admin/settings/test',
  access: 'admin',
  area: 'settings',
  operation: 'testSettings',
  summary: 'Send a test message over a notification channel as saved',
  body: Type.Object({ channel: oneOf(['email', 'webhook']) }, { additionalProperties: false }),
  reply: TestResult,
  errors: ['settings.unsupported', 'auth.missing', 'access.admin_required'],
});

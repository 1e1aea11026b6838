import type { admin, AdminUser } from '@nwms/contract';
import { settingsDefaults } from '@nwms/contract/settings-table';

/** The user form as typed: numbers stay text until they are sent, so that nothing typed is lost. */
export interface UserDraft {
  username: string;
  email: string;
  full_name: string;
  organization: string;
  password: string;
  /** Never sent (USER-11). */
  confirmation: string;
  /** The account has no password and takes none. */
  google_only: boolean;
  role: 'user' | 'admin';
  is_active: boolean;
  /** May use the AI and ML routes with its keys. */
  special_access: boolean;
  api_rate_limit_per_minute: string;
  api_daily_limit: string;
  api_monthly_limit: string;
  notes: string;
}
export type UserField = keyof UserDraft;

/** Starting limits of a new account: what the settings say now; the figures of USER-12 until they are known. */
export interface LimitDefaults {
  perMinute: number;
  perDay: number;
  perMonth: number;
}
const { system } = settingsDefaults();
export const FALLBACK_LIMITS: LimitDefaults = {
  perMinute: system.api_rate_limit_default,
  perDay: system.daily_limit_default,
  perMonth: system.monthly_limit_default,
};

export const newDraft = (limits: LimitDefaults): UserDraft => ({
  username: '',
  email: '',
  full_name: '',
  organization: '',
  password: '',
  confirmation: '',
  google_only: false,
  role: 'user',
  is_active: true,
  special_access: false,
  api_rate_limit_per_minute: String(limits.perMinute),
  api_daily_limit: String(limits.perDay),
  api_monthly_limit: String(limits.perMonth),
  notes: '',
});

export const draftOf = (user: AdminUser): UserDraft => ({
  username: user.username,
  email: user.email,
  full_name: user.full_name ?? '',
  organization: user.organization ?? '',
  password: '',
  confirmation: '',
  google_only: !user.has_password,
  role: user.role === 'admin' ? 'admin' : 'user',
  is_active: user.is_active,
  special_access: user.special_access,
  api_rate_limit_per_minute: String(user.api_rate_limit_per_minute),
  api_daily_limit: String(user.api_daily_limit),
  api_monthly_limit: String(user.api_monthly_limit),
  notes: user.notes ?? '',
});

/**
 * What is sent: limits as integers, an empty password and an empty monthly limit left out, the confirmation never (USER-11).
 * `base` is what was loaded when an account is edited; without it a new one is made.
 */
export function changeOf(draft: UserDraft, base?: UserDraft): admin.NewUser {
  const monthly = draft.api_monthly_limit.trim();
  const google = base ? base.google_only !== draft.google_only : draft.google_only;
  return {
    username: draft.username.trim(),
    email: draft.email.trim(),
    full_name: draft.full_name.trim() || null,
    organization: draft.organization.trim() || null,
    ...(draft.password === '' || draft.google_only ? {} : { password: draft.password }),
    role: draft.role,
    is_active: draft.is_active,
    special_access: draft.special_access,
    api_rate_limit_per_minute: integerOf(draft.api_rate_limit_per_minute),
    api_daily_limit: integerOf(draft.api_daily_limit),
    ...(monthly === '' ? {} : { api_monthly_limit: integerOf(monthly) }),
    notes: draft.notes.trim() === '' ? null : draft.notes,
    ...(google ? { google_only: draft.google_only } : {}),
  };
}

/** NaN for anything but a whole number in plain digits: `1e3`, `0x10` and `12abc` are typing mistakes, not numbers. */
export const integerOf = (text: string): number => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);

/** Words of the fields, as labels and in the list of what somebody else changed. */
export const FIELD_LABELS: Record<UserField, string> = {
  username: 'Username',
  email: 'Email',
  full_name: 'Full name',
  organization: 'Organization',
  password: 'Password',
  confirmation: 'Confirm password',
  google_only: 'Signs in with Google only',
  role: 'Role',
  is_active: 'Active',
  special_access: 'Special access',
  api_rate_limit_per_minute: 'Rate limit per minute',
  api_daily_limit: 'Daily limit',
  api_monthly_limit: 'Monthly limit',
  notes: 'Notes',
};

export interface Rebased {
  /** Their version with my changes on top. */
  draft: UserDraft;
  /** Fields that they changed and I did not: taken over. */
  taken: UserField[];
  /** Fields that both changed, differently: mine are kept, theirs are shown. */
  contested: { field: UserField; theirs: UserDraft[UserField] }[];
}

/** Applies my changes of `base` to what somebody else saved meanwhile. */
export function rebaseDraft(base: UserDraft, mine: UserDraft, theirs: UserDraft): Rebased {
  const result: Rebased = { draft: { ...mine }, taken: [], contested: [] };
  for (const field of Object.keys(base) as UserField[]) {
    if (theirs[field] === base[field] || theirs[field] === mine[field]) continue;
    if (mine[field] === base[field]) {
      Object.assign(result.draft, { [field]: theirs[field] });
      result.taken.push(field);
    } else result.contested.push({ field, theirs: theirs[field] });
  }
  return result;
}

export const isChanged = (base: UserDraft, draft: UserDraft): boolean =>
  (Object.keys(base) as UserField[]).some((field) => base[field] !== draft[field]);

import { integerOf, type UserDraft, type UserField } from './user-draft.ts';

/** Faults by field, in the order they are to be told. */
export type Faults = ReadonlyMap<UserField, string>;

/** The form's own minimum (USER-09); the server may ask for more and then says so itself. */
const PASSWORD_MIN_LENGTH = 6;
const RATE_MAX_PER_MINUTE = 10_000;
/** Largest limits the server accepts (per day, per month). */
const DAILY_MAX = 1e8;
const MONTHLY_MAX = 3e9;
const LONG_NAME = 120;
export const NOTES_MAX = 2_000;

/** Checks in the order of USER-08 to USER-10; fields of which the rules say nothing come last. Every field's first fault is told. */
export function checkUser(draft: UserDraft, mode: 'create' | 'edit'): Faults {
  const faults = new Map<UserField, string>();
  const fail = (field: UserField, holds: boolean, text: string) => {
    if (!holds && !faults.has(field)) faults.set(field, text);
  };
  fail('username', draft.username.trim() !== '', 'Username is required');
  fail('email', draft.email.trim() !== '', 'Email is required');
  const withPassword = !draft.google_only;
  if (mode === 'create' && withPassword) fail('password', draft.password !== '', 'Password is required for new users');
  if (withPassword && (mode === 'create' || draft.password !== '')) {
    fail('confirmation', draft.password === draft.confirmation, 'Passwords do not match');
  }
  if (withPassword && draft.password !== '') {
    fail('password', [...draft.password].length >= PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`);
  }
  const rate = integerOf(draft.api_rate_limit_per_minute);
  fail('api_rate_limit_per_minute', rate >= 1 && rate <= RATE_MAX_PER_MINUTE, 'Rate limit per minute must be between 1 and 10000');
  fail('api_daily_limit', integerOf(draft.api_daily_limit) >= 1, 'Daily limit must be at least 1');
  fail(
    'api_monthly_limit',
    draft.api_monthly_limit.trim() === '' || integerOf(draft.api_monthly_limit) >= 1,
    'Monthly limit must be at least 1',
  );

  fail(
    'username',
    /^[A-Za-z0-9._-]{3,64}$/.test(draft.username.trim()),
    'Username must be 3 to 64 letters, digits, dots, dashes or underscores',
  );
  fail('email', isAddress(draft.email.trim()), 'Email must be one valid address');
  fail('api_daily_limit', integerOf(draft.api_daily_limit) <= DAILY_MAX, 'Daily limit must be at most 100000000');
  fail(
    'api_monthly_limit',
    draft.api_monthly_limit.trim() === '' || integerOf(draft.api_monthly_limit) <= MONTHLY_MAX,
    'Monthly limit must be at most 3000000000',
  );
  fail('full_name', draft.full_name.trim().length <= LONG_NAME, `Full name must be at most ${LONG_NAME} characters`);
  fail('organization', draft.organization.trim().length <= LONG_NAME, `Organization must be at most ${LONG_NAME} characters`);
  fail('notes', draft.notes.length <= NOTES_MAX, `Notes must be at most ${NOTES_MAX} characters`);
  return faults;
}

/** The shape only: one sign between two parts, a dot in the second. Whether mail arrives is another question. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@');
  const host = text.slice(at + 1);
  return at > 0 && !/[\s,;<>]/.test(text) && !host.includes('@') && host.length > 2 && text.length <= 254;
}

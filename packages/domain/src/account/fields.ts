import { foldName } from './fold.ts';

/** Why a field of an account is not accepted; of the same shape as a field fault of the wire. */
export interface AccountFault {
  name: string;
  reason: 'required' | 'type' | 'format' | 'range' | 'length';
  message: string;
  min?: number;
  max?: number;
}

export const USERNAME_LENGTH = { min: 3, max: 64 } as const;
/** RFC 5321: a path is at most 256 octets with its brackets. */
export const EMAIL_MAX_LENGTH = 254;
/** Beyond it hashing would be free work for strangers. */
export const PASSWORD_MAX_LENGTH = 256;
export const NAME_MAX_LENGTH = 120;
export const NOTES_MAX_LENGTH = 2_000;

const USERNAME = /^[\p{L}\p{M}\p{N}._-]+$/u;
const LOCAL_PART = /^[^\s@<>()[\]\\,;:"]{1,64}$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export function usernameFault(value: string | undefined): AccountFault | null {
  const name = 'username';
  const text = (value ?? '').normalize('NFKC').trim();
  if (text === '') return { name, reason: 'required', message: 'Username is required' };
  const { min, max } = USERNAME_LENGTH;
  if ([...text].length < min || [...text].length > max)
    return { name, reason: 'length', message: `Username must be ${min} to ${max} characters`, min, max };
  if (!USERNAME.test(text))
    return { name, reason: 'format', message: 'Username may only have letters, digits, dots, underscores and hyphens' };
  return null;
}

export function emailFault(value: string | undefined): AccountFault | null {
  const name = 'email';
  const text = (value ?? '').normalize('NFKC').trim();
  if (text === '') return { name, reason: 'required', message: 'Email is required' };
  if (text.length > EMAIL_MAX_LENGTH)
    return { name, reason: 'length', message: `Email must be at most ${EMAIL_MAX_LENGTH} characters`, max: EMAIL_MAX_LENGTH };
  return isEmail(text) ? null : { name, reason: 'format', message: 'Email must be one e-mail address' };
}

function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@');
  if (more.length > 0 || !LOCAL_PART.test(local)) return false;
  const labels = domain.split('.');
  return (labels.length > 1 || domain === 'localhost') && labels.every((label) => DOMAIN_LABEL.test(label));
}

export interface PasswordRules {
  minLength: number;
  username: string;
  email: string;
  isCommon: (folded: string) => boolean;
}

/** Length counts characters, not bytes or surrogates. `required`: the text for an empty one, where a password must be given. */
export function passwordFault(value: string, rules: PasswordRules, name = 'password'): AccountFault | null {
  const { minLength: min } = rules;
  const length = [...value].length;
  if (length < min) return { name, reason: 'length', message: `Password must be at least ${min} characters`, min };
  if (length > PASSWORD_MAX_LENGTH)
    return { name, reason: 'length', message: `Password must be at most ${PASSWORD_MAX_LENGTH} characters`, max: PASSWORD_MAX_LENGTH };
  const folded = foldName(value);
  if (folded === foldName(rules.username) || folded === foldName(rules.email))
    return { name, reason: 'format', message: 'The password must not be the user name or the e-mail address' };
  return rules.isCommon(value.toLowerCase()) ? { name, reason: 'format', message: 'This password is too common' } : null;
}

/** Largest values of the three account limits. */
export const ACCOUNT_LIMITS = {
  api_rate_limit_per_minute: { max: 10_000, message: 'Rate limit per minute must be between 1 and 10000' },
  api_daily_limit: { max: 100_000_000, message: 'Daily limit must be at least 1' },
  api_monthly_limit: { max: 3_000_000_000, message: 'Monthly limit must be at least 1' },
} as const;

export function limitFault(name: keyof typeof ACCOUNT_LIMITS, value: number): AccountFault | null {
  const { max, message } = ACCOUNT_LIMITS[name];
  if (Number.isInteger(value) && value >= 1 && value <= max) return null;
  const tooLarge = Number.isInteger(value) && value > max && name !== 'api_rate_limit_per_minute';
  return { name, reason: 'range', message: tooLarge ? `${message.replace(' at least 1', '')} at most ${max}` : message, min: 1, max };
}

export function textFault(name: 'full_name' | 'organization' | 'notes', value: string | null): AccountFault | null {
  const max = name === 'notes' ? NOTES_MAX_LENGTH : NAME_MAX_LENGTH;
  if (value === null || [...value].length <= max) return null;
  const label = { full_name: 'Full name', organization: 'Organization', notes: 'Notes' }[name];
  return { name, reason: 'length', message: `${label} must be at most ${max} characters`, max };
}

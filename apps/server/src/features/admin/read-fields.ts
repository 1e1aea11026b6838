import type { FieldFault } from '@nwms/contract';
import { emailFault, limitFault, passwordFault, textFault, usernameFault } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';

/** The members of a user body after their checks; absent = not given. `password` '' = not given. */
export interface UserFields {
  username?: string;
  email?: string;
  password?: string;
  role?: 'user' | 'admin';
  full_name?: string | null;
  organization?: string | null;
  api_rate_limit_per_minute?: number;
  api_daily_limit?: number;
  api_monthly_limit?: number;
  is_active?: boolean;
  special_access?: boolean;
  notes?: string | null;
  google_only?: boolean;
}

export interface FieldRules {
  /** Null for a new account; else what an absent name or address stays. */
  existing: { username: string; email: string } | null;
  passwordMinLength: number;
  isCommon(folded: string): boolean;
}

const LIMITS = ['api_rate_limit_per_minute', 'api_daily_limit', 'api_monthly_limit'] as const;
const TEXTS = ['full_name', 'organization', 'notes'] as const;
const FLAGS = ['is_active', 'special_access', 'google_only'] as const;
/** Whatever else a body holds is refused: nobody sets totals, hashes or versions from outside. */
const KNOWN = ['username', 'email', 'password', ...LIMITS, ...TEXTS, 'role', ...FLAGS];

/**
 * Reads the body of a create or an update. All faults at once, in the order of the form: user name, e-mail, password, limits, texts, role,
 * switches. @throws AppError request.invalid, request.unknown_field, user.weak_password
 */
export function readUserFields(body: unknown, rules: FieldRules): UserFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal([fault('body', 'type', 'The body must be an object')]);
  const given = body as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !KNOWN.includes(name));
  const faults: FieldFault[] = unknown
    .slice(0, 50)
    .map((name) => fault(name.slice(0, 128), 'unknown', `${name.slice(0, 128)} is not a field of an account`));
  const fields: UserFields = {};
  const isNew = rules.existing === null;

  const name = (field: 'username' | 'email', check: typeof usernameFault) => {
    const value = given[field];
    if (value === undefined && !isNew) return;
    if (value !== undefined && value !== null && typeof value !== 'string')
      return void faults.push(fault(field, 'type', `${field} must be a text`));
    const found = check(value ?? undefined);
    if (found) faults.push(found);
    else fields[field] = value as string;
  };
  name('username', usernameFault);
  name('email', emailFault);
  readPassword(given, fields, faults, rules);
  for (const field of LIMITS) {
    const value = given[field];
    if (value === undefined) continue;
    const found = limitFault(field, typeof value === 'number' ? value : Number.NaN);
    if (found) faults.push(found);
    else fields[field] = value as number;
  }
  for (const field of TEXTS) {
    const value = given[field];
    if (value === undefined) continue;
    if (value !== null && typeof value !== 'string') faults.push(fault(field, 'type', `${field} must be a text or null`));
    else {
      const found = textFault(field, value);
      if (found) faults.push(found);
      else fields[field] = value === null ? null : storable(value);
    }
  }
  const { role } = given;
  if (role === 'user' || role === 'admin') fields.role = role;
  else if (role !== undefined) faults.push({ ...fault('role', 'enum', 'role must be user or admin'), allowed: ['user', 'admin'] });
  for (const field of FLAGS) {
    const value = given[field];
    if (typeof value === 'boolean') fields[field] = value;
    else if (value !== undefined) faults.push(fault(field, 'type', `${field} must be true or false`));
  }
  if (faults.length > 0) throw refusal(faults);
  return fields;
}

function readPassword(given: Record<string, unknown>, fields: UserFields, faults: FieldFault[], rules: FieldRules): void {
  const value = given['password'] ?? '';
  if (typeof value !== 'string') return void faults.push(fault('password', 'type', 'password must be a text'));
  if (given['google_only'] === true) {
    if (value !== '') faults.push(fault('password', 'conflict', 'An account with google_only takes no password'));
    return;
  }
  if (value === '') {
    if (rules.existing === null) faults.push(fault('password', 'required', 'Password is required for new users'));
    return;
  }
  const text = (field: 'username' | 'email') =>
    typeof given[field] === 'string' ? (given[field] as string) : (rules.existing?.[field] ?? '');
  const found = passwordFault(value, {
    minLength: rules.passwordMinLength,
    username: text('username'),
    email: text('email'),
    isCommon: rules.isCommon,
  });
  if (found) faults.push(found);
  else fields.password = value;
}

/** Databases take no NUL and no half surrogate. */
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

const fault = (name: string, reason: FieldFault['reason'], message: string): FieldFault => ({ name, reason, message });

function refusal(faults: FieldFault[]): AppError {
  const [first] = faults;
  const onlyUnknown = faults.every(({ reason }) => reason === 'unknown');
  const onlyPassword = faults.every(({ name, reason }) => name === 'password' && (reason === 'length' || reason === 'format'));
  const code = onlyUnknown ? 'request.unknown_field' : onlyPassword ? 'user.weak_password' : 'request.invalid';
  return new AppError(code, { public: first?.message ?? 'Not accepted', fields: faults });
}

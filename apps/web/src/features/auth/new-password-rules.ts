import type { ApiError } from '../../api/errors.ts';

export interface NewPassword {
  current: string;
  next: string;
  again: string;
}
export type NewPasswordField = keyof NewPassword;
export type NewPasswordFaults = ReadonlyMap<NewPasswordField, string>;

/** What is wrong with the three fields, in the order of the form. How long and how rare a password must be, the server says. */
export function checkNewPassword({ current, next, again }: NewPassword): NewPasswordFaults {
  const faults = new Map<NewPasswordField, string>();
  if (current === '') faults.set('current', 'Enter the password you signed in with.');
  if (next === '') faults.set('next', 'Enter a new password.');
  else if (next === current) faults.set('next', 'Choose another password than the present one.');
  if (again !== next) faults.set('again', 'Passwords do not match');
  return faults;
}

const FIELDS: Readonly<Record<string, NewPasswordField>> = { current_password: 'current', new_password: 'next' };

/** Refusals of the server, beside the field they are about; what belongs to none of them is not in here. */
export function refusedFields({ fields }: Pick<ApiError, 'fields'>): NewPasswordFaults {
  const faults = new Map<NewPasswordField, string>();
  for (const { name, message } of fields) {
    const field = FIELDS[name];
    if (field && !faults.has(field)) faults.set(field, `${message}.`);
  }
  return faults;
}

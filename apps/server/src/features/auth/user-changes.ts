import { AppError } from '../../platform/app-error.ts';
import type { NewUser, UserChange, UserRow } from './types.ts';

export const userNotFound = () => new AppError('user.not_found', { public: 'No user with this id.' });

export const lastAdmin = () =>
  new AppError('user.last_admin', {
    public: 'This is the last active administrator. Make somebody else an administrator first.',
  });

/** 409 for the first of the two that is taken. */
export function taken(field: 'username' | 'email'): AppError {
  const message = field === 'username' ? 'Another account has this user name' : 'Another account has this e-mail address';
  return new AppError(field === 'username' ? 'user.username_taken' : 'user.email_taken', {
    public: `${message}.`,
    fields: [{ name: field, reason: 'conflict', message }],
  });
}

/** The row after a change; names are kept as given, but for forms that only look different. */
export function changed(user: UserRow, change: UserChange, at: number): UserRow {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as UserChange;
  return { ...user, ...normalized(given), updatedAt: at, version: user.version + 1 };
}

export function normalized<T extends Partial<NewUser>>(user: T): T {
  const trimmed = (text: string | null | undefined) => (text === null || text === undefined ? text : text.trim() || null);
  return {
    ...user,
    ...(user.username === undefined ? {} : { username: user.username.normalize('NFKC').trim() }),
    ...(user.email === undefined ? {} : { email: user.email.normalize('NFKC').trim() }),
    ...(user.fullName === undefined ? {} : { fullName: trimmed(user.fullName) }),
    ...(user.organization === undefined ? {} : { organization: trimmed(user.organization) }),
    ...(user.notes === undefined ? {} : { notes: trimmed(user.notes) }),
  };
}

/** An active administrator that would not be one any more. */
export const losesPower = (before: UserRow, after: UserRow): boolean =>
  before.role === 'admin' && before.isActive && !(after.role === 'admin' && after.isActive);

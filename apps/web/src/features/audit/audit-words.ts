import type { AuditEntry } from '@nwms/contract';

/** Actions of the log in the words of a person; an action this page does not know yet is shown by its code. */
const ACTION_WORDS: Record<string, string> = {
  'user.created': 'Created user',
  'user.updated': 'Changed user',
  'user.deleted': 'Deleted user',
  'user.unlocked': 'Unlocked user',
  'user.sessions_ended': 'Ended sessions of',
  'user.read': 'Looked at user',
  'users.listed': 'Listed users',
  'usage.read': 'Looked at usage',
  'key.created': 'Created key',
  'key.updated': 'Changed key',
  'key.refreshed': 'Replaced key',
  'key.deleted': 'Deleted key',
  'settings.saved': 'Saved settings',
  'settings.tested': 'Tested notifications',
  'session.started': 'Signed in',
  'session.ended': 'Signed out',
  'sign_in.failed': 'Failed to sign in',
  'password.changed': 'Changed password',
  'admin.claimed': 'Became the first administrator',
  'history.imported': 'Imported history',
};

export const actionWords = (action: string): string => ACTION_WORDS[action] ?? action;

/** Choices of the action filter: whole areas first, then single actions. */
export const ACTION_OPTIONS: readonly { value: string; label: string }[] = [
  { value: '', label: 'Any action' },
  { value: 'user.*', label: 'Users: all' },
  { value: 'settings.*', label: 'Settings: all' },
  { value: 'session.*', label: 'Sessions: all' },
  { value: 'key.*', label: 'API keys: all' },
  ...Object.entries(ACTION_WORDS).map(([value, label]) => ({ value, label })),
];

/** Where the object of an entry can be looked at; null when there is no screen for it or it is gone. */
export function linkOf({
  target,
  action,
}: Pick<AuditEntry, 'target' | 'action'>): { to: '/admin/users' | '/admin/settings'; search: { q?: string } } | null {
  if (target === null) return null;
  if (target.type === 'settings') return { to: '/admin/settings', search: {} };
  if (target.type === 'user' && target.label !== null && action !== 'user.deleted')
    return { to: '/admin/users', search: { q: target.label } };
  return null;
}

/** Why something was refused, in words where the code alone says little. */
const REASONS: Record<string, string> = {
  'auth.invalid_credentials': 'wrong user name or password',
  'auth.locked': 'account locked after wrong passwords',
  'auth.account_inactive': 'account is inactive',
  'auth.google_rejected': 'Google credential refused',
  'auth.setup_token_required': 'setup token missing',
  'user.last_admin': 'last active administrator',
  'user.self_forbidden': 'own account',
  'precondition.failed': 'changed meanwhile by somebody else',
};
export const reasonWords = (reason: string): string => REASONS[reason] ?? reason;

/** A value of a change for people: text as it is, lists joined, nothing named as such. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return value.length === 0 ? 'empty' : value.join(', ');
  }
  return JSON.stringify(value);
}

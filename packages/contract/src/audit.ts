import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

/** Everything that is written down, in the words of the log. A new action is added here first. */
export const AUDIT_ACTIONS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.unlocked',
  'user.sessions_ended',
  'user.read',
  'users.listed',
  'usage.read',
  'key.created',
  'key.updated',
  'key.refreshed',
  'key.deleted',
  'settings.saved',
  'settings.tested',
  'session.started',
  'session.ended',
  'sign_in.failed',
  'password.changed',
  'admin.claimed',
  'history.imported',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export const AUDIT_OUTCOMES = ['ok', 'refused'] as const;
export const AUDIT_ACTORS = ['user', 'system', 'anonymous'] as const;
/** Value shown in `changes` where the real one must not be. */
export const AUDIT_SECRET = '(changed)';

export const AuditEntry = Type.Object({
  id: Type.String({ description: '`aud_` + 20 characters' }),
  at: Ts,
  actor: Type.Object({
    type: oneOf(AUDIT_ACTORS),
    id: orNull(Type.String()),
    name: Type.String({ description: 'User name at that time; "system" or "anonymous"' }),
  }),
  action: Type.String({ description: `What was done, e.g. ${AUDIT_ACTIONS.slice(0, 3).join(', ')}; unknown values may come` }),
  target: orNull(
    Type.Object({
      type: Type.String({ description: 'user, key, session, settings, users, ...' }),
      id: orNull(Type.String()),
      label: orNull(Type.String({ description: 'Name at that time' })),
    }),
  ),
  outcome: oneOf(AUDIT_OUTCOMES),
  reason: orNull(Type.String({ description: 'Why it was refused: an error code' })),
  request_id: orNull(Type.String()),
  address_hash: orNull(Type.String({ description: 'Keyed hash of the caller’s address (IPv6: of its /64); never the address' })),
  changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }), {
    description: 'What changed, before and after; secrets as "(changed)"',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditList = Type.Object({
  entries: Type.Array(AuditEntry),
  next_cursor: orNull(Type.String({ description: 'Position of the next, older page; null on the last one' })),
});
export type AuditList = Static<typeof AuditList>;

const text = (description: string) => Type.Optional(Type.String({ maxLength: 128, description }));

export const listAudit = route({
  method: 'GET',
  path: '/auth/admin/audit',
  access: 'admin',
  area: 'audit',
  operation: 'listAudit',
  summary: 'Who did what, newest first',
  description: 'Append-only, kept for 400 days. Reads of the details of a user are entries too.',
  query: Type.Object({
    from: text('At or after (RFC 3339, or YYYY-MM-DD for that UTC midnight)'),
    to: text('Before'),
    actor: text('Id or name of who did it; letter case folded'),
    action: text('Exact action, or its area with a star: `user.*`'),
    target: text('Id, name or type of what it was done to'),
    outcome: Type.Optional(oneOf(AUDIT_OUTCOMES)),
    cursor: Type.Optional(Type.String({ maxLength: 256, description: 'next_cursor of the previous page' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50' })),
  }),
  reply: AuditList,
  errors: ['query.cursor_invalid', 'query.cursor_mismatch', 'auth.missing', 'access.admin_required'],
});

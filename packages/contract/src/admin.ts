import Type, { type Static } from 'typebox';
import { ROLES, User } from './auth.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

const area = 'admin';
const access = 'admin';
const closed = { additionalProperties: false };
const params = Type.Object({ id: Type.String({ maxLength: 128, description: '`usr_...`' }) });
const guarded = ['auth.missing', 'access.admin_required'] as const;

/** An account as administrators see it. */
export const AdminUser = Type.Object({
  ...User.properties,
  key_count: Type.Integer({ description: 'API keys of the account' }),
  locked_until: orNull(Ts),
});
export type AdminUser = Static<typeof AdminUser>;

export const Dashboard = Type.Object({
  total_users: Type.Integer(),
  active_users: Type.Integer({ description: 'Accounts that are switched on' }),
  admin_users: Type.Integer(),
  users_created_last_30_days: Type.Integer(),
  average_requests_per_user: Type.Number({ description: 'Σ total_api_requests ÷ total_users, one decimal' }),
  total_api_requests_today: Type.Integer({
    description: 'Every recorded request of this UTC day, whoever made it: the last row of daily_trends of /analytics/overview',
  }),
  requests_today_by_principal: Type.Object({ anonymous: Type.Integer(), key: Type.Integer(), session: Type.Integer() }),
  top_users_by_requests: Type.Array(Type.Object({ user_id: Type.String(), username: Type.String(), requests: Type.Integer() }), {
    description: 'At most five, by total_api_requests, only those with any',
  }),
  active_users_24h: Type.Integer({ description: 'Accounts with a request in the last 24 hours' }),
  generated_at: Ts,
});
export type Dashboard = Static<typeof Dashboard>;
export const getDashboard = route({
  method: 'GET',
  path: '/auth/admin/dashboard',
  access,
  area,
  operation: 'getDashboard',
  summary: 'Figures of accounts and requests',
  reply: Dashboard,
  errors: guarded,
});

const page = { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer(), has_more: Type.Boolean() };
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'Default 0' }));
const q = Type.Optional(Type.String({ maxLength: 100, description: 'In user name, e-mail or full name, letter case folded' }));

/** Orders of the user list; a leading minus turns them round. */
export const USER_ORDERS = [
  'created_at',
  '-created_at',
  'username',
  '-username',
  'last_login',
  '-last_login',
  'total_api_requests',
  '-total_api_requests',
] as const;
export const UserList = Type.Object({ users: Type.Array(AdminUser), ...page });
export type UserList = Static<typeof UserList>;
export const listUsers = route({
  method: 'GET',
  path: '/auth/admin/users',
  access,
  area,
  operation: 'listUsers',
  summary: 'Accounts by filter, from all of them',
  query: Type.Object({
    offset,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 25' })),
    role: Type.Optional(oneOf(ROLES)),
    is_active: Type.Optional(Type.Boolean()),
    q,
    order_by: Type.Optional(oneOf(USER_ORDERS, { description: 'Default -created_at; ties by id' })),
  }),
  reply: UserList,
  errors: guarded,
});

/** Limits in requests. Their bounds are those of the refusals: 1 to 10,000; 1 to 10^8; 1 to 3 × 10^9. */
const writable = {
  username: Type.String({
    minLength: 3,
    maxLength: 64,
    description: 'Letters, digits, dot, underscore, hyphen; unique without letter case',
  }),
  email: Type.String({ maxLength: 254, description: 'One address; unique without letter case' }),
  password: Type.String({
    maxLength: 256,
    description: 'Its account says must_change_password until its owner chooses another. Never written down',
  }),
  role: oneOf(ROLES),
  full_name: orNull(Type.String({ maxLength: 120 })),
  organization: orNull(Type.String({ maxLength: 120 })),
  api_rate_limit_per_minute: Type.Integer({ minimum: 1, maximum: 10_000 }),
  api_daily_limit: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  api_monthly_limit: Type.Integer({ minimum: 1, maximum: 3_000_000_000 }),
  is_active: Type.Boolean(),
  special_access: Type.Boolean(),
  notes: orNull(Type.String({ maxLength: 2000, description: 'Remarks that only administrators see' })),
  google_only: Type.Boolean({ description: 'The account has no password and takes none' }),
};
const { username, email, ...rest } = writable;
const optional = Type.Partial(Type.Object(rest)).properties;

export const NewUser = Type.Object({ username, email, ...optional }, closed);
export type NewUser = Static<typeof NewUser>;
export const createUser = route({
  method: 'POST',
  path: '/auth/admin/users',
  access,
  area,
  operation: 'createUser',
  summary: 'Create an account; a password unless google_only',
  description: 'Limits default to the settings. Takes Idempotency-Key. Fields are checked in the order of the form.',
  body: NewUser,
  bodyCheckedBy: 'handler',
  reply: AdminUser,
  replyStatus: 201,
  errors: [
    ...guarded,
    'request.unknown_field',
    'user.weak_password',
    'user.username_taken',
    'user.email_taken',
    'idempotency.in_progress',
    'idempotency.mismatch',
  ],
});
export const getUser = route({
  method: 'GET',
  path: '/auth/admin/users/{id}',
  access,
  area,
  operation: 'getUser',
  summary: 'One account; the reading is written to the audit log',
  params,
  reply: AdminUser,
  errors: [...guarded, 'user.not_found'],
});
export const UserChange = Type.Object(Type.Partial(Type.Object(writable)).properties, closed);
export type UserChange = Static<typeof UserChange>;
export const updateUser = route({
  method: 'PUT',
  path: '/auth/admin/users/{id}',
  access,
  area,
  operation: 'updateUser',
  summary: 'Change an account; what is absent stays',
  description:
    'An empty password means unchanged. If-Match with the ETag of the account refuses a change of somebody else in between (412).',
  params,
  body: UserChange,
  bodyCheckedBy: 'handler',
  reply: AdminUser,
  errors: [
    ...guarded,
    'request.unknown_field',
    'user.not_found',
    'user.weak_password',
    'user.username_taken',
    'user.email_taken',
    'user.last_admin',
    'user.self_forbidden',
    'precondition.failed',
  ],
});
export const deleteUser = route({
  method: 'DELETE',
  path: '/auth/admin/users/{id}',
  access,
  area,
  operation: 'deleteUser',
  summary: 'Delete an account with its sessions, keys, sockets, webhooks and push subscriptions',
  params,
  replyStatus: 204,
  errors: [...guarded, 'user.not_found', 'user.last_admin', 'user.self_forbidden', 'precondition.failed'],
});
export const unlockUser = route({
  method: 'POST',
  path: '/auth/admin/users/{id}/unlock',
  access,
  area,
  operation: 'unlockUser',
  summary: 'Lift the locks of wrong passwords',
  params,
  replyStatus: 204,
  errors: [...guarded, 'user.not_found'],
});
export const endUserSessions = route({
  method: 'POST',
  path: '/auth/admin/users/{id}/end-sessions',
  access,
  area,
  operation: 'endUserSessions',
  summary: 'End all sessions of an account now',
  params,
  replyStatus: 204,
  errors: [...guarded, 'user.not_found'],
});

export const AdminStatus = Type.Object({
  status: oneOf(['ok', 'degraded']),
  message: Type.String(),
  current_admin: Type.String({ description: 'User name of the caller' }),
  total_users_in_db: Type.Integer(),
});
export type AdminStatus = Static<typeof AdminStatus>;
export const getAdminStatus = route({
  method: 'GET',
  path: '/auth/admin/status',
  access,
  area,
  operation: 'getAdminStatus',
  summary: 'Connection test of the administration',
  reply: AdminStatus,
  errors: guarded,
});

const limits = Type.Object({ per_minute: Type.Integer(), per_day: Type.Integer(), per_month: Type.Integer() });
const currentUsage = Type.Object({ this_minute: Type.Integer(), today: Type.Integer(), this_month: Type.Integer() });
export const UsageLimits = Type.Object({
  user_id: Type.String({ description: 'The caller; limits and current_usage beside it are the caller’s own' }),
  limits,
  current_usage: currentUsage,
  users: Type.Array(
    Type.Object({
      user_id: Type.String(),
      username: Type.String(),
      is_active: Type.Boolean(),
      limits,
      current_usage: currentUsage,
      web_usage: Type.Object({ this_minute: Type.Integer(), today: Type.Integer() }),
      used_percent: Type.Number({ description: 'Of the limit that is nearest to its end; one decimal' }),
      refused_today: Type.Integer(),
    }),
    { description: 'By used_percent, highest first' },
  ),
  ...page,
  generated_at: Ts,
});
export type UsageLimits = Static<typeof UsageLimits>;
export const getUsageLimits = route({
  method: 'GET',
  path: '/auth/admin/usage/limits',
  access,
  area,
  operation: 'getUsageLimits',
  summary: 'Limits of accounts and how much of them is used',
  query: Type.Object({
    offset,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Default 100' })),
    q,
  }),
  reply: UsageLimits,
  errors: guarded,
});

import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

export const ROLES = ['user', 'admin'] as const;
export const AUTH_PROVIDERS = ['google', 'password', 'local'] as const;

/** An account as its owner and administrators see it. */
export const User = Type.Object(
  {
    id: Type.String(),
    username: Type.String(),
    email: Type.String(),
    full_name: orNull(Type.String()),
    organization: orNull(Type.String()),
    role: oneOf(ROLES),
    is_active: Type.Boolean(),
    special_access: Type.Boolean({ description: 'Keys of this account may call the AI and ML routes' }),
    api_rate_limit_per_minute: Type.Integer(),
    api_daily_limit: Type.Integer({ description: 'Per UTC day' }),
    api_monthly_limit: Type.Integer({ description: 'Per UTC month' }),
    notes: orNull(Type.String({ description: "Administrators' remarks; null to everybody else" })),
    last_login: orNull(Ts),
    total_api_requests: orNull(
      Type.Integer({
        description:
          "Recorded requests with this account's keys, all time, whatever they were answered (docs/analytics.md). This and the next three are null while the record of requests cannot be read",
      }),
    ),
    current_day_requests: orNull(Type.Integer({ description: 'The same in this UTC day' })),
    current_month_requests: orNull(Type.Integer({ description: 'The same in this UTC month' })),
    web_requests: orNull(
      Type.Object(
        { today: Type.Integer(), month: Type.Integer(), total: Type.Integer() },
        { description: 'The same of sessions, which have an allowance of their own' },
      ),
    ),
    auth_provider: oneOf(AUTH_PROVIDERS),
    has_password: Type.Boolean(),
    email_verified: Type.Boolean(),
    must_change_password: Type.Boolean({
      description:
        'An administrator chose the password. A session begun with it may read GET /auth/me, sign out and POST /auth/password, which ends it; to sessions begun otherwise it is false',
    }),
    created_at: Ts,
    updated_at: Ts,
    version: Type.Integer({ description: 'Rises with every change; the ETag is `"v{version}"`' }),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;

/** Answer of a sign-in. The token is opaque: only `expires_at` says how long it holds. */
export const Login = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_at: Ts,
    user: User,
    is_new_user: Type.Boolean(),
    claimed_admin: Type.Boolean({ description: 'This sign-in made its account the first administrator' }),
  },
  { $id: 'Login' },
);
export type Login = Static<typeof Login>;

/** What the sign-in page needs to know before it can offer anything. */
export const AuthConfig = Type.Object(
  {
    google: Type.Object({
      enabled: Type.Boolean(),
      client_id: orNull(Type.String()),
      mode: oneOf(['google', 'local'], { description: 'local: the built-in provider of a server on loopback, POST /auth/local/token' }),
    }),
    password_enabled: Type.Boolean(),
    first_admin_open: Type.Boolean({ description: 'Nobody is administrator yet: an allowed sign-in becomes it' }),
    setup_token_required: Type.Boolean({ description: 'Becoming the first administrator needs the token the server printed' }),
    nonce: Type.String({ description: 'For one ID token, within 10 minutes' }),
  },
  { $id: 'AuthConfig' },
);
export type AuthConfig = Static<typeof AuthConfig>;

export const Session = Type.Object(
  {
    id: Type.String(),
    created_at: Ts,
    last_seen_at: Ts,
    expires_at: Ts,
    current: Type.Boolean({ description: 'The session of this very request' }),
    provider: oneOf(AUTH_PROVIDERS),
    device: Type.String({ description: 'Browser and system as far as the sign-in told them' }),
    country_code: orNull(Type.String({ description: 'ISO 3166-1 alpha-2' })),
  },
  { $id: 'Session' },
);
export type Session = Static<typeof Session>;

const closed = { additionalProperties: false };
const area = 'auth';

export const getAuthConfig = route({
  method: 'GET',
  path: '/auth/config',
  access: 'open',
  area,
  operation: 'getAuthConfig',
  summary: 'How one can sign in here',
  reply: AuthConfig,
});
export const signInWithGoogle = route({
  method: 'POST',
  path: '/auth/google',
  access: 'open',
  area,
  operation: 'signInWithGoogle',
  summary: 'Sign in with an ID token of Google (or of the local provider)',
  body: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 8192 }),
      setup_token: Type.Optional(Type.String({ maxLength: 128, description: 'Printed by the server while it has no administrator' })),
    },
    closed,
  ),
  reply: Login,
  errors: [
    'auth.google_rejected',
    'auth.too_many_attempts',
    'auth.setup_token_required',
    'auth.email_unverified',
    'auth.not_invited',
    'auth.account_inactive',
    'auth.provider_unavailable',
    'server.database_unavailable',
  ],
});
export const signInWithPassword = route({
  method: 'POST',
  path: '/auth/login',
  access: 'open',
  area,
  operation: 'signInWithPassword',
  summary: 'Sign in with a password, where that is switched on',
  body: Type.Object(
    {
      username: Type.String({ minLength: 1, maxLength: 254, description: 'User name or e-mail address, in any letter case' }),
      password: Type.String({ minLength: 1, maxLength: 1024 }),
    },
    closed,
  ),
  reply: Login,
  errors: [
    'auth.invalid_credentials',
    'auth.password_disabled',
    'auth.email_unverified',
    'auth.locked',
    'auth.too_many_attempts',
    'auth.account_inactive',
    'server.overloaded',
    'server.database_unavailable',
  ],
});
export const createLocalToken = route({
  method: 'POST',
  path: '/auth/local/token',
  access: 'open',
  area,
  operation: 'createLocalToken',
  summary: 'An ID token of the built-in provider; only without Google and on loopback, else 404',
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 120 }),
      email: Type.String({ minLength: 3, maxLength: 254 }),
      nonce: Type.Optional(Type.String({ maxLength: 128, description: 'Of GET /auth/config' })),
    },
    closed,
  ),
  reply: Type.Object({ token: Type.String() }),
  errors: ['route.not_found', 'auth.too_many_attempts'],
});
export const getMe = route({
  method: 'GET',
  path: '/auth/me',
  access: 'member',
  beforePasswordChange: true,
  area,
  operation: 'getMe',
  summary: 'The signed-in account',
  reply: User,
  errors: ['server.database_unavailable'],
});
export const updateMe = route({
  method: 'PATCH',
  path: '/auth/me',
  access: 'member',
  area,
  operation: 'updateMe',
  summary: 'Change your own name and organization',
  body: Type.Object({ full_name: Type.Optional(orNull(Type.String())), organization: Type.Optional(orNull(Type.String())) }, closed),
  reply: User,
});
export const deleteMe = route({
  method: 'DELETE',
  path: '/auth/me',
  access: 'member',
  area,
  operation: 'deleteMe',
  summary: 'Delete your own account with all that hangs on it',
  replyStatus: 204,
  errors: ['user.last_admin'],
});
export const changePassword = route({
  method: 'POST',
  path: '/auth/password',
  access: 'member',
  beforePasswordChange: true,
  area,
  operation: 'changePassword',
  summary: 'Change your own password; ends your other sessions',
  body: Type.Object(
    { current_password: Type.String({ minLength: 1, maxLength: 1024 }), new_password: Type.String({ maxLength: 1024 }) },
    closed,
  ),
  replyStatus: 204,
  errors: ['user.weak_password', 'precondition.failed', 'auth.locked', 'auth.too_many_attempts', 'server.overloaded'],
});
export const signOut = route({
  method: 'POST',
  path: '/auth/logout',
  access: 'member',
  beforePasswordChange: true,
  area,
  operation: 'signOut',
  summary: 'End this session now, on the server too',
  replyStatus: 204,
});
export const listSessions = route({
  method: 'GET',
  path: '/auth/sessions',
  access: 'member',
  area,
  operation: 'listSessions',
  summary: 'Where you are signed in',
  reply: Type.Object({ sessions: Type.Array(Session) }),
});
export const endSession = route({
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  access: 'member',
  area,
  operation: 'endSession',
  summary: 'End one of your sessions',
  params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
  replyStatus: 204,
  errors: ['session.not_found'],
});

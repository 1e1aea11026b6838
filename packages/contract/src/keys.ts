import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { MAX_PER_DAY, MAX_PER_MINUTE, MAX_PER_MONTH } from './settings-table.ts';
import { oneOf, orNull, Ts } from './schema.ts';

const area = 'keys';
const closed = { additionalProperties: false };
const params = Type.Object({ id: Type.String({ maxLength: 128, description: '`key_...`' }) });
const guarded = ['auth.missing', 'access.session_required', 'server.database_unavailable'] as const;

/** Longest description of a key, after trimming, in characters. */
export const KEY_DESCRIPTION_MAX = 200;
/** Longest life of a key that ends, in days. */
export const KEY_DAYS_MAX = 3_650;
/** Longest time two secrets of a key hold beside each other, in seconds: a day. */
export const KEY_OVERLAP_MAX_SECONDS = 86_400;
export const KEY_STATES = ['active', 'inactive', 'expired'] as const;
export const ALLOWANCE_SCOPES = ['key', 'account', 'session'] as const;

export const Limits = Type.Object({ per_minute: Type.Integer(), per_day: Type.Integer(), per_month: Type.Integer() });
export const CurrentUsage = Type.Object(
  { this_minute: Type.Integer(), today: Type.Integer(), this_month: Type.Integer() },
  { description: 'Units in the running UTC minute, day and month: the counters that decide' },
);
/** One window of one allowance. A request with a key must fit in every window of its key and of its account. */
export const AllowanceWindow = Type.Object({
  name: oneOf(['minute', 'day', 'month']),
  scope: oneOf(ALLOWANCE_SCOPES),
  limit: Type.Integer(),
  used: Type.Integer({ description: 'Units used; at most a second old for what other processes did' }),
  remaining: Type.Integer({
    description:
      'Units that can be had, as in the header RateLimit; up to a percent fewer than the limit less used while other processes hold some',
  }),
  resets_at: Ts,
});
export type AllowanceWindow = Static<typeof AllowanceWindow>;

const ownLimits = {
  rate_limit_per_minute: Type.Integer({ minimum: 1, maximum: MAX_PER_MINUTE, description: 'Units per UTC minute' }),
  daily_limit: Type.Integer({ minimum: 1, maximum: MAX_PER_DAY, description: 'Units per UTC day' }),
  monthly_limit: Type.Integer({ minimum: 1, maximum: MAX_PER_MONTH, description: 'Units per UTC month' }),
};

/** A key as its owner sees it. The secret itself is shown once, in the answer that made it. */
export const ApiKey = Type.Object(
  {
    id: Type.String({ description: '`key_...`; stays when the secret is renewed' }),
    description: Type.String(),
    created_at: Ts,
    is_active: Type.Boolean(),
    last_used_at: orNull(Ts),
    total_requests: Type.Integer({ description: 'Requests with this key, all time' }),
    key_prefix: Type.String({ description: 'First 12 characters of the secret' }),
    status: oneOf(KEY_STATES),
    expires_at: orNull(Ts),
    ...ownLimits,
    effective_limits: Type.Object(Limits.properties, { description: 'The smaller of key and account' }),
    current_usage: CurrentUsage,
    last_used_from: orNull(
      Type.Object({
        country_code: orNull(Type.String({ description: 'ISO 3166-1 alpha-2; null where it is not known' })),
        agent: orNull(Type.String()),
        attribution: orNull(
          Type.Object(
            { text: Type.String(), url: Type.String() },
            { description: 'Credit to be shown beside the country; null where none is due' },
          ),
        ),
      }),
    ),
    previous: orNull(
      Type.Object({ key_prefix: Type.String(), valid_until: Ts }, { description: 'The secret before the last one, while it still works' }),
    ),
    version: Type.Integer({ description: 'Rises with every change of its owner; the ETag is `"v{version}"`' }),
  },
  { $id: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const IssuedKey = Type.Object(
  {
    ...ApiKey.properties,
    api_key: orNull(
      Type.String({ description: 'The secret, this once. Null in the repeated answer to an Idempotency-Key: it is kept nowhere' }),
    ),
  },
  { $id: 'IssuedKey' },
);
export type IssuedKey = Static<typeof IssuedKey>;

export const listKeys = route({
  method: 'GET',
  path: '/api-keys',
  access: 'member',
  area,
  operation: 'listKeys',
  summary: 'Your API keys, newest first; their number in NWMS-Total-Count',
  reply: Type.Array(ApiKey),
  errors: guarded,
});
export const createKey = route({
  method: 'POST',
  path: '/api-keys',
  access: 'member',
  area,
  operation: 'createKey',
  summary: 'Make an API key; its secret is in this answer and nowhere else',
  description: 'Limits default to the settings, lowered to those of the account. Takes Idempotency-Key.',
  body: Type.Object(
    {
      description: Type.String({ maxLength: 1000, description: 'Trimmed, 1 to 200 characters' }),
      expires_in_days: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: KEY_DAYS_MAX, description: 'Null: never' }))),
      ...Type.Partial(Type.Object(ownLimits)).properties,
    },
    closed,
  ),
  reply: IssuedKey,
  replyStatus: 201,
  errors: [...guarded, 'key.limit_above_account', 'key.limit_reached', 'idempotency.in_progress', 'idempotency.mismatch'],
});
export const getKey = route({
  method: 'GET',
  path: '/api-keys/{id}',
  access: 'member',
  area,
  operation: 'getKey',
  summary: 'One of your API keys',
  params,
  reply: ApiKey,
  errors: [...guarded, 'key.not_found'],
});
export const updateKey = route({
  method: 'PATCH',
  path: '/api-keys/{id}',
  access: 'member',
  area,
  operation: 'updateKey',
  summary: 'Change description or limits of a key, switch it off or on',
  description: 'Changed limits count from the next request on, in the running windows. If-Match is optional.',
  params,
  body: Type.Object(
    {
      description: Type.Optional(Type.String({ maxLength: 1000 })),
      is_active: Type.Optional(Type.Boolean()),
      ...Type.Partial(Type.Object(ownLimits)).properties,
    },
    closed,
  ),
  reply: ApiKey,
  errors: [...guarded, 'key.not_found', 'key.limit_above_account', 'precondition.failed'],
});
export const refreshKey = route({
  method: 'POST',
  path: '/api-keys/{id}/refresh',
  access: 'member',
  area,
  operation: 'refreshKey',
  summary: 'A new secret for the same key',
  description:
    'Id, limits, expiry and counters stay. The old secret is dead in every process before this answer is sent, unless overlap_seconds lets it live on beside the new one. Takes Idempotency-Key.',
  params,
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: KEY_OVERLAP_MAX_SECONDS, description: 'How long the old secret still works; default 0' }),
      ),
    },
    closed,
  ),
  reply: IssuedKey,
  errors: [...guarded, 'key.not_found', 'idempotency.in_progress', 'idempotency.mismatch'],
});
export const deleteKey = route({
  method: 'DELETE',
  path: '/api-keys/{id}',
  access: 'member',
  area,
  operation: 'deleteKey',
  summary: 'Delete a key, at once and for good',
  params,
  replyStatus: 204,
  errors: [...guarded, 'key.not_found'],
});

export const KeyUsage = Type.Object({
  windows: Type.Array(AllowanceWindow),
  per_minute: Type.Array(Type.Object({ at: Ts, allowed: Type.Integer(), refused: Type.Integer() }), {
    description: 'One row per UTC minute, oldest first, the running one last; requests, not units',
  }),
  by_endpoint: Type.Array(Type.Object({ endpoint: Type.String({ description: 'e.g. GET /alerts' }), requests: Type.Integer() }), {
    description: 'Over the same minutes, most requests first',
  }),
  refused_today: Type.Integer({ description: 'Requests of this UTC day that were over a limit' }),
});
export type KeyUsage = Static<typeof KeyUsage>;
export const getKeyUsage = route({
  method: 'GET',
  path: '/api-keys/{id}/usage',
  access: 'member',
  area,
  operation: 'getKeyUsage',
  summary: 'How much of its allowance a key used, and for what',
  params,
  query: Type.Object({ minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Default 60' })) }),
  reply: KeyUsage,
  errors: [...guarded, 'key.not_found'],
});

export const OwnUsage = Type.Object({
  limits: Limits,
  current_usage: CurrentUsage,
  windows: Type.Array(AllowanceWindow),
  web: Type.Object(
    {
      limits: Type.Object({ per_minute: Type.Integer(), per_day: Type.Integer() }),
      current_usage: Type.Object({ this_minute: Type.Integer(), today: Type.Integer() }),
    },
    { description: 'Sessions have an allowance of their own' },
  ),
  resets: Type.Object({ minute: Ts, day: Ts, month: Ts }),
  new_key: Type.Object(Limits.properties, {
    description: "What a new key gets unless more or less is asked for, lowered to the account's",
  }),
  max_keys: Type.Integer({ description: 'Keys an account may have' }),
  anonymous_per_minute: Type.Integer({ description: 'Units per minute and address without a credential' }),
});
export type OwnUsage = Static<typeof OwnUsage>;
export const getOwnUsage = route({
  method: 'GET',
  path: '/auth/me/usage',
  access: 'member',
  area,
  operation: 'getOwnUsage',
  summary: 'Limits of the own account and how much of them its keys used',
  reply: OwnUsage,
  errors: guarded,
});

export const CallerLimits = Type.Object({
  principal: Type.Object({ type: oneOf(['key', 'session']), id: Type.String({ description: 'Of the key, or of the account' }) }),
  windows: Type.Array(AllowanceWindow),
});
export type CallerLimits = Static<typeof CallerLimits>;
export const getLimits = route({
  method: 'GET',
  path: '/limits',
  access: 'key-or-session',
  cost: 0,
  area,
  operation: 'getLimits',
  summary: 'What the credential of this request may still do; costs nothing',
  reply: CallerLimits,
  errors: ['auth.missing', 'key.invalid', 'key.expired', 'key.revoked', 'key.owner_inactive', 'server.database_unavailable'],
});

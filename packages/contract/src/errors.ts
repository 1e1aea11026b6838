/** One row per stable error code. `retry`: can the same request succeed later without change? */
export interface ErrorRow {
  status: number;
  /** Fixed title per code (`message` and `title` on the wire). */
  message: string;
  retry: boolean;
  /** What it means and what to do; the text of its documentation entry. */
  help: string;
}

const row = (status: number, message: string, retry: boolean, help: string): ErrorRow => ({ status, message, retry, help });

/**
 * Every error the API can answer with. Codes read `area.reason`, are stable, and are documented at `/docs/errors#<code>`.
 * Codes of areas that are not built yet are added with their area.
 */
export const ERRORS = {
  'request.invalid': row(400, 'Invalid request', false, 'A value is missing or not of the documented form; `fields` lists every one.'),
  'request.unknown_parameter': row(
    400,
    'Unknown parameter',
    false,
    'The query has a name this route does not know; `detail` names the nearest known one.',
  ),
  'request.unknown_field': row(400, 'Unknown field', false, 'The body has a member this route does not know.'),
  'request.malformed_json': row(400, 'Malformed request body', false, 'The body is not JSON.'),
  'request.too_deep': row(400, 'Malformed request body', false, 'The body nests deeper than 32 levels.'),
  'query.cursor_invalid': row(
    400,
    'Invalid cursor',
    false,
    'The cursor was not issued by this server, or lies ahead of the log. Start again without it.',
  ),
  'query.cursor_mismatch': row(
    400,
    'Invalid cursor',
    false,
    'The cursor belongs to other filters or another order. Start again without it.',
  ),
  'query.window_too_large': row(400, 'Requested window is too large', false, 'Ask for a smaller time range or fewer rows.'),
  'geo.invalid_shape': row(
    400,
    'Invalid area',
    false,
    'The polygon is not simple, has too few or too many vertices, or a position is out of range.',
  ),
  'auth.ambiguous': row(400, 'Two different credentials', false, 'Send either a bearer token or X-API-Key, not two different ones.'),
  'auth.missing': row(401, 'Authentication failed', false, 'This route needs a credential.'),
  'auth.invalid_token': row(401, 'Authentication failed', false, 'The bearer token is not valid. Sign in again.'),
  'key.invalid': row(401, 'Authentication failed', false, 'The API key is not valid.'),
  'auth.token_expired': row(401, 'Authentication failed', false, 'The session is over its time. Sign in again.'),
  'auth.session_ended': row(401, 'Authentication failed', false, 'The session was ended, here or by an administrator. Sign in again.'),
  'auth.account_inactive': row(401, 'Authentication failed', false, 'The account is switched off; an administrator can switch it on.'),
  'auth.invalid_credentials': row(401, 'Authentication failed', false, 'User name and password do not belong together.'),
  'auth.google_rejected': row(401, 'Authentication failed', false, 'The Google credential was refused: start the sign-in again.'),
  'key.expired': row(401, 'Authentication failed', false, 'The API key is over its date. Create another one.'),
  'key.revoked': row(401, 'Authentication failed', false, 'The API key was deleted, replaced or switched off.'),
  'key.owner_inactive': row(401, 'Authentication failed', false, 'The account that owns the API key is switched off.'),
  'access.session_required': row(403, 'Access denied', false, 'This route is for signed-in members; an API key is not enough.'),
  'access.password_change_required': row(
    403,
    'Access denied',
    false,
    'An administrator chose the password of this account. Choose your own with POST /auth/password first.',
  ),
  'access.admin_required': row(403, 'Access denied', false, 'This route is for administrators who are signed in.'),
  'access.special_required': row(403, 'Access denied', false, 'The owner of this key has no access to the AI and ML routes.'),
  'auth.password_disabled': row(403, 'Sign-in not allowed', false, 'This server does not take passwords; sign in with Google.'),
  'auth.email_unverified': row(403, 'Sign-in not allowed', false, 'The e-mail address of this account is not verified.'),
  'auth.setup_token_required': row(
    403,
    'Sign-in not allowed',
    false,
    'The first administrator must give the setup token that the server printed at its first start.',
  ),
  'auth.not_invited': row(403, 'Sign-in not allowed', false, 'Only accounts that an administrator created may sign in here.'),
  'origin.not_allowed': row(
    403,
    'Origin not allowed',
    false,
    'Pages of this origin may not open the live feed; an administrator can list the origin.',
  ),
  'route.not_found': row(404, 'Endpoint not found', false, 'No such path. The reference is at /docs.'),
  'alert.not_found': row(404, 'Not found', false, 'No alert or event with this id is known (at the asked instant).'),
  'event.not_found': row(404, 'Not found', false, 'No event with this id is known (at the asked instant).'),
  'playback.storm_not_found': row(404, 'Not found', false, 'No test storm with this id among your own.'),
  'user.not_found': row(404, 'Not found', false, 'No user with this id.'),
  'key.not_found': row(404, 'Not found', false, 'No API key with this id among your own.'),
  'session.not_found': row(404, 'Not found', false, 'No session with this id among your own.'),
  'request.method_not_allowed': row(405, 'Method not allowed', false, 'See the Allow header.'),
  'request.not_acceptable': row(406, 'Format not available', false, 'Ask for one of the formats named in `detail`.'),
  'request.timeout': row(408, 'Request timed out', true, 'The request did not arrive completely in time.'),
  'user.username_taken': row(409, 'Already in use', false, 'Another account has this user name.'),
  'user.email_taken': row(409, 'Already in use', false, 'Another account has this e-mail address.'),
  'user.last_admin': row(409, 'Not allowed for this account', false, 'The last active administrator stays; make somebody else one first.'),
  'user.self_forbidden': row(409, 'Not allowed for this account', false, 'Nobody deletes, disables or demotes their own account here.'),
  'key.limit_reached': row(409, 'Key limit reached', false, 'The account has as many keys as it may; delete one.'),
  'idempotency.in_progress': row(409, 'Still being processed', true, 'The first request with this Idempotency-Key is still running.'),
  'feed.cursor_expired': row(
    410,
    'Feed position no longer available',
    false,
    'The position is older than what is kept. Reload the list, then go on from latest_cursor.',
  ),
  'feed.epoch_changed': row(
    410,
    'Feed position no longer available',
    false,
    'The log was rebuilt. Reload the list, then go on from latest_cursor.',
  ),
  'precondition.failed': row(412, 'Changed meanwhile', false, 'Somebody saved another version. Reload, then apply your change again.'),
  'request.too_large': row(413, 'Request too large', false, 'The body is over the limit of this route.'),
  'request.uri_too_long': row(414, 'URL too long', false, 'URLs are limited to 8 KiB; use the POST form for large areas.'),
  'request.unsupported_media': row(415, 'Unsupported media type', false, 'Send application/json without Content-Encoding.'),
  'idempotency.mismatch': row(422, 'Idempotency key reused', false, 'The key was used with another body; use a new key.'),
  'precondition.required': row(428, 'If-Match required', false, 'Send the ETag of the version you changed as If-Match.'),
  'request.headers_too_large': row(431, 'Headers too large', false, 'Headers are limited to 16 KiB.'),
  'user.weak_password': row(400, 'Value not accepted', false, 'The password is too short, too common or the same as the name.'),
  'key.limit_above_account': row(400, 'Value not accepted', false, "A key's limit cannot be above the limit of its account."),
  'settings.unsafe': row(400, 'Value not accepted', false, 'The value lies outside the allowed bounds; `fields` names them.'),
  'settings.unsupported': row(400, 'Value not accepted', false, 'The setting needs something that is not configured; `detail` names it.'),
  'quota.minute_exceeded': row(429, 'Rate limit exceeded', true, 'The allowance of this minute is used up; see Retry-After.'),
  'quota.day_exceeded': row(429, 'Rate limit exceeded', true, 'The allowance of this day (UTC) is used up; see Retry-After.'),
  'quota.month_exceeded': row(429, 'Rate limit exceeded', true, 'The allowance of this month (UTC) is used up; see Retry-After.'),
  'quota.flood': row(429, 'Rate limit exceeded', true, 'Far too many requests from one address; see Retry-After.'),
  'quota.streams': row(429, 'Rate limit exceeded', true, 'Too many live connections at once from one address.'),
  'auth.too_many_attempts': row(429, 'Rate limit exceeded', true, 'Too many sign-in attempts from this address; see Retry-After.'),
  'auth.locked': row(429, 'Rate limit exceeded', true, 'Too many wrong passwords for this account from this address; see Retry-After.'),
  'server.internal': row(500, 'Internal server error', true, 'An error of ours. Give the request_id when you report it.'),
  'data.unavailable': row(
    503,
    'Service temporarily unavailable',
    true,
    'No alert data was ever loaded: nothing can be concluded. This is not "no alerts".',
  ),
  'place.unavailable': row(
    503,
    'Place names are not loaded',
    true,
    'This server has no gazetteer, or it cannot be read: positions cannot be named. Install the optional package, then ask again.',
  ),
  'trends.preparing': row(
    503,
    'Service temporarily unavailable',
    true,
    'The record is still being counted for statistics; ask again after Retry-After. No number is guessed meanwhile.',
  ),
  'server.overloaded': row(503, 'Service temporarily unavailable', true, 'Too busy; see Retry-After.'),
  'server.timeout': row(503, 'Service temporarily unavailable', true, 'The answer took longer than 10 s.'),
  'server.shutting_down': row(503, 'Service temporarily unavailable', true, 'This process is stopping; try again at once.'),
  'server.database_unavailable': row(
    503,
    'Service temporarily unavailable',
    true,
    'The database cannot be reached; current alerts stay readable.',
  ),
  'server.disk_full': row(503, 'Service temporarily unavailable', true, 'No room to write; current alerts stay readable.'),
  'auth.provider_unavailable': row(
    503,
    'Service temporarily unavailable',
    true,
    'The keys of the identity provider cannot be fetched; nothing is wrong with your account.',
  ),
  'feed.busy': row(503, 'Service temporarily unavailable', true, 'Too many long polls at once.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

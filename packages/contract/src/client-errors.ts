import Type, { type Static } from 'typebox';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

export const CLIENT_ERROR_KINDS = ['unhandled_rejection', 'script', 'framework', 'boundary'] as const;

/** One error of a page, or several of the same. The server removes tokens, queries, places and addresses of people once more. */
export const ClientError = Type.Object(
  {
    kind: oneOf(CLIENT_ERROR_KINDS),
    message: Type.String({ maxLength: 500 }),
    stack: Type.Optional(Type.String({ maxLength: 4000 })),
    page: Type.String({ maxLength: 200, description: 'Route template of the page, without query' }),
    at: Type.String({ format: 'date-time', maxLength: 40 }),
    count: Type.Integer({ minimum: 1, maximum: 100_000 }),
  },
  { additionalProperties: false },
);
export const ClientErrorReport = Type.Object(
  {
    errors: Type.Array(ClientError, { minItems: 1, maxItems: 10 }),
    app_version: Type.String({ maxLength: 64 }),
    session_hint: Type.Optional(Type.String({ maxLength: 64, description: 'Random text of the page, to tell one page from many' })),
  },
  { additionalProperties: false },
);
export type ClientErrorReport = Static<typeof ClientErrorReport>;

export const reportClientErrors = route({
  method: 'POST',
  path: '/client-errors',
  access: 'open',
  area: 'client-errors',
  operation: 'reportClientErrors',
  summary: 'Report errors of a page; 6 reports per minute and address',
  body: ClientErrorReport,
  reply: Type.Object({ accepted: Type.Integer() }),
  replyStatus: 202,
  errors: ['quota.flood'],
});

/** Errors of the same fingerprint (kind, message, page, first frame), counted. */
export const ClientErrorGroup = Type.Object({
  fingerprint: Type.String(),
  kind: oneOf(CLIENT_ERROR_KINDS),
  message: Type.String(),
  stack: orNull(Type.String()),
  page: Type.String(),
  app_version: Type.String({ description: 'Of the newest report' }),
  count: Type.Integer(),
  first_at: Ts,
  last_at: Ts,
});
export const ClientErrorList = Type.Object({
  errors: Type.Array(ClientErrorGroup),
  next_cursor: orNull(Type.String()),
});
export type ClientErrorList = Static<typeof ClientErrorList>;
export const listClientErrors = route({
  method: 'GET',
  path: '/auth/admin/client-errors',
  access: 'admin',
  area: 'client-errors',
  operation: 'listClientErrors',
  summary: 'Errors of pages, newest first; kept for 30 days',
  query: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 256, description: 'next_cursor of the previous page' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50' })),
  }),
  reply: ClientErrorList,
  errors: ['query.cursor_invalid', 'auth.missing', 'access.admin_required'],
});

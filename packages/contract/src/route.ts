import type { Static, TObject, TSchema } from 'typebox';
import type { CostRule, DearerCall } from '@nwms/domain';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call a route. A route without a level does not start.
 * open: no credential is read. public: anonymous by address, key or session. The rest need a credential; see docs/access.md.
 */
export type Access = 'open' | 'public' | 'key-or-session' | 'member' | 'special' | 'admin';

export interface RouteSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `{name}` for path parameters; or from the root when `root` is true. */
  path: string;
  /** Also (or only) served at the server's root: `also` = both, `only` = root alone. */
  root?: 'also' | 'only';
  access: Access;
  /** Answers members who must choose another password first too (`access.password_change_required` elsewhere). */
  beforePasswordChange?: true;
  /** Quota units one call costs; 1 unless said, 0 on open routes. */
  cost?: number;
  /** Calls of this route that cost more, told by their address. */
  dearer?: readonly DearerCall[];
  /** `tiles`: counts in the allowance of map tiles alone. `stream`: the live feed charges it, at its start and while it is open. */
  allowance?: 'tiles' | 'stream';
  /** A POST that changes nothing; GETs never do. */
  readOnly?: true;
  /** Product area: the slice of the same name serves it. */
  area: string;
  /** camelCase, unique: OpenAPI operationId and SDK method. */
  operation: string;
  summary: string;
  description?: string;
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /**
   * `handler`: the body's schema is documentation and the handler checks every member itself, because order and texts of the refusals are
   * part of the contract. The handler must then treat the body as unknown JSON.
   */
  bodyCheckedBy?: 'handler';
  /** Schema of the 200/201/202 JSON body. Absent for bodies that are not JSON. */
  reply?: TSchema;
  replyStatus?: number;
  /** Other media types this route can answer with (`format=`, Accept). */
  formats?: readonly string[];
  /** Codes this route can answer with besides the general ones. */
  errors?: readonly ErrorCode[];
  /** Largest accepted body in bytes; 64 KiB unless said. */
  bodyLimitBytes?: number;
}

/** Declares a route once for server, browser, SDK, OpenAPI and tests. */
export function route<const R extends RouteSpec>(spec: R): R {
  return spec;
}

/** Who is turned away first when there is more to do than can be done (D1): in this order. `health` never is. */
export const PRIORITIES = ['ai', 'analytics', 'history', 'tiles', 'rest', 'alerts', 'health'] as const;
export type Priority = (typeof PRIORITIES)[number];

const AREA_PRIORITIES: Readonly<Record<string, Priority>> = {
  ai: 'ai',
  ml: 'ai',
  usage: 'analytics',
  playback: 'history',
  trends: 'history',
  alerts: 'alerts',
  live: 'alerts',
  health: 'health',
};

/** Reads of active alerts and the ticker come last; questions about the past are history, whichever route answers them. */
export function priorityOf(spec: RouteSpec, reservedUnits = spec.cost ?? 1): Priority {
  if (spec.allowance === 'tiles') return 'tiles';
  const priority = AREA_PRIORITIES[spec.area] ?? 'rest';
  return priority === 'alerts' && reservedUnits > 1 ? 'history' : priority;
}

/** What calls of a route cost, in units of `docs/quotas.md`. */
export function costRuleOf(spec: RouteSpec): CostRule {
  if (spec.access === 'open' || spec.allowance !== undefined) return { units: 0 };
  return { units: spec.cost ?? 1, ...(spec.dearer ? { dearer: spec.dearer } : {}) };
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
export type QueryOf<R extends RouteSpec> = StaticOr<R['query'], Record<string, never>>;
export type ParamsOf<R extends RouteSpec> = StaticOr<R['params'], Record<string, never>>;
export type BodyOf<R extends RouteSpec> = StaticOr<R['body'], undefined>;
export type ReplyOf<R extends RouteSpec> = StaticOr<R['reply'], unknown>;

import type { BodyOf, Freshness, ParamsOf, QueryOf, ReplyOf, RouteSpec } from '@nwms/contract';
import { EtagCache } from '@nwms/client/etag-cache';
import { ApiError, canRetry, type Client, errorOf, flagged, notUnderstood, timedOut, unreachable } from './errors.ts';
import { TIMEOUT_SECONDS } from './intervals.ts';
import type { Line } from './line.ts';
import { type RetryBudget, retryDelayMs } from './retry.ts';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Answer<T> {
  /** Null only on 304: what the caller holds is still right. */
  body: T | null;
  etag: string | null;
  /** Exact at the time of the answer, on 200 and 304 alike: the object in a stored body may be older. */
  freshness: Pick<Freshness, 'status' | 'reason' | 'data_as_of' | 'upstream_age_seconds'> | null;
}

export interface GetOptions {
  query?: Readonly<Record<string, QueryValue>>;
  etag?: string | null;
  signal?: AbortSignal | undefined;
}

/** What a call of this route needs and may have; members the route does not have cannot be given. */
export type CallInput<R extends RouteSpec> = (R['params'] extends object ? { params: ParamsOf<R> } : { params?: never }) &
  (R['query'] extends object ? { query?: QueryOf<R> } : { query?: never }) &
  (R['body'] extends object ? { body: BodyOf<R> } : { body?: never }) & {
    signal?: AbortSignal | undefined;
    /** ETag of the version that was changed: `"v7"`. */
    ifMatch?: string | undefined;
    /** Makes a repeated POST one effect; made by the call itself unless given. */
    idempotencyKey?: string | undefined;
    /** How patient: 15 s, 30 s for members' screens, 60 s for ML and AI. */
    client?: Client;
    /** Sends no credential and does not end the session on 401: signing in, open routes. */
    anonymous?: boolean;
    /** Never repeated, for what is spent by the first try (a sign-in credential). */
    once?: boolean;
  };

/** Typed calls of `/api/v1`. */
export interface Api {
  /**
   * One call of a contract route. GETs keep the last answer per URL and user, so that an unchanged one costs a 304; changes are repeated once
   * unless refused. @throws ApiError for every failure, also for an answer that calls itself one.
   */
  call<R extends RouteSpec>(route: Line<R>, input: CallInput<R>): Promise<ReplyOf<R>>;
  /** For callers that keep body and validator themselves. @throws ApiError for every answer but 200 and 304, and for no answer. */
  get<T>(path: string, options?: GetOptions): Promise<Answer<T>>;
  /** The answer as a file (CSV export), with the caller's credential. @throws ApiError */
  file(path: string, query?: GetOptions['query'], signal?: AbortSignal): Promise<Blob>;
  url(path: string, query?: object): string;
  /** Drops every kept answer; at the end of a session. */
  forget(): void;
}

export interface ApiDeps {
  fetch: typeof fetch;
  baseUrl: string;
  /** Session token of the moment. */
  token: () => string | null;
  /** Told of a 401 to a call that was sent with this token. */
  onRefused: (token: string, error: ApiError) => void;
  budget: RetryBudget;
  random: () => number;
  wait: (ms: number) => Promise<void>;
  newKey: () => string;
}

/** 401s that judge what was typed into a form, not the session. */
const NOT_THE_SESSION = new Set(['auth.invalid_credentials', 'auth.google_rejected']);
const KEPT_ANSWERS = 64;

interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal | undefined;
  client: Client;
}

export function createApi(deps: ApiDeps): Api {
  let generation = 0;
  let answers = new EtagCache(KEPT_ANSWERS);

  const url: Api['url'] = (path, query = {}) => `${deps.baseUrl}/api/v1${path}${queryText(query)}`;

  /** Sends with the credential; any answer but a success or a 304 is thrown. */
  const exchange = async (sending: Sending, anonymous: boolean): Promise<Response> => {
    const token = anonymous ? null : deps.token();
    const headers = token ? { ...sending.headers, Authorization: `Bearer ${token}` } : sending.headers;
    const response = await send(deps.fetch, { ...sending, headers });
    if (response.ok || response.status === 304) return response;
    const error = await errorOf(response);
    if (token && error.status === 401 && !NOT_THE_SESSION.has(error.code)) deps.onRefused(token, error);
    throw error;
  };

  const read = async <R extends RouteSpec>(address: string, input: CallInput<R>): Promise<ReplyOf<R>> => {
    const place = `${input.anonymous ? '' : (deps.token() ?? '')} ${address}`;
    const known = answers.get(place);
    const began = generation;
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (known) headers['If-None-Match'] = known.etag;
    const sending = { method: 'GET', url: address, headers, signal: input.signal, client: input.client ?? 'standard' };
    const response = await exchange(sending, input.anonymous ?? false);
    const freshness = freshnessOf(response.headers);
    if (response.status === 304 && known) return renewed(known.value, freshness) as ReplyOf<R>;
    const body = await bodyOf(response, sending.client);
    const etag = response.headers.get('ETag');
    if (etag && began === generation) answers.set(place, { etag, value: body });
    return renewed(body, freshness) as ReplyOf<R>;
  };

  const change = async <R extends RouteSpec>(method: string, address: string, input: CallInput<R>): Promise<ReplyOf<R>> => {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (input.body !== undefined) headers['Content-Type'] = 'application/json';
    if (input.ifMatch) headers['If-Match'] = input.ifMatch;
    if (method === 'POST') headers['Idempotency-Key'] = input.idempotencyKey ?? deps.newKey();
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const sending = { method, url: address, headers, body, signal: input.signal, client: input.client ?? 'standard' };
    try {
      return (await bodyOf(await exchange(sending, input.anonymous ?? false), sending.client)) as ReplyOf<R>;
    } catch (error) {
      // NET-09: once more unless refused. A refusal for the moment (429) is for people to repeat.
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (input.once || refused || !canRetry(error) || !deps.budget.take()) throw error;
      await deps.wait(retryDelayMs(0, error, deps.random));
      if (input.signal?.aborted) throw error;
      return (await bodyOf(await exchange(sending, input.anonymous ?? false), sending.client)) as ReplyOf<R>;
    }
  };

  return {
    url,
    call(route, input) {
      const address = url(pathText(route.path, input.params as Record<string, unknown> | undefined), input.query as object | undefined);
      return route.method === 'GET' ? read(address, input) : change(route.method, address, input);
    },
    async get<T>(path: string, options: GetOptions = {}) {
      const headers: Record<string, string> = { Accept: 'application/json' };
      if (options.etag) headers['If-None-Match'] = options.etag;
      const sending = { method: 'GET', url: url(path, options.query), headers, signal: options.signal, client: 'standard' } as const;
      const response = await exchange(sending, false);
      const freshness = freshnessOf(response.headers);
      if (response.status === 304) return { body: null, etag: options.etag ?? null, freshness };
      return { body: (await bodyOf(response, 'standard')) as T, etag: response.headers.get('ETag'), freshness };
    },
    async file(path, query, signal) {
      const sending = { method: 'GET', url: url(path, query), headers: {}, signal, client: 'ml' } as const;
      return (await exchange(sending, false)).blob();
    },
    forget() {
      generation += 1;
      answers = new EtagCache(KEPT_ANSWERS);
    },
  };
}

/** Lists are joined by commas; undefined, null and empty lists are left out, and a `limit` of 0 too (NET-14). */
export function queryText(query: object): string {
  const parts = Object.entries(query as Record<string, unknown>).flatMap(([name, value]) => {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (name === 'limit' && value === 0) return [];
    return [`${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`];
  });
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

const pathText = (path: string, params: Record<string, unknown> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name] ?? '')));

async function send(fetchFn: typeof fetch, sending: Sending): Promise<Response> {
  const { url, method, headers, body, signal, client } = sending;
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS[client] * 1000);
  try {
    const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
    return await fetchFn(url, { method, headers, signal: both, ...(body === undefined ? {} : { body }) });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw timeout.aborted ? timedOut(client, cause) : unreachable(cause);
  }
}

/** Undefined for an answer without content. @throws ApiError for what is not JSON, and for a success that calls itself a failure (ERR-12). */
async function bodyOf(response: Response, client: Client): Promise<unknown> {
  if (response.status === 204 || response.status === 205) return undefined;
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    if (cause instanceof SyntaxError) throw notUnderstood(response.status, cause);
    const name = cause instanceof DOMException ? cause.name : '';
    if (name === 'AbortError') throw cause;
    throw name === 'TimeoutError' ? timedOut(client, cause) : unreachable(cause);
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    const { error, fallback } = body as { error?: unknown; fallback?: unknown };
    if (fallback === true || (error !== undefined && error !== null && error !== false)) {
      throw flagged(response.status, body as { error?: unknown });
    }
  }
  return body;
}

/** A kept body says how fresh it was then; the headers say how fresh it is now. */
function renewed(body: unknown, headers: Answer<unknown>['freshness']): unknown {
  if (!headers || typeof body !== 'object' || body === null || !('freshness' in body)) return body;
  return { ...body, freshness: { ...(body.freshness as object), ...headers } };
}

function freshnessOf(headers: Headers): Answer<unknown>['freshness'] {
  const status = headers.get('NWMS-Data-Status') as Freshness['status'] | null;
  if (!status) return null;
  const age = headers.get('NWMS-Data-Age');
  return {
    status,
    reason: (headers.get('NWMS-Data-Reason') || null) as Freshness['reason'],
    data_as_of: headers.get('NWMS-Data-As-Of') || null,
    upstream_age_seconds: age ? Number(age) : null,
  };
}

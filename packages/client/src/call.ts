import type { Freshness } from '@nwms/contract';
import { ApiError, errorOf } from './errors.ts';
import { EtagCache } from './etag-cache.ts';

/** The part of `fetch` that is used; the global one fits. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<Response>;

export interface CallerOptions {
  /** Origin of the service, e.g. `https://alerts.example.org`; empty in a page of the service itself. */
  baseUrl: string;
  fetch?: Fetch;
  /** API key or session token, sent as a bearer token; a function is asked before every call. */
  credential?: string | (() => string | null) | null;
  /** Default 15,000. Long-polls get what they wait for on top. */
  timeoutMs?: number;
  /** How many answers are kept for conditional requests; default 64, 0 turns it off. */
  keptAnswers?: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Called once with what is not in the body, before the call resolves; not when it fails. */
  onAnswer?: (about: AnswerFacts) => void;
}

/** What the answer's head says. */
export interface AnswerFacts {
  /** 200, or 304 when the server confirmed the answer that was kept. */
  status: number;
  /** True: nothing changed but the freshness since the last call with this question. */
  notModified: boolean;
  /** Validator of the content; null where there is none. */
  etag: string | null;
  /** To name this answer to the operator. */
  requestId: string | null;
}

export interface CallInput {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
  extraTimeoutMs?: number;
}

export type Call = (route: { method: string; path: string }, input?: CallInput, options?: CallOptions) => Promise<unknown>;

/** Lists become repeated parameters; undefined, null and empty text are left out. */
export function queryText(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

const pathText = (path: string, params: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));

/** One function for every call: credential, timeout, validator, and one kind of error. */
export function createCaller(options: CallerOptions): Call {
  const { baseUrl, credential = null, timeoutMs = 15_000, keptAnswers = 64 } = options;
  const send: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const kept = new EtagCache(keptAnswers);
  const base = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  return async (route, input = {}, { signal, onAnswer } = {}) => {
    const url = `${base}/api/v1${pathText(route.path, input.params)}${queryText(input.query)}`;
    const token = typeof credential === 'function' ? credential() : credential;
    const cacheKey = `${token ?? ''} ${url}`;
    const known = route.method === 'GET' ? kept.get(cacheKey) : undefined;
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (token) headers['Authorization'] = `Bearer ${token}`;
    if (known) headers['If-None-Match'] = known.etag;
    if (input.body !== undefined) headers['Content-Type'] = 'application/json';
    const timeout = AbortSignal.timeout(timeoutMs + (input.extraTimeoutMs ?? 0));
    const init = {
      method: route.method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    };
    const { response, body } = await exchange(() => send(url, init), timeout, signal);
    if (response.status === 304 && known) {
      onAnswer?.({ ...factsOf(response, true), etag: known.etag });
      return withFreshness(known.value, response.headers);
    }
    if (!response.ok) throw errorOf(response.status, body, response.headers.get('Retry-After'));
    if (typeof body !== 'object' || body === null) throw badReply(response.status);
    const etag = response.headers.get('ETag');
    if (etag && route.method === 'GET') kept.set(cacheKey, { etag, value: body });
    onAnswer?.(factsOf(response, false));
    return withFreshness(body, response.headers);
  };
}

const factsOf = ({ status, headers }: Response, notModified: boolean): AnswerFacts => ({
  status,
  notModified,
  etag: headers.get('ETag'),
  requestId: headers.get('X-Request-ID'),
});

const badReply = (status: number) =>
  new ApiError({
    status,
    code: 'client.bad_reply',
    message: 'Unexpected answer',
    detail: 'The answer is not from this service: a sign-in page of the network, perhaps.',
  });

/** Sends and reads the whole answer within the deadline; undefined body: it is not JSON. */
async function exchange(
  send: () => Promise<Response>,
  timeout: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<{ response: Response; body: unknown }> {
  try {
    const response = await send();
    if (response.status === 304 || response.status === 204) return { response, body: undefined };
    const isJson = /^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('Content-Type') ?? '');
    const text = await response.text();
    return { response, body: isJson ? parse(text) : undefined };
  } catch (cause) {
    if (signal?.aborted)
      throw new ApiError({ status: 0, code: 'client.aborted', message: 'Called off', detail: 'The call was called off.', cause });
    if (timeout.aborted)
      throw new ApiError({
        status: 0,
        code: 'client.timeout',
        message: 'No answer in time',
        detail: 'The server did not answer in time. Try again.',
        cause,
      });
    throw new ApiError({
      status: 0,
      code: 'client.network',
      message: 'No connection',
      detail: 'The server cannot be reached. Check the connection.',
      cause,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The headers tell the age of the data exactly; a body kept from before says how fresh it was then. Without this an empty list could go on
 * saying "none" while the server no longer knows.
 */
function withFreshness(value: unknown, headers: Headers): unknown {
  const status = headers.get('NWMS-Data-Status');
  const body = value as { freshness?: Freshness };
  if (status === null || typeof body !== 'object' || body === null || !body.freshness) return value;
  const age = headers.get('NWMS-Data-Age');
  const freshness: Freshness = {
    ...body.freshness,
    status: status as Freshness['status'],
    reason: (headers.get('NWMS-Data-Reason') || null) as Freshness['reason'],
    data_as_of: headers.get('NWMS-Data-As-Of') || body.freshness.data_as_of,
    upstream_age_seconds: age === null || age === '' ? body.freshness.upstream_age_seconds : Number(age),
  };
  return { ...body, freshness };
}

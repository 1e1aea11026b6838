import { hash } from 'node:crypto';
import type { Clock } from './clock.ts';
import { readBounded } from './outbound-body.ts';
import { type KnownList, parseListJson } from './json-list.ts';
import { type ResponseFacts, responseFacts, retryAfterSeconds } from './outbound-headers.ts';
import { parseSafeJson } from './safe-json.ts';

export type { ResponseFacts } from './outbound-headers.ts';
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** How one request ended. Every failure is a value: callers decide, nothing is thrown. */
export type OutboundResult =
  | { kind: 'ok'; status: number; json: unknown; bytes: number; digest: string; prunedParts: number; facts: ResponseFacts }
  | { kind: 'not_modified'; facts: ResponseFacts }
  /** `blocked`: the body is not the API's own (403 HTML of a CDN, trap 35). */
  | { kind: 'http_error'; status: number; blocked: boolean; retryAfterSeconds: number | null; facts: ResponseFacts }
  | { kind: 'not_json' | 'bad_json' | 'too_deep' | 'poisoned' | 'too_large' | 'redirect_refused'; detail: string; facts: ResponseFacts }
  /** No answer, or one that broke off: `reset` covers refused connections, resets and cut compressed bodies. */
  | { kind: 'timeout' | 'reset' | 'aborted' | 'target_refused'; detail: string };

export interface OutboundOptions {
  /** The only origin this client talks to, e.g. https://api.weather.gov. */
  origin: string;
  /** Product and contact; api.weather.gov answers 403 without one (trap 34). */
  userAgent: string;
  /** Pinned: another Accept is another, possibly stale, cached copy (trap 37). */
  accept: string;
  /** Over everything including the last byte of the body. */
  deadlineMs?: number;
  /** After decompression. */
  maxBytes?: number;
}

export interface OutboundRequest {
  /** Path with query, beginning with one slash. */
  path: string;
  etag?: string | null;
  /** As the server wrote it: an HTTP-date (trap 37). */
  lastModified?: string | null;
  /** `digest` of an earlier answer: the same bytes again are told as not_modified, without being parsed. */
  sameAs?: string | null;
  /** A list whose elements come as `ListItem`s, those known not parsed again (see `parseListJson`). */
  list?: KnownList;
  signal?: AbortSignal;
}

export interface Outbound {
  readonly origin: string;
  getJson(request: OutboundRequest): Promise<OutboundResult>;
}

const DEADLINE_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** One bad part must not cost the rest of the answer (A6). */
const TOLERANT = { deep: 'prune', poison: 'remove' } as const;

/** A bounded, polite HTTP client for one origin (A7). */
export function createOutbound(deps: { fetch: FetchFunction; clock: Clock }, options: OutboundOptions): Outbound {
  const origin = new URL(options.origin).origin;
  const exchangeDeps = { ...deps, lists: createLastList() };
  return {
    origin,
    async getJson(request) {
      const abort = new AbortController();
      let timedOut = false;
      const cancelDeadline = deps.clock.after(options.deadlineMs ?? DEADLINE_MS, () => {
        timedOut = true;
        abort.abort();
      });
      const forward = () => abort.abort();
      request.signal?.addEventListener('abort', forward, { once: true });
      if (request.signal?.aborted) abort.abort();
      try {
        return await exchange(exchangeDeps, { ...options, origin }, request, abort.signal);
      } catch (error) {
        const detail = describe(error);
        if (timedOut) return { kind: 'timeout', detail };
        return { kind: request.signal?.aborted ? 'aborted' : 'reset', detail };
      } finally {
        cancelDeadline();
        request.signal?.removeEventListener('abort', forward);
        // Frees the sockets of answers that were not read to their end; without effect after a complete one.
        abort.abort();
      }
    },
  };
}

/** The list that came last, byte for byte: most polls bring it again, and comparing costs a tenth of hashing. */
interface LastList {
  is(digest: string | null | undefined, body: Buffer): boolean;
  keep(digest: string, body: Buffer): void;
}

function createLastList(): LastList {
  let last: { digest: string; body: Buffer } | null = null;
  return {
    is: (digest, body) => last !== null && last.digest === digest && last.body.equals(body),
    keep: (digest, body) => void (last = { digest, body }),
  };
}

interface ExchangeDeps {
  fetch: FetchFunction;
  clock: Clock;
  lists: LastList;
}

async function exchange(
  deps: ExchangeDeps,
  options: OutboundOptions,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResult> {
  let target = sameOriginUrl(request.path, options.origin);
  for (let hop = 0; hop <= MAX_REDIRECTS && target; hop++) {
    const response = await deps.fetch(target, { headers: requestHeaders(options, request), redirect: 'manual', signal });
    const facts = responseFacts(response.headers);
    if (!isRedirect(response.status)) return readAnswer(response, facts, options, request, deps);
    target = sameOriginUrl(response.headers.get('location') ?? '', options.origin, target);
    if (!target) return { kind: 'redirect_refused', detail: 'redirect to another origin', facts };
    if (hop === MAX_REDIRECTS) return { kind: 'redirect_refused', detail: `more than ${MAX_REDIRECTS} redirects`, facts };
  }
  return { kind: 'target_refused', detail: 'not a path of the configured origin' };
}

/** Absolute URL if it stays on the origin and carries no credentials, else null. */
function sameOriginUrl(reference: string, origin: string, base = origin): string | null {
  const url = URL.parse(reference, base);
  return url && url.origin === origin && !url.username && !url.password ? url.href : null;
}

const isRedirect = (status: number) => status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

function requestHeaders(options: OutboundOptions, request: OutboundRequest): Record<string, string> {
  return {
    'user-agent': options.userAgent,
    accept: options.accept,
    'accept-encoding': 'gzip',
    ...(request.etag ? { 'if-none-match': request.etag } : {}),
    ...(request.lastModified ? { 'if-modified-since': request.lastModified } : {}),
  };
}

async function readAnswer(
  response: Response,
  facts: ResponseFacts,
  options: OutboundOptions,
  request: OutboundRequest,
  { clock, lists }: ExchangeDeps,
): Promise<OutboundResult> {
  const isJson = /^application\/(?:[a-z.+-]{1,60}\+)?json\s*(?:;|$)/i.test((response.headers.get('content-type') ?? '').slice(0, 200));
  if (response.status === 304) return { kind: 'not_modified', facts };
  if (response.status !== 200) {
    const correlationId = facts.correlationId ?? (isJson ? await correlationIdOf(response) : null);
    const retryAfter = retryAfterSeconds(response.headers, clock.now());
    return {
      kind: 'http_error',
      status: response.status,
      blocked: !isJson,
      retryAfterSeconds: retryAfter,
      facts: { ...facts, correlationId },
    };
  }
  if (!isJson) return { kind: 'not_json', detail: (response.headers.get('content-type') ?? 'no content type').slice(0, 80), facts };
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const body = await readBounded(response, maxBytes);
  if (!body) return { kind: 'too_large', detail: `more than ${maxBytes} bytes`, facts };
  if (lists.is(request.sameAs, body)) return { kind: 'not_modified', facts };
  // A list is named by its elements, which are told apart anyway: hashing all of it once more would cost as much again.
  const ofList = request.list && parseListJson(body, TOLERANT, request.list);
  const digest = ofList?.digest ?? hash('sha256', body, 'base64url');
  if (digest === request.sameAs) return { kind: 'not_modified', facts };
  const parsed = ofList ?? parseSafeJson(body, TOLERANT);
  if (!parsed.ok) return { kind: parsed.reason, detail: parsed.detail, facts };
  if (request.list) lists.keep(digest, body);
  return { kind: 'ok', status: 200, json: parsed.value, bytes: body.length, digest, prunedParts: parsed.prunedParts, facts };
}

/** Problem bodies carry the id too; a body that cannot be read costs nothing but the id. */
async function correlationIdOf(response: Response): Promise<string | null> {
  const body = await readBounded(response, 16_384).catch(() => null);
  const parsed = body ? parseSafeJson(body) : null;
  const id =
    parsed?.ok && parsed.value !== null && typeof parsed.value === 'object' && 'correlationId' in parsed.value
      ? parsed.value.correlationId
      : null;
  return typeof id === 'string' ? id.slice(0, 64) : null;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  const cause = error.cause instanceof Error ? `: ${(error.cause as Error & { code?: string }).code ?? error.cause.message}` : '';
  return `${error.message}${cause}`.slice(0, 200);
}

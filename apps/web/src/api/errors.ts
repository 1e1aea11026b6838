import type { FieldFault, Problem } from '@nwms/contract';

/** Which patience a call has: R-07. `ml` is for ML and AI, `feature` for the members' screens, `standard` for the rest. */
export type Client = 'standard' | 'feature' | 'ml';

/** What callers get to see of a failure that says nothing about the data (ERR-11). Screens show "unknown" for it, never zero. */
export interface FallbackResult {
  error: string;
  data: null;
  fallback: true;
}

export interface ApiErrorInput {
  code: string;
  status: number;
  message: string;
  detail?: string | null;
  fields?: readonly FieldFault[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  fallback?: boolean;
  cause?: unknown;
}

/** A refusal or failure of the API, or of the way to it. */
export class ApiError extends Error {
  /** Stable code of the contract, or `network.unreachable`, `network.timeout`, `network.not_json`, `answer.flagged`. */
  readonly code: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The server's own sentence about this case, safe to show; null when it said nothing. */
  readonly detail: string | null;
  /** What was wrong with each value of a form, in the form's order. */
  readonly fields: readonly FieldFault[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** ERR-11: nothing can be concluded from this failure; it is not an answer about the data. */
  readonly fallback: boolean;

  constructor(given: ApiErrorInput) {
    super(given.message, { cause: given.cause });
    this.name = 'ApiError';
    this.code = given.code;
    this.status = given.status;
    this.detail = given.detail ?? null;
    this.fields = given.fields ?? [];
    this.requestId = given.requestId ?? null;
    this.retryAfterSeconds = given.retryAfterSeconds ?? null;
    this.fallback = given.fallback ?? false;
  }

  /** The result callers of a tolerant screen keep instead of an answer; null for refusals, which are thrown on. */
  get result(): FallbackResult | null {
    return this.fallback ? { error: this.message, data: null, fallback: true } : null;
  }
}

export const unreachable = (cause: unknown): ApiError =>
  new ApiError({ code: 'network.unreachable', status: 0, message: 'Network error - API server unavailable', fallback: true, cause });

export const timedOut = (client: Client, cause: unknown): ApiError =>
  new ApiError({
    code: 'network.timeout',
    status: 0,
    message:
      client === 'ml' ? 'ML operation timed out - this is normal for complex predictions' : 'Request timed out - server may be overloaded',
    fallback: true,
    cause,
  });

export const notUnderstood = (status: number, cause: unknown): ApiError =>
  new ApiError({ code: 'network.not_json', status, message: 'The answer was not understood.', fallback: true, cause });

/** ERR-12: a success that says of itself that it is none. */
export const flagged = (status: number, body: { error?: unknown }): ApiError => {
  const said = typeof body.error === 'string' && body.error !== '' ? body.error : null;
  return new ApiError({ code: 'answer.flagged', status, message: said ?? 'An unexpected error occurred', detail: said, fallback: true });
};

/** The error of an answer that is not a success, whatever its body is. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = ((await response.json().catch(() => null)) ?? {}) as Partial<Problem>;
  const { status } = response;
  const said = text(body.detail) ?? text(body.message);
  const general = generalMessage(status);
  return new ApiError({
    code: text(body.error) ?? `http.${status}`,
    status,
    message: general ?? said ?? `The server answered ${status}.`,
    detail: said,
    fields: Array.isArray(body.fields) ? (body.fields as FieldFault[]) : [],
    requestId: text(body.request_id) ?? response.headers.get('X-Request-Id'),
    retryAfterSeconds: body.retry_after_seconds ?? retryAfterSeconds(response.headers.get('Retry-After'), Date.now()),
    fallback: general !== null,
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** ERR-09. Null: the server's own words count (ERR-10). */
export function generalMessage(status: number): string | null {
  if (status === 404) return 'Endpoint not found';
  if (status === 429) return 'Too many requests - please wait a moment';
  return status >= 500 ? 'Server error - please try again later' : null;
}

/** Seconds or an HTTP date; null when the header is absent or is neither. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

const SENTENCES: Record<string, string> = {
  'network.unreachable': 'The server cannot be reached.',
  'network.timeout': 'The server did not answer in time.',
  'network.not_json': 'The answer was not understood.',
  'data.unavailable': 'No alert data has been loaded yet.',
};

/** One sentence for people: what the server said of this case, else what kind of failure it is. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return SENTENCES[error.code] ?? error.detail ?? error.message;
  return 'Something went wrong in this page.';
}

/** The server's `detail`, else the error's message, else `otherwise`: the rule of forms and of the sign-in (AUTH-05). */
export function detailOf(error: unknown, otherwise: string): string {
  if (error instanceof ApiError) return error.detail ?? (error.message || otherwise);
  return error instanceof Error && error.message ? error.message : otherwise;
}

/** Whether trying the same again can help: no answer, too busy, or the server's own fault. */
export function canRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500);
}

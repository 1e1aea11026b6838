import type { ErrorCode, FieldFault } from '@nwms/contract';

/** What went wrong before a server could say anything: no connection, no answer in time, called off, or an answer that is not this API's. */
export type LocalCode = 'client.network' | 'client.timeout' | 'client.aborted' | 'client.bad_reply';

export interface ApiErrorInput {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Stable code; codes unknown to this version are passed through. */
  code: ErrorCode | LocalCode | (string & {});
  /** Fixed title of the code. */
  message: string;
  /** What was wrong here and what to do; safe to show. */
  detail: string;
  requestId?: string | null;
  fields?: readonly FieldFault[];
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** Every failed call ends as one of these. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;

  constructor(input: ApiErrorInput) {
    super(input.message, { cause: input.cause });
    this.name = 'ApiError';
    this.status = input.status;
    this.code = input.code;
    this.detail = input.detail;
    this.requestId = input.requestId ?? null;
    this.fields = input.fields ?? [];
    this.retryAfterSeconds = input.retryAfterSeconds ?? null;
  }

  /** Can the same call succeed later without a change? False for what the caller did wrong. */
  get retryable(): boolean {
    if (this.code === 'client.aborted') return false;
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500 || this.code === 'client.bad_reply';
  }
}

/** Reads the API's error body; anything else that came with a failing status is described by the status alone. */
export function errorOf(status: number, body: unknown, retryAfter: string | null): ApiError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) => (typeof problem[name] === 'string' ? problem[name] : null);
  const seconds = Number(problem['retry_after_seconds'] ?? retryAfter ?? Number.NaN);
  return new ApiError({
    status,
    code: text('error') ?? `http.${status}`,
    message: text('message') ?? `HTTP ${status}`,
    detail: text('detail') ?? text('message') ?? `The server answered with status ${status}.`,
    requestId: text('request_id'),
    fields: Array.isArray(problem['fields']) ? (problem['fields'] as FieldFault[]) : [],
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}

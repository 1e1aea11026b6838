import type { ErrorCode, FieldFault } from '@nwms/contract';

/** An expected refusal: `public` goes to the caller as `detail`, `internal` to the log with the request id. Codes and statuses: contract errors table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly internal: string | undefined;
  readonly fields: FieldFault[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Further members of the problem body, e.g. oldest_cursor. */
  readonly members: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    options: {
      public: string;
      internal?: string;
      fields?: FieldFault[];
      retryAfterSeconds?: number;
      members?: Record<string, unknown>;
      cause?: unknown;
    },
  ) {
    super(`${code}: ${options.internal ?? options.public}`, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.public;
    this.internal = options.internal;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members;
  }
}

/** States that cannot be: a violation is a defect and answers 500. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`);
}

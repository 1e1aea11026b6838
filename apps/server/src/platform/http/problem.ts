import { ERRORS, type ErrorCode, type FieldFault } from '@nwms/contract';

export interface ProblemInput {
  code: ErrorCode;
  detail: string;
  requestId: string;
  at: number;
  fields?: FieldFault[] | undefined;
  retryAfterSeconds?: number | undefined;
  members?: Record<string, unknown> | undefined;
}

/** RFC 9457 types that are registered by name; ours are entries of the reference. */
function typeOf(code: ErrorCode): string {
  if (code === 'server.overloaded') return 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity';
  if (code === 'quota.flood') return 'https://iana.org/assignments/http-problem-types#abnormal-usage-detected';
  if (code.startsWith('quota.') && code.endsWith('_exceeded')) return 'https://iana.org/assignments/http-problem-types#quota-exceeded';
  return `/docs/errors#${code}`;
}

/** The one error body of the API. */
export function problemBody(input: ProblemInput): Record<string, unknown> {
  const row = ERRORS[input.code];
  return {
    error: input.code,
    message: row.message,
    detail: input.detail,
    request_id: input.requestId,
    timestamp: new Date(input.at).toISOString(),
    ...(input.fields ? { fields: input.fields } : {}),
    ...(input.retryAfterSeconds === undefined ? {} : { retry_after_seconds: input.retryAfterSeconds }),
    type: typeOf(input.code),
    title: row.message,
    status: row.status,
    ...input.members,
  };
}

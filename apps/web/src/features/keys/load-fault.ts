import { ApiError } from '../../api/errors.ts';

export interface LoadFault {
  text: string;
  /** HTTP status; null when no answer came. */
  status: number | null;
}

/** KEY-10, KEY-11: why the keys could not be loaded, in the words of the specification. */
export function loadFault(error: unknown): LoadFault {
  const given = error instanceof ApiError ? error : null;
  const status = given && given.status > 0 ? given.status : null;
  const said = given?.detail ?? (error instanceof Error ? error.message : '');
  return { status, text: textOf(status, given?.code ?? '', said) };
}

function textOf(status: number | null, code: string, said: string): string {
  if (status === 401 || /\bauthenticat/i.test(said)) return 'Authentication required. Please log in again.';
  if (status === 403) return 'Access denied. You may not have permission to view API keys.';
  const isTimeout = ['network.timeout', 'server.timeout', 'request.timeout'].includes(code) || status === 504;
  if (isTimeout || /\btimed out\b/i.test(said)) return 'Request timed out. The server may be overloaded. Please try again.';
  return said === '' ? 'Failed to load API keys' : said;
}

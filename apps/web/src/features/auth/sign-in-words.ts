import { ApiError } from '../../api/errors.ts';

/** Texts of the sign-in that have one exact form. */
export const WORDS = {
  checking: 'Checking authentication...',
  failed: 'Authentication Failed',
  firstAdmin: 'The first Google user to sign in becomes admin.',
  loginFailed: 'Login failed',
  invalidLogin: 'Invalid login response',
  googleFailed: 'Google login failed',
  invalidGoogle: 'Invalid Google login response',
  googleBroken: 'Google Sign-In failed. Please try again.',
} as const;

/** A sign-in that went wrong: the sentence of the box, and what helps when the sentence alone does not say. */
export interface SignInFailure {
  message: string;
  hint: string | null;
}

/** The Google script or popup itself failed: nothing was sent to our server. */
export class GoogleBroken extends Error {
  constructor(cause?: unknown) {
    super(WORDS.googleBroken, { cause });
    this.name = 'GoogleBroken';
  }
}

/** AUTH-05: the server's `detail`, else the error's message, else 'Login failed'. */
export function passwordFailure(error: unknown): SignInFailure {
  if (error instanceof ApiError) return { message: error.detail ?? (error.message || WORDS.loginFailed), hint: hintOf(error) };
  const said = error instanceof Error ? error.message : '';
  return { message: said || WORDS.loginFailed, hint: null };
}

/** AUTH-06, AUTH-07: the server's `detail` where it gave one; an error or fallback without one is 'Google login failed'. */
export function googleFailure(error: unknown): SignInFailure {
  if (error instanceof GoogleBroken) return { message: WORDS.googleBroken, hint: null };
  if (error instanceof ApiError) {
    // A success that calls itself a failure is no answer of the sign-in: what it says is not shown.
    const detail = error.code === 'answer.flagged' ? null : error.detail;
    return { message: detail ?? WORDS.googleFailed, hint: hintOf(error) };
  }
  if (error instanceof Error && error.message === WORDS.invalidLogin) return { message: WORDS.invalidGoogle, hint: null };
  return { message: WORDS.googleFailed, hint: null };
}

const HINTS: Readonly<Record<string, string>> = {
  'auth.not_invited': 'Ask an administrator of this server to add your e-mail address first.',
  'auth.account_inactive': 'An administrator of this server can switch your account on again.',
  'auth.setup_token_required': 'The server printed a setup token when it was first started. Enter it below and sign in again.',
  'network.unreachable': 'The server cannot be reached. Check your connection and try again.',
  'network.timeout': 'The server did not answer in time. Try again in a moment.',
};

function hintOf({ code, retryAfterSeconds, detail }: ApiError): string | null {
  const hint = HINTS[code] ?? null;
  if (hint !== null || retryAfterSeconds === null || /\d/.test(detail ?? '')) return hint;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return retryAfterSeconds < 90 ? `Try again in ${retryAfterSeconds} seconds.` : `Try again in ${minutes} minutes.`;
}

/** What is wrong with the name and e-mail address given to the local provider, in the order of the form; null: nothing. */
export function localFault({ name, email }: { name: string; email: string }): { field: 'name' | 'email'; message: string } | null {
  if (name.trim() === '') return { field: 'name', message: 'Enter a name.' };
  const [box, domain, ...more] = email.trim().split('@');
  if (!box || !domain || more.length > 0 || domain.split('.').length < 2 || domain.split('.').includes('') || email.trim().includes(' ')) {
    return { field: 'email', message: 'Enter an e-mail address such as name@example.org.' };
  }
  return null;
}

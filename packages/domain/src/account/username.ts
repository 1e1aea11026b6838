import { USERNAME_LENGTH } from './fields.ts';

/** Room for "-9999" behind the longest proposal. */
const BASE_MAX = USERNAME_LENGTH.max - 5;

/**
 * User names to try for somebody who signs in with an e-mail address, in order: its local part, cleaned, then with `-2`, `-3`, ...
 * Endless; the caller takes the first that is free.
 */
export function* usernamesFor(email: string): Generator<string> {
  const local = (email.split('@')[0] ?? '').normalize('NFKC').split('+')[0] ?? '';
  const cleaned = [...local.replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, '')].slice(0, BASE_MAX).join('');
  const base = [...cleaned].length >= USERNAME_LENGTH.min ? cleaned : `user-${cleaned || 'new'}`;
  yield base;
  for (let n = 2; ; n += 1) yield `${base}-${n}`;
}

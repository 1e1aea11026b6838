import type { Provider, UserRow } from './types.ts';

/**
 * Whether a session of this provider stands on a password that somebody else knows. Whoever came with Google did not use it, and may not
 * even have been told of it: nothing is asked of them.
 */
export const isPasswordTemporary = (user: Pick<UserRow, 'mustChangePassword'>, provider: Provider): boolean =>
  user.mustChangePassword && provider === 'password';

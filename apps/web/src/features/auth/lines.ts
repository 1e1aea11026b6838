import { queryOptions } from '@tanstack/react-query';
import type { auth, AuthConfig } from '@nwms/contract';
import { line } from '../../api/line.ts';
import type { Services } from '../../api/services.ts';

/** The calls of the sign-in. None carries a credential: a stale one must not block signing in. */
export const SIGN_IN = {
  google: line<typeof auth.signInWithGoogle>('POST', '/auth/google'),
  password: line<typeof auth.signInWithPassword>('POST', '/auth/login'),
  localToken: line<typeof auth.createLocalToken>('POST', '/auth/local/token'),
} as const;

/** With the credential of the session whose password it changes. */
export const CHANGE_PASSWORD = line<typeof auth.changePassword>('POST', '/auth/password');

const CONFIG = line<typeof auth.getAuthConfig>('GET', '/auth/config');

/** The nonce in it is good for one sign-in within 10 minutes: never taken from a cache, renewed before it runs out. */
const RENEW_MS = 8 * 60_000;

export const AUTH_CONFIG_KEY = ['auth', 'config'] as const;
export const authConfigQuery = ({ api }: Services) =>
  queryOptions<AuthConfig>({
    queryKey: AUTH_CONFIG_KEY,
    queryFn: ({ signal }) => api.call(CONFIG, { signal, anonymous: true }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: RENEW_MS,
  });

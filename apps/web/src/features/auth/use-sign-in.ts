import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { AUTH_CONFIG_KEY, SIGN_IN } from './lines.ts';
import { googleFailure, passwordFailure, type SignInFailure } from './sign-in-words.ts';

export type Way = 'google' | 'local' | 'password';

export interface SignIn {
  /** The way being tried right now; null when none is. */
  busy: Way | null;
  failure: SignInFailure | null;
  withGoogle: (token: string, setupToken: string) => Promise<void>;
  withLocal: (person: { name: string; email: string }, nonce: string, setupToken: string) => Promise<void>;
  withPassword: (given: { username: string; password: string }) => Promise<void>;
  fail: (error: unknown) => void;
}

/** The three ways in. Each ends in the session taking the answer, or in one failure that says why. */
export function useSignIn(): SignIn {
  const { api, session } = useServices();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<Way | null>(null);
  const [failure, setFailure] = useState<SignInFailure | null>(null);

  const attempt = async (way: Way, run: () => Promise<unknown>): Promise<void> => {
    setBusy(way);
    setFailure(null);
    try {
      session.accept(await run());
    } catch (error) {
      setFailure(way === 'password' ? passwordFailure(error) : googleFailure(error));
      // The nonce may be spent, and what this server asks for may have changed.
      void queries.invalidateQueries({ queryKey: AUTH_CONFIG_KEY });
    } finally {
      setBusy(null);
    }
  };
  // A credential is spent by its first try, so these calls are never repeated by themselves.
  const google = (token: string, setupToken: string) => {
    const body = setupToken.trim() === '' ? { token } : { token, setup_token: setupToken.trim() };
    return api.call(SIGN_IN.google, { body, anonymous: true, once: true });
  };
  return {
    busy,
    failure,
    withGoogle: (token, setupToken) => attempt('google', () => google(token, setupToken)),
    withLocal: ({ name, email }, nonce, setupToken) =>
      attempt('local', async () => {
        const body = { name: name.trim(), email: email.trim(), nonce };
        const { token } = await api.call(SIGN_IN.localToken, { body, anonymous: true, once: true });
        return google(token, setupToken);
      }),
    withPassword: (body) => attempt('password', () => api.call(SIGN_IN.password, { body, anonymous: true, once: true })),
    fail: useCallback((error: unknown) => setFailure(googleFailure(error)), []),
  };
}

import { createContext, useContext, useSyncExternalStore } from 'react';
import { ApiError } from './errors.ts';
import type { User } from './user.ts';

export type SessionState =
  | { status: 'loading' }
  /** `notice`: why nobody is signed in, when there is something to say. */
  | { status: 'anonymous'; notice: string | null }
  | { status: 'signed-in'; user: User };

/** Who is signed in, the same in every tab of the browser. */
export interface SessionStore {
  /** The same object until something changed. */
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Asks who the kept token belongs to, if there is one. A server that cannot be reached is asked again by itself. */
  start(): void;
  /** The state once it is not `loading`. */
  settled(): Promise<Exclude<SessionState, { status: 'loading' }>>;
  /** Takes the answer of a sign-in call and keeps it (AUTH-06, AUTH-09). @throws Error('Invalid login response') */
  accept(answer: unknown): User;
  /** Ends the session here at once, and on the server. */
  signOut(): Promise<void>;
  token(): string | null;
  /** A call with this token was answered 401: the session ends once, with a message. */
  refused(token: string, error: ApiError): void;
  /** The user as another call told it (profile edits). */
  renew(user: User): void;
  /** Why the last session ended, if one did: by its member here, by the server, or in another tab. */
  endedBy(): 'member' | 'server' | 'elsewhere' | null;
}

/** The part of `Storage` that is used. */
export interface SessionStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface SessionDeps {
  /** Throws where the browser forbids storage; the session then lasts as long as the page. */
  storage: () => SessionStorage;
  /** GET /auth/me with the token of the session. */
  fetchUser: () => Promise<unknown>;
  /** POST /auth/logout with the token of the session. */
  endOnServer: () => Promise<void>;
  /** Runs after a wait that the device's own "online" cuts short. Returns how to call it off. */
  later: (ms: number, run: () => void) => () => void;
  random: () => number;
  /** Changes of the storage by other tabs. */
  onStorage: (listener: (key: string | null) => void) => void;
}

export const TOKEN_KEY = 'auth_token';
export const USER_KEY = 'auth_user';
export const CONNECTION_NOTICE = 'Connection error - please check your internet connection';
export const ENDED_NOTICE = 'Your session has ended. Please sign in again.';
const ELSEWHERE_NOTICE = 'You signed out in another tab.';
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

export function createSession(deps: SessionDeps): SessionStore {
  const listeners = new Set<() => void>();
  const store = guardedStorage(deps.storage);
  let state: SessionState = { status: 'loading' };
  let token = store.read(TOKEN_KEY);
  let ended: ReturnType<SessionStore['endedBy']> = null;
  let attempt = 0;
  let callOff = () => {};

  const set = (next: SessionState) => {
    if (next.status === 'anonymous' && state.status === 'anonymous' && next.notice === state.notice) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const drop = (by: ReturnType<SessionStore['endedBy']>, notice: string | null) => {
    callOff();
    token = null;
    ended = by;
    store.remove(TOKEN_KEY);
    store.remove(USER_KEY);
    set({ status: 'anonymous', notice });
  };
  const check = async () => {
    const asked = token;
    if (asked === null) return set({ status: 'anonymous', notice: null });
    let answer: unknown;
    try {
      answer = await deps.fetchUser();
    } catch (error) {
      if (token !== asked) return;
      if (error instanceof ApiError && error.status === 401) return drop('server', endedNotice(error));
      // Anything else says nothing about the session: the token is kept and asked about again.
      set({ status: 'anonymous', notice: CONNECTION_NOTICE });
      const delay = Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS) * (0.5 + deps.random() / 2);
      attempt += 1;
      callOff = deps.later(delay, () => void check());
      return;
    }
    if (token !== asked) return;
    const user = readUser(answer);
    if (!user) return drop('server', null);
    attempt = 0;
    store.write(USER_KEY, JSON.stringify(user));
    set({ status: 'signed-in', user });
  };
  deps.onStorage((key) => {
    if (key !== TOKEN_KEY && key !== null) return;
    const now = store.read(TOKEN_KEY);
    if (now === token) return;
    callOff();
    if (now === null) {
      token = null;
      ended = 'elsewhere';
      set({ status: 'anonymous', notice: state.status === 'signed-in' ? ELSEWHERE_NOTICE : null });
    } else {
      token = now;
      set({ status: 'loading' });
      void check();
    }
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => void check(),
    settled: () =>
      new Promise((found) => {
        if (state.status !== 'loading') return found(state);
        const look = () => {
          if (state.status === 'loading') return;
          listeners.delete(look);
          found(state);
        };
        listeners.add(look);
      }),
    accept(answer) {
      const given = (typeof answer === 'object' && answer !== null ? answer : {}) as { access_token?: unknown; user?: unknown };
      const user = readUser(given.user);
      if (typeof given.access_token !== 'string' || given.access_token === '' || !user) throw new Error('Invalid login response');
      callOff();
      token = given.access_token;
      ended = null;
      attempt = 0;
      store.write(TOKEN_KEY, token);
      store.write(USER_KEY, JSON.stringify(user));
      set({ status: 'signed-in', user });
      return user;
    },
    async signOut() {
      // The server is told first, since the call needs the token, but nobody waits for it.
      const told = token === null ? Promise.resolve() : deps.endOnServer().catch(() => {});
      drop('member', null);
      await told;
    },
    token: () => token,
    refused(refusedToken, error) {
      // During the check at start its own rule applies; a session that is over is not ended twice.
      if (refusedToken !== token || state.status !== 'signed-in') return;
      drop('server', endedNotice(error));
    },
    renew(user) {
      if (state.status !== 'signed-in') return;
      store.write(USER_KEY, JSON.stringify(user));
      set({ status: 'signed-in', user });
    },
    endedBy: () => ended,
  };
}

/** AUTH-10: an answer with a user name signs in, one without does not. */
export function readUser(answer: unknown): User | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { username } = answer as { username?: unknown };
  return typeof username === 'string' && username !== '' ? (answer as User) : null;
}

const NOTICES: Record<string, string> = {
  'auth.account_inactive': 'Your account has been switched off. An administrator can switch it on again.',
  'auth.token_expired': 'Your session has expired. Please sign in again.',
};
const endedNotice = (error: ApiError): string => NOTICES[error.code] ?? ENDED_NOTICE;

/** A browser may forbid storage, or its quota may be used up: the session then lasts as long as the page. */
function guardedStorage(storage: () => SessionStorage) {
  const attempt = <T>(run: (given: SessionStorage) => T): T | null => {
    try {
      return run(storage());
    } catch {
      return null;
    }
  };
  return {
    read: (key: string) => attempt((given) => given.getItem(key)) || null,
    write: (key: string, value: string) => attempt((given) => given.setItem(key, value)),
    remove: (key: string) => attempt((given) => given.removeItem(key)),
  };
}

export const SessionContext = createContext<SessionStore | null>(null);

function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('SessionContext is missing');
  return store;
}

/** What a painted document shows, for everybody alike. */
const NOBODY: SessionState = { status: 'anonymous', notice: null };

/** The session's state, renewed when it changes. The store itself is `useServices().session`. */
export function useSession(): SessionState {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.state, () => NOBODY);
}

/** The signed-in user; only for screens behind the guard. Null for the moment in which a session that ended is led away. */
export function useUser(): User | null {
  const state = useSession();
  return state.status === 'signed-in' ? state.user : null;
}

import type { Instant } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Account, Principal } from '../../platform/http/principal.ts';
import type { SessionRow, SessionRows } from './store-sessions.ts';
import { type SessionClaims, type SessionTokens, tokenExpired } from './session-token.ts';
import { isPasswordTemporary } from './temporary-password.ts';
import type { AuthPolicy, UserRow } from './types.ts';

/** What was read of a session is believed this long: a change on another process shows within a second (F3). */
const BELIEVED_MS = 500;
/** Sessions and tokens remembered; beyond it the oldest are read again. */
const MAX_REMEMBERED = 10_000;
const HOUR_MS = 3_600_000;

type SessionPrincipal = Extract<Principal, { type: 'session' }>;
export interface LiveSession {
  session: SessionRow;
  user: UserRow;
}
interface Remembered {
  read: Promise<LiveSession | null>;
  atMs: number;
  userId: string;
}

export interface Sessions {
  identify(token: string, address: string): Promise<SessionPrincipal>;
  /** When it ends by today's policy: never later than decided at its start. */
  endsAt(session: Pick<SessionRow, 'createdAt' | 'expiresAt'>): Instant;
  /** When a session that was just identified ends by itself, epoch milliseconds. */
  expiryOf(sessionId: string): Promise<Instant>;
  /** Nothing remembered of the account holds any more, nor what is being read right now. */
  forget(userId: string): void;
  /** Sessions used since the last call, with their last use. */
  takeUses(): Map<string, Instant>;
  lastUse(sessionId: string): Instant | undefined;
}

export interface SessionsDeps {
  database: Database;
  clock: Clock;
  tokens: SessionTokens;
  sessions: SessionRows;
  policy: () => AuthPolicy;
}

const ended = () => new AppError('auth.session_ended', { public: 'The session was ended. Sign in again.' });
const inactive = () => new AppError('auth.account_inactive', { public: 'The account is switched off; an administrator can switch it on.' });

/** Who a session token speaks for: signature once, store at most half a second old, always the store's word on role and state. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { database, clock, tokens, sessions, policy } = deps;
  const verified = new Map<string, SessionClaims>();
  const remembered = new Map<string, Remembered>();
  const uses = new Map<string, Instant>();
  let forgotten = 0;

  const claimsOf = async (token: string): Promise<SessionClaims> => {
    const known = verified.get(token);
    if (known) {
      if (clock.now() >= known.expiresAt) throw tokenExpired();
      return known;
    }
    const claims = await tokens.verify(token, clock.now());
    keep(verified, token, claims);
    return claims;
  };
  const readSession = (claims: SessionClaims): Promise<LiveSession | null> => {
    const { sessionId, userId } = claims;
    const known = remembered.get(sessionId);
    if (known && clock.monotonicMs() - known.atMs < BELIEVED_MS) return known.read;
    const entry: Remembered = { userId, atMs: clock.monotonicMs(), read: sessions.findWithUser(database.reads.app, sessionId) };
    keep(remembered, sessionId, entry);
    // A failed read is nobody's answer but of those who wait for it now.
    entry.read.catch(() => remembered.get(sessionId) === entry && remembered.delete(sessionId));
    return entry.read;
  };
  const current = async (claims: SessionClaims): Promise<LiveSession | null> => {
    for (;;) {
      const turn = forgotten;
      const found = await readSession(claims).catch((error: unknown) => {
        throw databaseFault(error);
      });
      // Something was forgotten while this was read: it may be from before the change.
      if (turn === forgotten) return found;
    }
  };

  const endsAt: Sessions['endsAt'] = (session) => Math.min(session.expiresAt, session.createdAt + policy().jwtExpirationHours * HOUR_MS);
  return {
    endsAt,
    async identify(token, address) {
      const claims = await claimsOf(token);
      const found = await current(claims);
      if (!found || found.user.id !== claims.userId) throw ended();
      const { session, user } = found;
      if (!user.isActive) throw inactive();
      const now = clock.now();
      if (now >= endsAt(session)) throw tokenExpired();
      uses.set(session.id, now);
      return {
        type: 'session',
        address,
        sessionId: session.id,
        mustChangePassword: isPasswordTemporary(user, session.provider),
        account: accountOf(user),
      };
    },
    async expiryOf(sessionId) {
      const found = await remembered.get(sessionId)?.read;
      return found ? endsAt(found.session) : clock.now();
    },
    forget(userId) {
      forgotten += 1;
      for (const [id, entry] of remembered) if (entry.userId === userId) remembered.delete(id);
    },
    takeUses() {
      const taken = new Map(uses);
      uses.clear();
      return taken;
    },
    lastUse: (sessionId) => uses.get(sessionId),
  };
}

/** The account as requests carry it. */
export function accountOf({ id, username, email, role, specialAccess, limits }: UserRow): Account {
  return { id, username, email, role, specialAccess, limits };
}

function keep<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

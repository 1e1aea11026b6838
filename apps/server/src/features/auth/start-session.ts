import type { Login } from '@nwms/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../../platform/db/types.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { AuditWriter } from '../audit/index.ts';
import { deviceOf } from './device.ts';
import type { SessionTokens } from './session-token.ts';
import type { SessionRow, SessionRows } from './store-sessions.ts';
import { isPasswordTemporary } from './temporary-password.ts';
import type { AuthPolicy, Provider, UserRow, UserStore } from './types.ts';

const HOUR_MS = 3_600_000;

/** Who asks to sign in, as far as the request shows. */
export interface Caller {
  /** In clear, as far as it can be trusted. */
  address: string;
  requestId: string;
  userAgent: string | undefined;
  /** ISO 3166-1 alpha-2; null where it is not known or nobody asked. */
  countryCode: string | null;
}

export interface StartSessionDeps {
  clock: Clock;
  tokens: SessionTokens;
  sessions: SessionRows;
  audit: AuditWriter;
  policy: () => AuthPolicy;
}

/** Writes the session of a sign-in inside its transaction. */
export async function insertSession(
  deps: StartSessionDeps,
  transaction: Part,
  { user, provider, caller }: { user: UserRow; provider: Provider; caller: Caller },
): Promise<SessionRow> {
  const now = deps.clock.now();
  const { jwtExpirationHours, enableSessionLogging } = deps.policy();
  const session: SessionRow = {
    id: `ses_${randomBase32()}`,
    userId: user.id,
    provider,
    device: deviceOf(caller.userAgent),
    countryCode: caller.countryCode,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + jwtExpirationHours * HOUR_MS,
  };
  await deps.sessions.insert(transaction, session);
  if (enableSessionLogging || user.role === 'admin') {
    await deps.audit.record(
      {
        actor: { type: 'user', id: user.id, name: user.username },
        action: 'session.started',
        target: { type: 'session', id: session.id, label: session.device },
        requestId: caller.requestId,
        address: caller.address,
      },
      transaction,
    );
  }
  return session;
}

/** The answer of a sign-in, after its commit. */
export async function loginOf(
  deps: { tokens: SessionTokens; users: UserStore },
  { user, session, isNew, claimedAdmin }: { user: UserRow; session: SessionRow; isNew: boolean; claimedAdmin: boolean },
): Promise<Login> {
  const token = await deps.tokens.sign({ sessionId: session.id, userId: user.id, expiresAt: session.expiresAt }, session.createdAt);
  const [shown] = await deps.users.present([user], user.role === 'admin');
  const mustChange = isPasswordTemporary(user, session.provider);
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_at: new Date(session.expiresAt).toISOString(),
    user: { ...(shown as Login['user']), must_change_password: mustChange },
    is_new_user: isNew,
    claimed_admin: claimedAdmin,
  };
}

import type { Session } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { presentSession } from './present.ts';
import type { Sessions } from './sessions.ts';
import type { SessionRows } from './store-sessions.ts';
import type { AuthPolicy, Ended } from './types.ts';

/** Shown at most; nobody reads more, and one account may have signed in a thousand times. */
const MAX_SHOWN = 100;

export type Member = Extract<Principal, { type: 'session' }>;

export interface OwnSessionsDeps {
  database: Database;
  clock: Clock;
  sessions: SessionRows;
  live: Sessions;
  audit: AuditWriter;
  policy: () => AuthPolicy;
  forget(userId: string): void;
  ended(ended: Ended): void;
}

export interface OwnSessions {
  list(member: Member): Promise<Session[]>;
  /** 404 `session.not_found` for those of others, too. */
  end(member: Member, sessionId: string, caller: { address: string; requestId: string }): Promise<void>;
}

/** Where somebody is signed in, and how to end it. */
export function createOwnSessions(deps: OwnSessionsDeps): OwnSessions {
  const { database, clock, sessions, live } = deps;
  return {
    async list(member) {
      const rows = await sessions.listOf(database.app, member.account.id, MAX_SHOWN).catch((error: unknown) => {
        throw databaseFault(error);
      });
      return rows
        .map((row) => ({ row, expiresAt: live.endsAt(row) }))
        .filter(({ expiresAt }) => expiresAt > clock.now())
        .map(({ row, expiresAt }) =>
          presentSession(row, {
            expiresAt,
            lastSeenAt: live.lastUse(row.id) ?? row.lastSeenAt,
            current: row.id === member.sessionId,
          }),
        );
    },
    async end(member, sessionId, caller) {
      const { account } = member;
      try {
        await database.app.transaction().execute(async (part) => {
          if (!(await sessions.end(part, account.id, sessionId)))
            throw new AppError('session.not_found', { public: 'No session with this id among your own.' });
          if (!deps.policy().enableSessionLogging && account.role !== 'admin') return;
          await deps.audit.record(
            {
              actor: { type: 'user', id: account.id, name: account.username },
              action: 'session.ended',
              target: { type: 'session', id: sessionId, label: null },
              ...caller,
            },
            part,
          );
        });
      } catch (error) {
        throw databaseFault(error);
      } finally {
        deps.forget(account.id);
      }
      deps.ended({ userId: account.id, sessionIds: [sessionId], removed: false });
    },
  };
}

import type { FieldFault } from '@nwms/contract';
import { passwordFault, textFault } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { AuditWriter } from '../audit/index.ts';
import { changesBetween } from '../audit/index.ts';
import type { Lockouts } from './lockouts.ts';
import type { Member } from './own-sessions.ts';
import type { AuthPolicy, Passwords, UserRow, UserStore } from './types.ts';

export interface OwnAccountDeps {
  users: UserStore;
  passwords: Passwords;
  lockouts: Lockouts;
  audit: AuditWriter;
  policy: () => AuthPolicy;
}

interface From {
  address: string;
  requestId: string;
}

/** What somebody may do with their own account. */
export interface OwnAccount {
  update(member: Member, given: { full_name?: string | null; organization?: string | null }, from: From): Promise<UserRow>;
  changePassword(member: Member, given: { current_password: string; new_password: string }, from: From): Promise<void>;
  remove(member: Member, from: From): Promise<void>;
}

const refuse = (code: 'request.invalid' | 'user.weak_password', fields: FieldFault[]) =>
  new AppError(code, { public: `${fields[0]?.message ?? 'Not accepted'}.`, fields });
const named = (user: UserRow) => ({ type: 'user', id: user.id, label: user.username });
const actorOf = ({ account }: Member) => ({ type: 'user', id: account.id, name: account.username }) as const;

export function createOwnAccount({ users, passwords, lockouts, audit, policy }: OwnAccountDeps): OwnAccount {
  return {
    update(member, { full_name: fullName, organization }, from) {
      const faults = [
        fullName === undefined ? null : textFault('full_name', fullName),
        organization === undefined ? null : textFault('organization', organization),
      ].filter((fault) => fault !== null);
      if (faults.length > 0) throw refuse('request.invalid', faults);
      const change = { ...(fullName === undefined ? {} : { fullName }), ...(organization === undefined ? {} : { organization }) };
      return users.change(member.account.id, () => change, {
        async alongside(part, user, before) {
          const changes = changesBetween(
            { full_name: before.fullName, organization: before.organization },
            { full_name: user.fullName, organization: user.organization },
          );
          if (changes.length > 0)
            await audit.record({ actor: actorOf(member), action: 'user.updated', target: named(user), changes, ...from }, part);
        },
      });
    },

    async changePassword(member, given, from) {
      const user = await users.find(member.account.id);
      if (!user) throw new AppError('auth.session_ended', { public: 'The session was ended. Sign in again.' });
      const { username, email } = user;
      const fault = passwordFault(
        given.new_password,
        { minLength: policy().passwordMinLength, username, email, isCommon: (text) => passwords.isCommon(text) },
        'new_password',
      );
      if (fault) throw refuse('user.weak_password', [fault]);
      await lockouts.refuseLocked(username, from.address);
      if (!(await passwords.verify(given.current_password, user.passwordHash))) {
        await lockouts.failed(username, from.address);
        // No 401: the session is good, and a 401 would end it in the browser.
        const message = 'The current password is not right';
        throw refuse('request.invalid', [{ name: 'current_password', reason: 'conflict', message }]);
      }
      // Somebody else knows the present one; keeping it would only look like a change.
      if (user.mustChangePassword && given.new_password === given.current_password)
        throw refuse('user.weak_password', [
          { name: 'new_password', reason: 'conflict', message: 'Choose another password than the present one' },
        ]);
      const passwordHash = await passwords.hash(given.new_password);
      await users.change(
        user.id,
        (now) => {
          if (now.passwordHash !== user.passwordHash)
            throw new AppError('precondition.failed', { public: 'The password was changed meanwhile.' });
          return { passwordHash, mustChangePassword: false };
        },
        {
          endSessions: { except: member.sessionId },
          alongside: (part, after) =>
            audit.record({ actor: actorOf(member), action: 'password.changed', target: named(after), ...from }, part),
        },
      );
    },

    remove: (member, from) =>
      users.remove(member.account.id, (part, user) =>
        audit.record({ actor: actorOf(member), action: 'user.deleted', target: named(user), ...from }, part),
      ),
  };
}

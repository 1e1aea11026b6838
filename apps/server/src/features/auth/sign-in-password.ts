import type { Login } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Lockouts } from './lockouts.ts';
import { type Caller, insertSession, loginOf, type StartSessionDeps } from './start-session.ts';
import type { UserRows } from './store-users.ts';
import type { Passwords, UserRow, UserStore } from './types.ts';

export interface PasswordSignInDeps extends StartSessionDeps {
  database: Database;
  users: UserRows;
  store: UserStore;
  passwords: Passwords;
  lockouts: Lockouts;
  isEnabled: boolean;
}

const wrong = () => new AppError('auth.invalid_credentials', { public: 'User name and password do not belong together.' });

/** A sign-in with a password. Unknown name, wrong password and account without a password are told alike, after the same time. */
export async function signInWithPassword(
  deps: PasswordSignInDeps,
  { username, password, caller }: { username: string; password: string; caller: Caller },
): Promise<Login> {
  if (!deps.isEnabled)
    throw new AppError('auth.password_disabled', { public: 'This server does not take passwords; sign in with Google.' });
  const { store, clock } = deps;
  const user = await deps.lockouts.inTurn(username, caller.address, () =>
    userOfPassword(deps, { username, password, address: caller.address }),
  );
  if (!user.isActive)
    throw new AppError('auth.account_inactive', { public: 'The account is switched off; an administrator can switch it on.' });
  if (deps.policy().requireEmailVerification && !user.emailVerified)
    throw new AppError('auth.email_unverified', { public: 'The e-mail address of this account is not verified.' });
  try {
    const outcome = await deps.database.app.transaction().execute(async (part) => {
      const now = await deps.users.lock(part, user.id);
      // Changed while the hash was computed: what was right is not any more.
      if (!now || !now.isActive || now.passwordHash !== user.passwordHash) throw wrong();
      const arrived = { ...now, lastLoginAt: clock.now() };
      await deps.users.update(part, arrived);
      return { user: arrived, session: await insertSession(deps, part, { user: arrived, provider: 'password', caller }) };
    });
    return await loginOf({ tokens: deps.tokens, users: store }, { ...outcome, isNew: false, claimedAdmin: false });
  } catch (error) {
    throw databaseFault(error);
  }
}

/** Whose name and password these are. Throws 401 for a wrong one, which counts, and 429 while the pair of name and address is locked. */
async function userOfPassword(
  { lockouts, passwords, store }: PasswordSignInDeps,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<UserRow> {
  await lockouts.refuseLocked(username, address);
  const user = await store.findByName(username);
  const isRight = await passwords.verify(password, user?.passwordHash ?? null);
  // Others may have failed while this one waited for its hash, in another process: a lock holds for right passwords, too.
  await lockouts.refuseLocked(username, address);
  if (!isRight || !user) {
    await lockouts.failed(username, address);
    throw wrong();
  }
  await lockouts.succeeded(username, address);
  return user;
}

import { createHash } from 'node:crypto';
import type { Login } from '@nwms/contract';
import { usernamesFor } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import type { FirstAdmin } from './first-admin.ts';
import { type IdClaims, type IdProvider, verifyIdToken } from './id-token.ts';
import type { Nonces } from './nonces.ts';
import { type Caller, insertSession, loginOf, type StartSessionDeps } from './start-session.ts';
import type { SignInRows } from './store-sign-in.ts';
import type { SessionRow } from './store-sessions.ts';
import type { UserRows } from './store-users.ts';
import type { UserRow, UserStore } from './types.ts';
import { newUserRow } from './users.ts';

/** Names tried before giving up: `-2` to `-200`. */
const MAX_NAMES = 200;
/** Two first sign-ins of one person at once: the second starts over and finds the first's account. */
const MAX_TRIES = 3;

export interface GoogleSignInDeps extends StartSessionDeps {
  database: Database;
  users: UserRows;
  store: UserStore;
  signIns: SignInRows;
  nonces: Nonces;
  firstAdmin: FirstAdmin;
  signup: 'open' | 'invited';
  forget(userId: string): void;
}

interface Outcome {
  user: UserRow;
  session: SessionRow;
  isNew: boolean;
  claimedAdmin: boolean;
}

/** Somebody else was faster: begin again. */
class Again extends Error {}

const rejected = (detail: string) => new AppError('auth.google_rejected', { public: detail });

/** A sign-in with an ID token: account, claim of the first administrator, session and their audit entries in one transaction. */
export async function signInWithIdToken(
  deps: GoogleSignInDeps,
  provider: IdProvider,
  { token, setupToken, caller }: { token: string; setupToken: string | null; caller: Caller },
): Promise<Login> {
  const claims = await verifyIdToken(provider, token, deps.clock.now());
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await deps.database.app
        .transaction()
        .execute((transaction) => enter(deps, transaction, { claims, provider, setupToken, caller }));
      deps.forget(outcome.user.id);
      return await loginOf({ tokens: deps.tokens, users: deps.store }, outcome);
    } catch (error) {
      if (error instanceof Again && attempt < MAX_TRIES) continue;
      throw databaseFault(error);
    }
  }
}

interface Entry {
  claims: IdClaims;
  provider: IdProvider;
  setupToken: string | null;
  caller: Caller;
}

async function enter(deps: GoogleSignInDeps, part: Part, { claims, provider, setupToken, caller }: Entry): Promise<Outcome> {
  const { users, firstAdmin, clock } = deps;
  await useUp(deps, part, claims);
  const known = await findAccount(deps, part, claims);
  if (known && !known.isActive)
    throw new AppError('auth.account_inactive', { public: 'The account is switched off; an administrator can switch it on.' });

  const now = clock.now();
  const draft = newUserRow(
    {
      username: '',
      email: claims.email,
      fullName: claims.name,
      organization: null,
      role: 'user',
      isActive: true,
      specialAccess: false,
      limits: deps.policy().userLimits,
      notes: null,
      provider: provider.kind,
      passwordHash: null,
      emailVerified: claims.emailVerified,
      mustChangePassword: false,
    },
    now,
  );
  const { id, email, emailVerified } = known ?? draft;
  if (!known && !emailVerified)
    throw new AppError('auth.email_unverified', { public: 'The identity provider does not vouch for the e-mail address of this account.' });
  const claimedAdmin = await firstAdmin.tryClaim(part, { userId: id, email, emailVerified, setupToken });
  if (!known && !claimedAdmin && deps.signup === 'invited')
    throw new AppError('auth.not_invited', { public: 'Only accounts that an administrator created may sign in here.' });

  const user: UserRow = { ...(known ?? draft), lastLoginAt: now, ...(claimedAdmin ? { role: 'admin' as const } : {}) };
  if (known) {
    // A sign-in is no edit: the version stays, but for a new role.
    const saved = claimedAdmin ? { ...user, version: user.version + 1, updatedAt: now } : user;
    await users.update(part, saved);
    user.version = saved.version;
    user.updatedAt = saved.updatedAt;
  } else {
    user.username = await insertNamed(deps, part, user);
    const { issuer, subject } = claims;
    if (!(await deps.signIns.insertIdentity(part, { issuer, subject, userId: id, at: now }))) throw new Again();
  }
  await recordArrival(deps, part, { user, caller, isNew: !known, claimedAdmin });
  return { user, session: await insertSession(deps, part, { user, provider: provider.kind, caller }), isNew: !known, claimedAdmin };
}

/** Each token, and each nonce, counts once; rolled back with the rest when the sign-in is refused later. */
async function useUp({ signIns, nonces }: GoogleSignInDeps, part: Part, claims: IdClaims): Promise<void> {
  if (claims.nonce !== null) {
    const until = nonces.check(claims.nonce);
    const hash = createHash('sha256').update(claims.nonce).digest('base64url');
    if (until === null || !(await signIns.useOnce(part, `nonce:${hash}`, until)))
      throw rejected('The sign-in took too long or was used before. Start it again.');
  }
  if (!(await signIns.useOnce(part, `token:${claims.hash}`, claims.refusedFrom)))
    throw rejected('This sign-in was used before. Start it again.');
}

/** By (issuer, subject); else an account prepared for the address, if the provider keeps that mailbox and nobody has it yet. */
async function findAccount({ users, signIns, clock }: GoogleSignInDeps, part: Part, claims: IdClaims): Promise<UserRow | null> {
  const { issuer, subject } = claims;
  const userId = await signIns.findIdentity(part, issuer, subject);
  if (userId !== null) return users.lock(part, userId);
  const prepared = await users.findByEmail(part, claims.email);
  if (!prepared) return null;
  if (!claims.emailVerified || !claims.ownsMailbox || (await signIns.hasIdentity(part, prepared.id)))
    throw rejected('An account with this e-mail address exists already and belongs to another sign-in. Ask an administrator.');
  const user = await users.lock(part, prepared.id);
  if (!user || !(await signIns.insertIdentity(part, { issuer, subject, userId: user.id, at: clock.now() }))) throw new Again();
  return { ...user, emailVerified: true };
}

async function insertNamed({ users }: GoogleSignInDeps, part: Part, user: UserRow): Promise<string> {
  let tried = 0;
  for (const username of usernamesFor(user.email)) {
    if (await users.insert(part, { ...user, username })) return username;
    if (await users.findByEmail(part, user.email)) throw new Again();
    if ((tried += 1) >= MAX_NAMES) break;
  }
  throw new Error('no free user name');
}

async function recordArrival(
  { audit }: GoogleSignInDeps,
  part: Part,
  { user, caller, isNew, claimedAdmin }: { user: UserRow; caller: Caller; isNew: boolean; claimedAdmin: boolean },
): Promise<void> {
  const actor = { type: 'user', id: user.id, name: user.username } as const;
  const target = { type: 'user', id: user.id, label: user.username };
  const from = { requestId: caller.requestId, address: caller.address };
  if (isNew) await audit.record({ actor, action: 'user.created', target, ...from }, part);
  if (claimedAdmin)
    await audit.record({ actor, action: 'admin.claimed', target, changes: [{ field: 'role', from: 'user', to: 'admin' }], ...from }, part);
}

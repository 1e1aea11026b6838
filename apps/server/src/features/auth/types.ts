import type { User } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';
import type { RequestLimits } from '../../platform/http/principal.ts';

/** What sign-in reads of the settings; asked at every use, so a saved value takes effect at once. */
export interface AuthPolicy {
  /** A session ends this long after its start; shortening it ends older sessions too. */
  jwtExpirationHours: number;
  /** Wrong passwords of one name from one address before that pair is locked. */
  maxFailedLoginAttempts: number;
  lockoutDurationMinutes: number;
  passwordMinLength: number;
  /** A sign-in with a password needs a verified e-mail address. */
  requireEmailVerification: boolean;
  /** Audit entries for session start and end; those of administrators are always written. */
  enableSessionLogging: boolean;
  /** Addresses or CIDRs spared the per-address sign-in throttle, never the lock of an account. */
  trustedIps: readonly string[];
  /** Limits of accounts made from now on. */
  userLimits: UserLimits;
}

export type UserLimits = RequestLimits;

export type Role = User['role'];
export type Provider = User['auth_provider'];

/** An account as kept. */
export interface UserRow {
  id: string;
  username: string;
  email: string;
  fullName: string | null;
  organization: string | null;
  role: Role;
  isActive: boolean;
  specialAccess: boolean;
  limits: UserLimits;
  notes: string | null;
  provider: Provider;
  /** scrypt with its parameters; null for accounts that cannot sign in with a password. */
  passwordHash: string | null;
  emailVerified: boolean;
  mustChangePassword: boolean;
  lastLoginAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
}

/** What an account is made of. Fields must have passed the rules of `packages/domain/src/account`. */
export interface NewUser {
  username: string;
  email: string;
  fullName: string | null;
  organization: string | null;
  role: Role;
  isActive: boolean;
  specialAccess: boolean;
  limits: UserLimits;
  notes: string | null;
  provider: Provider;
  passwordHash: string | null;
  emailVerified: boolean;
  mustChangePassword: boolean;
}

/** Absent = unchanged. */
export type UserChange = Partial<Omit<NewUser, 'provider'> & { lastLoginAt: Instant }>;

export interface UserFilter {
  role?: Role;
  isActive?: boolean;
  /** Looked for in user name, e-mail and full name, folded. */
  q?: string;
  /** Rows without an administrator's sight of them are never left out: `total` counts what matches. */
  orderBy?: 'created_at' | 'username' | 'last_login' | 'total_api_requests';
  descending?: boolean;
  limit: number;
  offset: number;
}

export interface UserCounts {
  total: number;
  active: number;
  admins: number;
  /** Made at or after the asked instant. */
  createdSince: number;
}

/** Runs in the transaction of a change, after it was written: audit entries and stored answers go here and stand or fall with it. */
export type Alongside = (transaction: Part, user: UserRow) => Promise<void>;

/**
 * Accounts. Changes go through here only, so that what hangs on them (caches, sessions, sockets, the last administrator) is never
 * forgotten. All reject with `server.database_unavailable` when the database is away.
 */
export interface UserStore {
  /** Null = no such account. With `transaction` it reads inside it. */
  find(id: string, transaction?: Part): Promise<UserRow | null>;
  /** In the order of the ids; those without an account are left out. */
  findAll(ids: readonly string[]): Promise<UserRow[]>;
  /** By user name or e-mail address, in any letter case. */
  findByName(name: string, transaction?: Part): Promise<UserRow | null>;
  list(filter: UserFilter): Promise<{ users: UserRow[]; total: number }>;
  counts(createdSince: Instant): Promise<UserCounts>;
  /** 409 `user.username_taken` or `user.email_taken`, with `fields`. */
  create(user: NewUser, alongside?: Alongside): Promise<UserRow>;
  /**
   * Changes one account in one transaction. `decide` gets the row, locked, and says what to change (throw to refuse; an empty object
   * changes nothing but still runs `alongside`). 404 `user.not_found`, 409 as `create`, 409 `user.last_admin`. Switching off ends the
   * account's sessions; `endSessions` of the answer ends them too (but `except`). Takes effect on the next request of this process,
   * within a second on others.
   */
  change(
    id: string,
    decide: (user: UserRow, transaction: Part) => UserChange | Promise<UserChange>,
    options?: ChangeOptions,
  ): Promise<UserRow>;
  /** Removes the account and all that hangs on it, in one transaction with `alongside`. 404 `user.not_found`, 409 `user.last_admin`. */
  remove(id: string, alongside?: Alongside): Promise<void>;
  /** Until when sign-ins are locked from at least one address; absent = not locked. */
  lockedUntil(users: readonly UserRow[]): Promise<Map<string, Instant>>;
  /** Forgets wrong passwords of this account, from all addresses. 404 `user.not_found`. */
  unlock(id: string, alongside?: Alongside): Promise<void>;
  /** Wire form. `forAdmin` shows `notes`. Figures come from the record handed to `createAuth`; null while that cannot be read. */
  present(users: readonly UserRow[], forAdmin: boolean): Promise<User[]>;
}

export interface ChangeOptions {
  /** After the change, in its transaction; `before` is the row as it was. */
  alongside?: (transaction: Part, user: UserRow, before: UserRow) => Promise<void>;
  /** Ends the account's sessions (but this one). */
  endSessions?: { except: string | null };
}

/** Where an address is, ISO 3166-1 alpha-2; null where that is not known. Never rejects. */
export type CountryOf = (address: string) => string | null | Promise<string | null>;

/** Requests of accounts; the slice that records requests answers. Absent accounts made none. Throws `AppError` where it cannot be read. */
export interface UserRequests {
  figuresOf(userIds: readonly string[]): Promise<ReadonlyMap<string, UserFigures>>;
  /** `total_api_requests` of every account that has any. */
  keyTotals(): Promise<ReadonlyMap<string, number>>;
}
export type UserFigures = Pick<User, 'total_api_requests' | 'current_day_requests' | 'current_month_requests' | 'web_requests'>;

/** Sessions that are over. `sessionIds` null: all of that account. `removed`: the account itself is gone. */
export interface Ended {
  userId: string;
  sessionIds: readonly string[] | null;
  removed: boolean;
}

/** What an account owns in another slice goes in the same transaction. */
export type UserCascade = (userId: string, transaction: Part) => Promise<void>;

/** Passwords as kept. At most two are computed at once; beyond a bound of waiting ones 503 `server.overloaded`. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Null takes as long as any other hash and is never right. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** Among the 10,000 most common ones. For `passwordFault` of the domain. */
  isCommon(lowerCased: string): boolean;
}

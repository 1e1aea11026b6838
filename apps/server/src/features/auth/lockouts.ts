import { createHmac } from 'node:crypto';
import { foldName } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import { addressKey } from '../../platform/http/address-key.ts';
import type { SignInRows } from './store-sign-in.ts';
import type { AuthPolicy } from './types.ts';

const MINUTE_MS = 60_000;
/** Attempts of one pair that wait for each other; after the lock they are answered without a hash. */
const MOST_WAITING = 32;

/**
 * Wrong passwords of one name from one address. The pair is locked, not the account: nobody locks others out from afar (W17). Names are
 * counted as they were given, so that nothing shows which of them exist.
 */
export interface Lockouts {
  accountKey(name: string): string;
  /**
   * Runs attempts of one pair one after the other: each sees what the one before it left, so that guesses in parallel are counted like guesses
   * in a row. Throws 503 `server.overloaded` when too many wait.
   */
  inTurn<T>(name: string, address: string, attempt: () => Promise<T>): Promise<T>;
  /** Throws 429 `auth.locked`. */
  refuseLocked(name: string, address: string): Promise<void>;
  failed(name: string, address: string): Promise<void>;
  succeeded(name: string, address: string): Promise<void>;
}

export function createLockouts(deps: {
  db: Part;
  clock: Clock;
  signIns: SignInRows;
  policy: () => AuthPolicy;
  /** Keys the hashes, so that the table names nobody. */
  secret: string;
}): Lockouts {
  const { db, clock, signIns, policy } = deps;
  const hash = (text: string) => createHmac('sha256', deps.secret).update(text).digest('base64url');
  const accountKey = (name: string) => hash(`account:${foldName(name)}`);
  const pairOf = (name: string, address: string) => ({ account: accountKey(name), address: hash(`address:${addressKey(address)}`) });
  const told = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return {
    accountKey,
    inTurn(name, address, attempt) {
      const { account, address: from } = pairOf(name, address);
      const key = `${account} ${from}`;
      const turn = turns.get(key) ?? { last: Promise.resolve(), waiting: 0 };
      if (turn.waiting >= MOST_WAITING)
        throw new AppError('server.overloaded', { public: 'Too many sign-ins at once. Try again in a few seconds.', retryAfterSeconds: 5 });
      turns.set(key, turn);
      turn.waiting += 1;
      const done = turn.last.then(attempt);
      const leave = () => {
        turn.waiting -= 1;
        if (turn.waiting === 0) turns.delete(key);
      };
      turn.last = done.then(leave, leave);
      return done;
    },
    async refuseLocked(name, address) {
      const pair = pairOf(name, address);
      const until = (await told(signIns.failuresOf(db, pair.account, pair.address)))?.lockedUntil ?? null;
      const now = clock.now();
      if (until === null || until <= now) return;
      const minutes = Math.ceil((until - now) / MINUTE_MS);
      throw new AppError('auth.locked', {
        public: `Too many wrong passwords for this account from here. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
        retryAfterSeconds: Math.ceil((until - now) / 1_000),
      });
    },
    failed(name, address) {
      const { maxFailedLoginAttempts: max, lockoutDurationMinutes } = policy();
      return told(signIns.addFailure(db, pairOf(name, address), clock.now(), { max, lockMs: lockoutDurationMinutes * MINUTE_MS }));
    },
    succeeded(name, address) {
      const { account, address: from } = pairOf(name, address);
      return told(signIns.forgetFailures(db, account, from));
    },
  };
}

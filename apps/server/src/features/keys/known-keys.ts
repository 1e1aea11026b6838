import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { accountOf, type UserStore } from '../auth/index.ts';
import { createSecretReader, type Found } from './read-secrets.ts';
import { hashOf, hasKeyShape } from './secret.ts';
import type { KeyRows } from './store.ts';

/** What was read of a key is believed this long: what another process changed shows within it. */
export const BELIEVED_MS = 500;
/** Where no other process writes, every change comes by `forget`: what was read is read again now and then only. */
const BELIEVED_ALONE_MS = 10_000;
/** Reads for one answer: more than this and the database is too slow, or keys change faster than they are read. */
const MAX_READS = 10;
/** Keys remembered; beyond it the oldest are read again. */
const MAX_REMEMBERED = 20_000;

type KeyPrincipal = Extract<Principal, { type: 'key' }>;
interface Remembered {
  /** Undefined while it is read for the first time. */
  found: Found | null | undefined;
  /** When the read that `found` comes from began. */
  atMs: number;
  reading: Promise<Found | null> | null;
}

export interface KnownKeys {
  /** Answers at once what is believed. Throws or rejects with key.invalid, key.revoked, key.expired, key.owner_inactive; 503 when it cannot be known. */
  identify(secret: string, address: string): KeyPrincipal | Promise<KeyPrincipal>;
  /** When a key that was just identified ends by itself; null = never. */
  expiryOf(secret: string): number | null;
  /** Nothing remembered holds any more of one key, or of all keys of an account; nor what is being read right now. */
  forget(whose: { keyId: string } | { userId: string }): void;
}

export interface KnownKeysDeps {
  database: Database;
  clock: Clock;
  rows: KeyRows;
  users: Pick<UserStore, 'findAll'>;
  /** Other processes may change keys and accounts. */
  shared: boolean;
}

const refused = (code: 'key.invalid' | 'key.revoked' | 'key.expired' | 'key.owner_inactive', text: string) =>
  new AppError(code, { public: text });

/** Whose key a secret is: shape and checksum first, then memory, then the store. */
export function createKnownKeys(deps: KnownKeysDeps): KnownKeys {
  const { database, clock, rows, users } = deps;
  const remembered = new Map<string, Remembered>();
  let forgotten = 0;

  const read = createSecretReader({ database, rows, users, stamp: () => ({ atMs: clock.monotonicMs(), turn: forgotten }) });
  /** Reads in the background of whoever waits; one read per secret at a time. */
  const renew = (hash: string, entry: Remembered): Promise<Found | null> => {
    if (entry.reading) return entry.reading;
    const reading = read(hash).then(({ found, stamp }) => {
      // Something was forgotten while this was read: it may be from before the change.
      if (stamp.turn === forgotten) {
        entry.found = found;
        entry.atMs = stamp.atMs;
      }
      return found;
    });
    entry.reading = reading;
    const ended = () => (entry.reading = null);
    reading.then(ended, ended);
    return reading;
  };
  const believedMs = deps.shared ? BELIEVED_MS : BELIEVED_ALONE_MS;
  const isBelieved = (entry: Remembered) => entry.found !== undefined && clock.monotonicMs() - entry.atMs < believedMs;

  const lookUp = async (hash: string): Promise<Found | null> => {
    for (let turn = 0; turn < MAX_READS; turn += 1) {
      let entry = remembered.get(hash);
      if (!entry) remember(remembered, hash, (entry = { found: undefined, atMs: 0, reading: null }));
      if (isBelieved(entry)) return entry.found ?? null;
      await renew(hash, entry).catch((error: unknown) => {
        throw databaseFault(error);
      });
      // Texts that are no key take no room: strangers can make up as many as they like.
      if (entry.found === null) remembered.delete(hash);
      // A read that took longer than what is read is believed tells what was, not what is.
      if (isBelieved(entry)) return entry.found ?? null;
    }
    throw new AppError('server.database_unavailable', {
      public: 'The database is too slow to say whose key this is.',
      retryAfterSeconds: 1,
    });
  };

  const judge = (found: Found | null, address: string): KeyPrincipal => {
    if (!found) throw refused('key.invalid', 'The API key is not valid.');
    const { secret, key, owner } = found;
    const now = clock.now();
    if (!key || !owner || (secret.endsAt !== null && secret.endsAt <= now))
      throw refused('key.revoked', 'The API key was deleted or replaced.');
    if (!key.isActive) throw refused('key.revoked', 'The API key is switched off.');
    if (key.expiresAt !== null && key.expiresAt <= now) throw refused('key.expired', 'The API key is over its date.');
    if (!owner.isActive) throw refused('key.owner_inactive', 'The account that owns the API key is switched off.');
    return { type: 'key', address, account: accountOf(owner), keyId: key.id, keyLimits: key.limits };
  };

  return {
    identify(secret, address) {
      if (!hasKeyShape(secret)) throw refused('key.invalid', 'The API key is not valid.');
      const hash = hashOf(secret);
      const known = remembered.get(hash);
      if (!known || !isBelieved(known)) return lookUp(hash).then((found) => judge(found, address));
      // From half of that age on a key in use is read again beside its requests, which do not wait.
      if (clock.monotonicMs() - known.atMs >= believedMs / 2) {
        // What fails here is asked again, and told, when nothing is believed any more.
        renew(hash, known).catch(() => {});
      }
      return judge(known.found ?? null, address);
    },
    expiryOf(secret) {
      const found = remembered.get(hashOf(secret))?.found;
      const ends = [found?.secret.endsAt, found?.key?.expiresAt].filter((at) => at !== null && at !== undefined);
      return ends.length === 0 ? null : Math.min(...ends);
    },
    forget(whose) {
      forgotten += 1;
      for (const [hash, { found }] of remembered) {
        const isTheirs = 'keyId' in whose ? found?.secret.keyId === whose.keyId : found?.key?.userId === whose.userId;
        if (isTheirs) remembered.delete(hash);
      }
    },
  };
}

function remember(map: Map<string, Remembered>, hash: string, entry: Remembered): void {
  map.set(hash, entry);
  if (map.size <= MAX_REMEMBERED) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

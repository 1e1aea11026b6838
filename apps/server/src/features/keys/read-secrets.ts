import type { Database } from '../../platform/db/types.ts';
import type { UserRow, UserStore } from '../auth/index.ts';
import type { KeyRows } from './store.ts';
import type { KeyRow, SecretRow } from './types.ts';

/** A secret that is known, with its key and the key's owner; null: deleted. */
export interface Found {
  secret: SecretRow;
  key: KeyRow | null;
  owner: UserRow | null;
}
/** What was read, and what `stamp` said just before the statement began. */
export interface ReadAnswer<S> {
  found: Found | null;
  stamp: S;
}
interface Waiting {
  answer: Promise<ReadAnswer<unknown>>;
  settle(answer: ReadAnswer<unknown>): void;
  fail(error: unknown): void;
}

/** Secrets per statement: far below what either engine binds. */
const CHUNK = 200;

/**
 * Reads secrets by hash, all that are asked for in one turn of the event loop together: a thousand keys in use are read again twice a second, and
 * one statement for each of them would be all that a database does. Batches do not wait for each other: one that hangs holds nobody else up.
 */
export function createSecretReader<S>(deps: {
  database: Database;
  rows: KeyRows;
  users: Pick<UserStore, 'findAll'>;
  stamp: () => S;
}): (hash: string) => Promise<ReadAnswer<S>> {
  const { database, rows, users } = deps;
  let gathered = new Map<string, Waiting>();

  const read = async (hashes: readonly string[]): Promise<Map<string, Found>> => {
    const secrets = await rows.findSecrets(database.reads.app, hashes);
    const ownerIds = new Set(secrets.flatMap(({ key }) => key?.userId ?? []));
    const owners = new Map((await users.findAll([...ownerIds])).map((owner) => [owner.id, owner]));
    return new Map(
      secrets.map(({ secret, key }) => [secret.hash, { secret, key, owner: (key && owners.get(key.userId)) ?? null }] as const),
    );
  };
  const answer = async (batch: readonly (readonly [string, Waiting])[]): Promise<void> => {
    const stamp = deps.stamp();
    try {
      const found = await read(batch.map(([hash]) => hash));
      for (const [hash, { settle }] of batch) settle({ found: found.get(hash) ?? null, stamp });
    } catch (error) {
      for (const [, { fail }] of batch) fail(error);
    }
  };
  const begin = () => {
    const batch = [...gathered];
    gathered = new Map();
    for (let at = 0; at < batch.length; at += CHUNK) void answer(batch.slice(at, at + CHUNK));
  };

  return (hash) => {
    let waiting = gathered.get(hash);
    if (!waiting) {
      if (gathered.size === 0) setImmediate(begin);
      const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer<unknown>>();
      gathered.set(hash, (waiting = { answer: promise, settle: resolve, fail: reject }));
    }
    return waiting.answer as Promise<ReadAnswer<S>>;
  };
}

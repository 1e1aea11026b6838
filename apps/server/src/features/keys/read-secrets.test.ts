import { describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/types.ts';
import type { UserRow } from '../auth/index.ts';
import { createSecretReader } from './read-secrets.ts';
import type { KeyRows } from './store.ts';
import type { KeyRow, SecretRow } from './types.ts';

const stored = (hash: string) => ({
  secret: { hash, keyId: `key-${hash}` } as SecretRow,
  key: hash === 'ended' ? null : ({ id: `key-${hash}`, userId: hash === 'orphan' ? 'nobody' : 'usr_1' } as KeyRow),
});

/** A reader over a store that knows everything but hashes that begin with `x`, with its statements. */
function reader(fail = false) {
  const statements: string[][] = [];
  const rows = {
    async findSecrets(_db: unknown, hashes: readonly string[]) {
      statements.push([...hashes]);
      if (fail) throw new Error('away');
      return hashes.filter((hash) => !hash.startsWith('x')).map(stored);
    },
  } as unknown as KeyRows;
  const users = { findAll: async (ids: readonly string[]) => ids.filter((id) => id === 'usr_1').map((id) => ({ id }) as UserRow) };
  let stamps = 0;
  const read = createSecretReader({
    database: { reads: { app: null } } as unknown as Database,
    rows,
    users,
    stamp: () => (stamps += 1),
  });
  return { read, statements };
}

describe('reading whose keys these are', () => {
  it('all that are asked for in one turn are read by one statement, each once', async () => {
    const { read, statements } = reader();
    const answers = await Promise.all(['a', 'b', 'a', 'xyz', 'ended', 'orphan'].map(read));
    expect(statements).toEqual([['a', 'b', 'xyz', 'ended', 'orphan']]);
    expect(answers.map(({ found }) => [found?.secret.hash, found?.key?.id, found?.owner?.id])).toEqual([
      ['a', 'key-a', 'usr_1'],
      ['b', 'key-b', 'usr_1'],
      ['a', 'key-a', 'usr_1'],
      [undefined, undefined, undefined],
      ['ended', undefined, undefined],
      ['orphan', 'key-orphan', undefined],
    ]);
  });

  it('what is asked for after a statement began is read by another one, with a later stamp', async () => {
    const { read, statements } = reader();
    const first = await read('a');
    const second = await read('a');
    expect(statements).toHaveLength(2);
    expect(second.stamp).toBeGreaterThan(first.stamp);
  });

  it('thousands at once are read in parts that an engine can bind, and nobody is left out', async () => {
    const { read, statements } = reader();
    const hashes = Array.from({ length: 1_001 }, (_, n) => `h${n}`);
    const answers = await Promise.all(hashes.map(read));
    expect(answers.map(({ found }) => found?.secret.hash)).toEqual(hashes);
    expect(Math.max(...statements.map((hashesOfOne) => hashesOfOne.length))).toBeLessThanOrEqual(200);
  });

  it('a failure is told to everybody who waits, and the next one is asked anew', async () => {
    const { read, statements } = reader(true);
    const answers = await Promise.allSettled(['a', 'b'].map(read));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(read('a')).rejects.toThrow('away');
    expect(statements).toHaveLength(2);
  });
});

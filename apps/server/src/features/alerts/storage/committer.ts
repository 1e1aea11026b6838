import { AppError } from '../../../platform/app-error.ts';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Database, WriterLock } from '../../../platform/db/types.ts';
import type { Log } from '../../../platform/log.ts';
import type { BatchRows } from './batch.ts';
import { FencedError, META, type AlertStore, type PresenceMark } from './store.ts';

/** Everything the committer needs to know about a batch. */
export interface Commit {
  rows: BatchRows;
  /** Head before it. */
  headSeq: number;
  presence: PresenceMark | null;
}

/** The right to write, and commits whose outcome is always known before anything else happens. */
export interface Committer {
  /** True when the right is held and nothing is in doubt. */
  isReady(): boolean;
  /**
   * Takes the right (again). Resolves with the fate of a commit that was in doubt, or `none`.
   * Rejects with server.database_unavailable when another process is the writer or the database is away.
   */
  claim(): Promise<'none' | 'committed' | 'lost'>;
  /** Resolves once the batch is durable. Rejects when it certainly is not; when that cannot be known, with `InDoubt`. */
  commit(commit: Commit): Promise<void>;
  /** True when the last attempt found another process in possession of the right. */
  isTaken(): boolean;
  /** Number of the right held: grows with every change of hands. Null without it. */
  term(): number | null;
  release(): Promise<void>;
}

/** COMMIT was sent and no answer came: `claim` finds out. */
export class InDoubt extends Error {
  override readonly name = 'InDoubt';
}

export interface CommitterDeps {
  database: Database;
  store: AlertStore;
  log: Log;
  pause: () => Promise<void>;
}

export function createCommitter({ database, store, log, pause }: CommitterDeps): Committer {
  let lock: WriterLock | null = null;
  let token: string | null = null;
  let count = 0;
  let inDoubt: string | null = null;
  let taken = false;

  const isReady = () => token !== null && inDoubt === null && lock?.held() === true;
  const drop = async () => {
    token = null;
    const old = lock;
    lock = null;
    await old?.release().catch(() => {});
  };
  const claim = async (): Promise<'none' | 'committed' | 'lost'> => {
    try {
      if (!lock?.held()) {
        await drop();
        taken = false;
        lock = await database.engine.tryWriterLock();
        taken = lock === null;
        if (!lock) throw new AppError('server.database_unavailable', { public: 'Another process is the writer.', retryAfterSeconds: 1 });
      }
      // Raising the token waits for a transaction that still hangs in the server, so the answer below is final.
      token = await store.claimToken();
      if (inDoubt === null) return 'none';
      const fate = (await store.meta(META.lastBatch)) === inDoubt ? 'committed' : 'lost';
      log.warn({ batch: inDoubt, fate }, 'The outcome of a commit was in doubt and is known now.');
      inDoubt = null;
      return fate;
    } catch (error) {
      token = null;
      throw databaseFault(error);
    }
  };
  const commit = async ({ rows, headSeq, presence }: Commit) => {
    if (token === null) throw new Error('commit without the right to write');
    count += 1;
    const batchId = `${token}:${count}`;
    let sent = false;
    try {
      await store.write(rows, { token, headSeq, batchId, presence, pause }, () => {
        sent = true;
      });
    } catch (error) {
      if (error instanceof FencedError) await drop();
      if (!sent) throw databaseFault(error);
      inDoubt = batchId;
      throw new InDoubt('no answer to COMMIT', { cause: error });
    }
  };
  return { isReady, claim, commit, isTaken: () => taken, term: () => (token === null ? null : Number(token)), release: drop };
}

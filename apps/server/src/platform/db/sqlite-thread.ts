import { Worker } from 'node:worker_threads';
import type { SqlAnswer } from './sqlite-statements.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask } from './sqlite-worker.ts';
import type { PartName } from './types.ts';

export interface SqliteThread {
  run(part: PartName, sql: string, parameters: readonly unknown[]): Promise<SqlAnswer>;
  close(): Promise<void>;
}

/** SQLite's code for an input/output error: what a caller sees of a thread that died with its statement. */
const SQLITE_IOERR = 10;

/**
 * Memory of the threads' own heaps. A reader holds one piece of an answer at a time; a writer holds the rows of a message. The runtime would let them grow to
 * gigabytes before it cleans up.
 */
const READER_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };
const WRITER_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

/**
 * Main-thread side of a SQLite worker. A worker that dies takes its open transaction with it (SQLite rolls back) and is started
 * again by the next statement. `eager` starts it now, to have it warm when it is needed.
 */
export function createSqliteThread(setup: WorkerSetup, eager: boolean): SqliteThread {
  const waiting = new Map<number, PromiseWithResolvers<SqlAnswer> & { rows: unknown[] }>();
  let worker: Worker | null = null;
  let lastId = 0;

  const start = () => {
    const resourceLimits = setup.mode === 'read' ? READER_LIMITS : WRITER_LIMITS;
    const started = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: setup, resourceLimits });
    started.unref();
    started.on('message', (reply: WorkerAnswer) => {
      const promise = waiting.get(reply.id);
      if ('rows' in reply) {
        for (const row of reply.rows) promise?.rows.push(row);
        return;
      }
      waiting.delete(reply.id);
      if ('answer' in reply) promise?.resolve(promise.rows.length === 0 ? reply.answer : wholeAnswer(promise.rows, reply.answer));
      else promise?.reject(sqliteError(reply.error.message, reply.error.errcode));
      if (waiting.size === 0) started.unref();
    });
    const failAll = (message: string) => {
      if (worker !== started) return;
      worker = null;
      for (const each of waiting.values()) each.reject(sqliteError(message, SQLITE_IOERR));
      waiting.clear();
    };
    started.on('error', (error) => failAll(`the database thread failed: ${String(error)}`));
    started.on('exit', () => failAll('the database thread ended'));
    return started;
  };
  if (eager) worker = start();
  return {
    run(part, sql, parameters) {
      const promise = { ...Promise.withResolvers<SqlAnswer>(), rows: [] };
      const id = (lastId += 1);
      waiting.set(id, promise);
      worker ??= start();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      worker.postMessage({ id, part, sql, parameters } satisfies WorkerTask);
      return promise.promise;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

function wholeAnswer(before: unknown[], { rows, changes }: SqlAnswer): SqlAnswer {
  for (const row of rows) before.push(row);
  return { rows: before, changes };
}

function sqliteError(message: string, errcode: number | null): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

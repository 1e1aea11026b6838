import { parentPort, workerData } from 'node:worker_threads';
import { openForReading, openForWriting } from './sqlite-file.ts';
import { type RunInPieces, type SqlAnswer, statementRunner } from './sqlite-statements.ts';
import type { PartName } from './types.ts';

/** What the main thread sends and gets back, one statement at a time. */
export interface WorkerTask {
  id: number;
  part: PartName;
  sql: string;
  parameters: readonly unknown[];
}
/** `rows`: some of the answer, others follow. */
export type WorkerAnswer = { id: number } & (
  | { rows: unknown[] }
  | { answer: SqlAnswer }
  | { error: { message: string; errcode: number | null } }
);

/** Role of a worker: `read` answers long reads, `write` holds the one writing connection of a part. */
export interface WorkerSetup {
  mode: 'read' | 'write';
  files: Record<PartName, string>;
}

/** SQLite away from the event loop: neither a long read nor the fsync of a commit holds up a request. */
const { mode, files } = workerData as WorkerSetup;
const connections = new Map<PartName, RunInPieces>();

function connection(part: PartName): RunInPieces {
  let run = connections.get(part);
  if (!run) {
    run = statementRunner(mode === 'write' ? openForWriting(files[part]) : openForReading(files[part]));
    connections.set(part, run);
  }
  return run;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
const send = (reply: WorkerAnswer) => parentPort?.postMessage(reply);

parentPort?.on('message', ({ id, part, sql, parameters }: WorkerTask) => {
  try {
    send({ id, answer: connection(part)(sql, parameters, (rows) => send({ id, rows })) });
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    send({ id, error: { message: error instanceof Error ? error.message : String(error), errcode } });
  }
});

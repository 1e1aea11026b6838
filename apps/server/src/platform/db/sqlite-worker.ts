import { parentPort, workerData } from 'node:worker_threads';
import { openForReading, openForWriting } from './sqlite-file.ts';
import { statementRunner, type SqlAnswer } from './sqlite-statements.ts';
import type { PartName } from './types.ts';

/** What the main thread sends and gets back, one statement at a time. */
export interface WorkerTask {
  id: number;
  part: PartName;
  sql: string;
  parameters: readonly unknown[];
}
export type WorkerAnswer = { id: number } & ({ answer: SqlAnswer } | { error: { message: string; errcode: number | null } });

/** Role of a worker: `read` answers long reads, `write` holds the one writing connection of a part. */
export interface WorkerSetup {
  mode: 'read' | 'write';
  files: Record<PartName, string>;
}

/** SQLite away from the event loop: neither a long read nor the fsync of a commit holds up a request. */
const { mode, files } = workerData as WorkerSetup;
const connections = new Map<PartName, (sql: string, parameters: readonly unknown[]) => SqlAnswer>();

function connection(part: PartName) {
  let run = connections.get(part);
  if (!run) {
    run = statementRunner(mode === 'write' ? openForWriting(files[part]) : openForReading(files[part]));
    connections.set(part, run);
  }
  return run;
}

parentPort?.on('message', (task: WorkerTask) => {
  let reply: WorkerAnswer;
  try {
    reply = { id: task.id, answer: connection(task.part)(task.sql, task.parameters) };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    reply = { id: task.id, error: { message: error instanceof Error ? error.message : String(error), errcode } };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  parentPort?.postMessage(reply);
});

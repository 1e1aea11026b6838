import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for "another connection holds the lock". */
const SQLITE_BUSY = 5;

/**
 * Keeps a second process away from a data folder. The lock is an exclusive transaction on an empty SQLite file, so the operating
 * system drops it when its owner dies: nothing goes stale, and re-used process numbers (containers) cannot confuse it. The pid is
 * written beside it only for the message. Returns the release. Throws with folder and pid when the owner lives.
 */
export function lockDirectory(dir: string, pid: number = process.pid): () => void {
  const unlock = tryLockDirectory(dir, pid);
  if (unlock) return unlock;
  throw new Error(
    `The data folder ${dir} is in use by process ${readOwner(pidPathOf(dir))}. Stop that process first, or give this one another DATA_DIR.`,
  );
}

const pidPathOf = (dir: string) => join(dir, 'nwms.pid');

/** The same; null when the owner lives. */
export function tryLockDirectory(dir: string, pid: number = process.pid): (() => void) | null {
  const lock = new DatabaseSync(join(dir, 'nwms.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    return null;
  }
  writeFileSync(pidPathOf(dir), `${pid}\n`);
  return () => lock.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}

import { DatabaseSync } from 'node:sqlite';

/** `PRAGMA synchronous` value that fsyncs every commit. */
const SYNCHRONOUS_FULL = 2;
/** Waits for another connection of this process (a checkpoint, the other thread). */
const BUSY_TIMEOUT_MS = 5_000;
/** Part of a file that each reader reads without copying (128 MB): it counts as memory of the process, though the system takes it back at need. */
const MMAP_BYTES = 134_217_728;

/** A connection that may write, with the settings that make acknowledged data durable. Throws when the file cannot keep them (B4). */
export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    assertDurable(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  db.exec(`PRAGMA query_only = ON; PRAGMA mmap_size = ${MMAP_BYTES};`);
  return db;
}

/** B4: alerts and keys that were acknowledged must survive a power cut, so weaker settings refuse to start. */
export function assertDurable(db: DatabaseSync, path: string): void {
  const mode = String(db.prepare('PRAGMA journal_mode').get()?.['journal_mode']);
  const synchronous = Number(db.prepare('PRAGMA synchronous').get()?.['synchronous']);
  if (mode !== 'wal' || synchronous < SYNCHRONOUS_FULL) {
    throw new Error(`${path} would not keep acknowledged data over a power cut: journal_mode=${mode}, synchronous=${synchronous}.`);
  }
}

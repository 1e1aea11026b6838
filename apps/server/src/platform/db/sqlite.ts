import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sqliteDialect } from './sqlite-driver.ts';
import { openForWriting } from './sqlite-file.ts';
import { lockDirectory, tryLockDirectory } from './sqlite-lock.ts';
import { type RunSql, statementRunner } from './sqlite-statements.ts';
import { createSqliteThread } from './sqlite-thread.ts';
import { PARTS, type Engine, type EngineParts, type PartName } from './types.ts';

/** Threads for long reads of alert history: with two, a long question does not hold up all others. */
const READERS = 2;

/**
 * SQLite: three files in a folder. `log` and `usage` take whole batches with their fsync, so the one writing connection of each lives in
 * a thread of its own; `app` writes little at a time, here. Reads that may take long go to further threads: one for `usage`, so that
 * analytics never make alert history wait. `beside`: a folder that a server has is opened all the same.
 */
export function openSqlite(dir: string, beside = false): EngineParts {
  mkdirSync(dir, { recursive: true });
  let unlock = beside ? tryLockDirectory(dir) : lockDirectory(dir);
  const isAlone = unlock !== null;
  const share = () => {
    unlock?.();
    unlock = null;
  };
  const files = mapParts((part) => join(dir, `${part}.db`));
  const opened: DatabaseSync[] = [];
  const close = () => {
    for (const db of opened) db.close();
    share();
  };
  try {
    // Opened here once in any case: that makes the file and refuses settings that lose data, before anything starts.
    const here = mapParts((part) => {
      const db = openForWriting(files[part]);
      if (part !== 'app') db.close();
      else opened.push(db);
      return db;
    });
    const readers = Array.from({ length: READERS }, () => createSqliteThread({ mode: 'read', files }, false));
    // Both at once: migrations need them, and two threads start in the time of one.
    const writers = { log: createSqliteThread({ mode: 'write', files }, true), usage: createSqliteThread({ mode: 'write', files }, true) };
    const usageReader = createSqliteThread({ mode: 'read', files }, false);
    const threads = [writers.log, writers.usage, ...readers, usageReader];
    return {
      engine: sqliteEngine,
      dialects: mapParts((part) =>
        sqliteDialect(part === 'app' ? statementRunner(here[part]) : (sql, parameters) => writers[part].run(part, sql, parameters)),
      ),
      readDialects: mapParts((part) =>
        sqliteDialect(
          ...(part === 'usage' ? [usageReader] : readers).map(
            (thread): RunSql =>
              (sql, parameters) =>
                thread.run(part, sql, parameters),
          ),
        ),
      ),
      schemaOf: () => null,
      isAlone,
      share,
      async close() {
        await Promise.all(threads.map((thread) => thread.close()));
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The folder lock makes this process the only writer, and no other process reads the files while it runs. */
const sqliteEngine: Engine = {
  kind: 'sqlite',
  lockRow: '',
  shareRow: '',
  tryWriterLock: async () => ({ held: () => true, release: async () => {} }),
  breakWriterLock: async () => {},
  serve: () => {},
  allowLongWrites: async () => {},
  hint: async () => {},
  onHint: async () => ({ isAlive: () => true, stop: async () => {} }),
};

function mapParts<T>(make: (part: PartName) => T): Record<PartName, T> {
  return Object.fromEntries(PARTS.map((part) => [part, make(part)])) as Record<PartName, T>;
}

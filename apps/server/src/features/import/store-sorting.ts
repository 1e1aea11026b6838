import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RawRow } from '@nwms/domain';

export interface SortedRow {
  line: number;
  raw: RawRow;
}

/**
 * Brings together the rows of one event, which archives scatter over the whole file, on disk and not in memory: a file of the system's
 * temporary folder that nobody needs after a crash.
 */
export interface Sorting {
  add(key: string, line: number, raw: RawRow): void;
  /** Keys in order, each with its rows in the order of the file. Nothing can be added after it. */
  groups(): Generator<{ key: string; rows: SortedRow[] }>;
  close(): void;
}

const PREFIX = 'nwms-import-';
/** Rows per transaction: the file needs no durability, only speed. */
const ROWS_PER_COMMIT = 5_000;

export function createSorting(folder = tmpdir()): Sorting {
  removeLeftovers(folder);
  const dir = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
  const db = new DatabaseSync(join(dir, 'rows.db'));
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;');
  db.exec('CREATE TABLE rows (key TEXT NOT NULL, line INTEGER NOT NULL, raw TEXT NOT NULL); BEGIN');
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?)');
  let open = 0;
  return {
    add(key, line, raw) {
      insert.run(key, line, JSON.stringify(raw));
      open += 1;
      if (open % ROWS_PER_COMMIT === 0) db.exec('COMMIT; BEGIN');
    },
    *groups() {
      db.exec('COMMIT; CREATE INDEX rows_key ON rows (key)');
      let key: string | null = null;
      let rows: SortedRow[] = [];
      for (const row of db.prepare('SELECT key, line, raw FROM rows ORDER BY key, rowid').iterate()) {
        const next = String(row['key']);
        if (key !== null && next !== key) {
          yield { key, rows };
          rows = [];
        }
        key = next;
        rows.push({ line: Number(row['line']), raw: JSON.parse(String(row['raw'])) as RawRow });
      }
      if (key !== null) yield { key, rows };
    },
    close() {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Folders of imports that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if (isAlive(pid)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

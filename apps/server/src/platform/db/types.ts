import type { Dialect, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where the data lives: a folder of SQLite files, or one PostgreSQL database (`usageUrl`: with usage in another). */
export type DatabaseConfig = { kind: 'sqlite'; dir: string } | { kind: 'postgres'; url: string; usageUrl?: string };

/**
 * The three parts. Ids are the only link between them, so that `usage` never blocks the others and can move away.
 * SQLite: three files; PostgreSQL: three schemas.
 */
export const PARTS = ['app', 'log', 'usage'] as const;
export type PartName = (typeof PARTS)[number];

/** A part before its owner names the tables: `part.withTables<MyTables>()`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- no table is known here; slices name their own
export type Part = Kysely<{}>;

/**
 * Runs in place of every statement (also `begin`, `commit`, `rollback`); tests use it to fail, hang or cut. `onConnection` runs
 * another statement on the same connection, e.g. one that ends it.
 */
export type AroundStatement = <R>(sql: string, run: () => Promise<R>, onConnection: (sql: string) => Promise<void>) => Promise<R>;

/** The right to be the only writer of the log, over all processes. */
export interface WriterLock {
  /** False once the lock may be somebody else's: the holder must claim again before it writes. */
  held(): boolean;
  release(): Promise<void>;
}

/** A listener for hints of other processes. */
export interface Hints {
  /** False once its connection is gone: nothing will be heard any more. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** What differs between the engines and cannot be said in portable SQL. One implementation per engine. */
export interface Engine {
  readonly kind: DatabaseConfig['kind'];
  /** Lock clause that makes a row read wait for another writer's open transaction; empty where one connection writes. */
  readonly lockRow: '' | ' for update';
  /** The same for readers that do not wait for each other, only for who has the row by `lockRow`, and the other way round. */
  readonly shareRow: '' | ' for share';
  /** Null = another process is the writer. */
  tryWriterLock(): Promise<WriterLock | null>;
  /** Ends the session that holds the writer lock: for a holder that shows no sign of life. Its open transaction is rolled back. */
  breakWriterLock(): Promise<void>;
  /** Lets one long write transaction take longer than the statement limit of reads. */
  allowLongWrites(transaction: Part): Promise<void>;
  /** A start takes its time; from this call on somebody waits for every answer, and gives up on a connection soon (I5). */
  serve(): void;
  /** Tells other processes that the log grew. A hint only: they also look by themselves. */
  hint(): Promise<void>;
  onHint(listener: () => void): Promise<Hints>;
}

export interface Database extends Record<PartName, Part> {
  readonly engine: Engine;
  /** Another process had it when it was opened. */
  readonly isShared: boolean;
  /** Quoted name of a table for hand-written statements, with its schema where there is one. */
  table(part: PartName, name: string): string;
  /** For reads that may take long: a worker thread under SQLite, the pool under PostgreSQL. Sees committed data only. */
  readonly reads: Record<PartName, Part>;
  close(): Promise<void>;
}

/** One numbered, forward-only step. Portable SQL; the same list runs on both engines. */
export type MigrationList = Record<PartName, Record<string, Migration>>;

export interface DatabaseOptions {
  migrations: MigrationList;
  /**
   * Opens it beside a server that may be running on it, for a short-lived command: the folder of SQLite files is not kept for this process. While a
   * server has it, nothing is migrated; a server of another version is refused.
   */
  beside?: boolean;
  around?: AroundStatement;
}

/** Dialects of one engine, ready for Kysely. */
export interface EngineParts {
  engine: Engine;
  dialects: Record<PartName, Dialect>;
  readDialects: Record<PartName, Dialect>;
  /** Schema that holds the part, null when the part is a file of its own. */
  schemaOf(part: PartName): string | null;
  /** False when another process has the place and this one is only beside it. */
  isAlone: boolean;
  /** Lets another process have the place too. */
  share(): void;
  close(): Promise<void>;
}

import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { RunSql } from './sqlite-statements.ts';

/** Kysely over one SQLite connection. Callers take turns: a transaction holds the connection until it ends. */
export function sqliteDialect(run: RunSql): Dialect {
  return {
    createDriver: () => new OneConnectionDriver(run),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class OneConnection implements DatabaseConnection {
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const answer = await this.#run(query.sql, query.parameters);
    const rows = answer.rows as R[];
    return answer.changes === null ? { rows } : { rows, numAffectedRows: BigInt(answer.changes) };
  }

  // oxlint-disable-next-line require-yield -- rows are read in bounded pages everywhere; nothing streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered: read bounded pages');
  }
}

class OneConnectionDriver implements Driver {
  readonly #connection: OneConnection;
  #tail: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(run: RunSql) {
    this.#connection = new OneConnection(run);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#tail;
    const turn = Promise.withResolvers<void>();
    this.#tail = turn.promise;
    await before;
    this.#release = turn.resolve;
    return this.#connection;
  }

  // IMMEDIATE takes the write lock at once, so a transaction never fails half-way for want of it.
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      // SQLite ends the transaction by itself on a full disk and the like: then there is nothing left to roll back.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async destroy(): Promise<void> {}
}

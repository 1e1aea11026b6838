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

/**
 * Kysely over SQLite connections: one, or for reads several. Callers take turns: a transaction holds its connection until it ends. The connection
 * that was used last is used next, so that the others begin only when one is not enough.
 */
export function sqliteDialect(...connections: readonly RunSql[]): Dialect {
  return {
    createDriver: () => new TurnsDriver(connections),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ReadersAdapter(connections.length > 1),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** By itself Kysely takes SQLite for one connection and lets its callers wait for one another. */
class ReadersAdapter extends SqliteAdapter {
  readonly #isSeveral: boolean;

  constructor(isSeveral: boolean) {
    super();
    this.#isSeveral = isSeveral;
  }

  override get supportsMultipleConnections(): boolean {
    return this.#isSeveral;
  }
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

class TurnsDriver implements Driver {
  readonly #free: DatabaseConnection[];
  readonly #waiting: ((connection: DatabaseConnection) => void)[] = [];

  constructor(connections: readonly RunSql[]) {
    this.#free = connections.map((run) => new OneConnection(run)).reverse();
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const free = this.#free.pop();
    if (free) return free;
    const turn = Promise.withResolvers<DatabaseConnection>();
    this.#waiting.push(turn.resolve);
    return turn.promise;
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

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
  }

  async destroy(): Promise<void> {}
}

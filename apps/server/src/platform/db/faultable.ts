import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult, type TransactionSettings } from 'kysely';
import type { AroundStatement } from './types.ts';

/** Wraps a dialect so that every statement passes through `around`: the seam where tests break the database at any step. */
export function faultable(dialect: Dialect, around: AroundStatement): Dialect {
  return {
    createDriver: () => new FaultableDriver(dialect.createDriver(), around),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

class FaultableConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #around: AroundStatement;

  constructor(inner: DatabaseConnection, around: AroundStatement) {
    this.inner = inner;
    this.#around = around;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#around(query.sql, () => this.inner.executeQuery<R>(query), this.onConnection);
  }

  readonly onConnection = async (sql: string): Promise<void> => {
    await this.inner.executeQuery(CompiledQuery.raw(sql));
  };

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

class FaultableDriver implements Driver {
  readonly #driver: Driver;
  readonly #around: AroundStatement;

  constructor(driver: Driver, around: AroundStatement) {
    this.#driver = driver;
    this.#around = around;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  async acquireConnection(): Promise<FaultableConnection> {
    return new FaultableConnection(await this.#driver.acquireConnection(), this.#around);
  }

  beginTransaction(connection: FaultableConnection, settings: TransactionSettings): Promise<void> {
    return this.#around('begin', () => this.#driver.beginTransaction(connection.inner, settings), connection.onConnection);
  }

  commitTransaction(connection: FaultableConnection): Promise<void> {
    return this.#around('commit', () => this.#driver.commitTransaction(connection.inner), connection.onConnection);
  }

  rollbackTransaction(connection: FaultableConnection): Promise<void> {
    return this.#around('rollback', () => this.#driver.rollbackTransaction(connection.inner), connection.onConnection);
  }

  releaseConnection(connection: FaultableConnection): Promise<void> {
    return this.#driver.releaseConnection(connection.inner);
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

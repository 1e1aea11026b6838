import type { TestEngine } from '@nwms/testkit';
import type { AroundStatement } from './types.ts';

/** refused: not executed. cut: the connection ends before or after the statement was executed; nobody can tell which. */
export type FaultKind = 'refused' | 'cut before' | 'cut after';
export const FAULT_KINDS: readonly FaultKind[] = ['refused', 'cut before', 'cut after'];

/** Breaks one chosen statement of a database that was opened with its `around` (B5). */
export interface Breaker {
  around: AroundStatement;
  /** Breaks the n-th statement from now on, once. */
  arm(n: number, kind: FaultKind): void;
  disarm(): void;
  /** Statements since it was armed. */
  count(): number;
}

export function breaker(engine: TestEngine['name']): Breaker {
  let count = 0;
  let target = Infinity;
  let kind: FaultKind = 'refused';
  // SQLite has no connection to cut: a thread that dies takes its transaction with it, which is a rollback.
  const cut = engine === 'postgres' ? 'select pg_terminate_backend(pg_backend_pid())' : 'rollback';
  return {
    async around(_sql, run, onConnection) {
      count += 1;
      if (count !== target) return run();
      target = Infinity;
      const error = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      if (kind === 'refused') throw error;
      if (kind === 'cut after') await run();
      await onConnection(cut).catch(() => {});
      throw error;
    },
    arm(n, how) {
      count = 0;
      target = n;
      kind = how;
    },
    disarm() {
      target = Infinity;
    },
    count: () => count,
  };
}

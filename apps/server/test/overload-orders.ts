import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** One kind of request of the mix. */
export interface Kind {
  name: string;
  weight: number;
  /** One of them by chance. */
  paths: readonly string[];
  /** Sessions to ask with, in turn. */
  tokens?: readonly string[];
}

/** `callers`: closed loop, each asks again when it was answered. `perSecond`: open loop, so many whatever becomes of them. */
export interface SenderOrder {
  port: number;
  connections: number;
  kinds: readonly Kind[];
  seconds: number;
  callers?: number;
  perSecond?: number;
}

/** What became of the requests of one kind. */
export interface Answered {
  name: string;
  sent: number;
  /** No connection was free: the server did not see it. */
  unsent: number;
  /** The connection ended before the answer. */
  broken: number;
  /** Refusals by 503 that did not say when to come back. */
  withoutRetryAfter: number;
  statuses: Record<number, number>;
  acceptedMs: number[];
  refusedMs: number[];
}

export interface SenderReport {
  seconds: number;
  unanswered: number;
  /** From the last request to the last answer. */
  settledMs: number;
  answered: Answered[];
}

export interface Sender {
  order(order: SenderOrder): Promise<SenderReport>;
  stop(): Promise<void>;
}

/** Callers in a process of their own. */
export function startSender(): Sender {
  const child: ChildProcess = fork(join(import.meta.dirname, 'overload-sender.ts'), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    order: (order) =>
      new Promise((done, fail) => {
        const ended = (code: number | null) => fail(new Error(`the callers ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (report) => {
          child.off('exit', ended);
          done(report as SenderReport);
        });
        child.send(order);
      }),
    async stop() {
      if (child.exitCode === null && child.connected) child.disconnect();
      if (child.exitCode === null) await gone;
    },
  };
}

/** Nearest rank, milliseconds; 0 without values. */
export function rank(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
}

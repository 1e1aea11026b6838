import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { databaseFault } from '../db/faults.ts';
import type { Log } from '../log.ts';
import { every } from './every.ts';

export interface Upkeep {
  name: string;
  intervalMs: number;
  work(signal: AbortSignal): Promise<unknown>;
}

/** What runs beside requests, each by itself. A database that is away is told by health: what needs it just comes again. */
export function createUpkeepJobs(deps: { clock: Clock; random: () => number; log: Log }, all: readonly Upkeep[]) {
  const jobs = all.map(({ name, intervalMs, work }) =>
    every(deps, {
      name,
      intervalMs,
      run: async (signal) => {
        try {
          await work(signal);
          return { kind: 'ok' };
        } catch (error) {
          if (!(databaseFault(error) instanceof AppError)) throw error;
          return { kind: 'failed' };
        }
      },
    }),
  );
  return {
    start() {
      for (const job of jobs) job.start();
    },
    /** Aborts what is under way and waits for it. */
    async stop(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/**
 * How a run ended: `ok` waits the interval, `failed` backs off; `retryAfterSeconds` is the other side's wish and is honoured up to the
 * cap. `again`: the other side did well and we did not; waits the floor, however often, so that our own recovery is not slowed down (I5).
 */
export type RunResult = { kind: 'ok' } | { kind: 'again' } | { kind: 'failed'; retryAfterSeconds?: number | null };

export interface EveryOptions {
  name: string;
  intervalMs: number;
  /** Added at random to every interval (never subtracted: an interval may be a promise to somebody), as a share of it. */
  jitterShare?: number;
  backoff?: Backoff;
  run: (signal: AbortSignal) => Promise<RunResult>;
}

/** Full jitter above a floor: floor + random × min(cap − floor, first × 2^(failures − 1)). */
export interface Backoff {
  floorMs: number;
  firstMs: number;
  capMs: number;
  /** The other side may ask for no more than this. */
  retryAfterCapMs: number;
}

export interface Job {
  start(): void;
  /** Aborts the run under way and waits for it. */
  stop(): Promise<void>;
  /** Runs now, or joins the run under way; the next one follows an interval later. */
  runNow(): Promise<RunResult>;
}

/** Repeats a job, one run in flight at most. A run that throws counts as failed: a schedule never dies of one bad round. */
export function every(deps: { clock: Clock; random: () => number; log: Log }, options: EveryOptions): Job {
  let running: Promise<RunResult> | null = null;
  let abort = new AbortController();
  let cancelTimer: (() => void) | null = null;
  let failures = 0;
  let started = false;

  const runOnce = async (): Promise<RunResult> => {
    try {
      return await options.run(abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) deps.log.error({ err: error, job: options.name }, 'A scheduled job threw');
      return { kind: 'failed' };
    }
  };
  const schedule = (result: RunResult) => {
    if (!started) return;
    cancelTimer?.();
    failures = result.kind === 'failed' ? failures + 1 : 0;
    cancelTimer = deps.clock.after(nextDelayMs(options, result, failures, deps.random), () => void runNow());
  };
  const runNow = (): Promise<RunResult> => {
    if (running) return running;
    cancelTimer?.();
    running = runOnce().then((result) => {
      running = null;
      schedule(result);
      return result;
    });
    return running;
  };

  return {
    start() {
      if (started) return;
      started = true;
      abort = new AbortController();
      void runNow();
    },
    async stop() {
      started = false;
      cancelTimer?.();
      abort.abort();
      await running;
    },
    runNow,
  };
}

/** Wait before the next run, in milliseconds. */
export function nextDelayMs(
  options: Pick<EveryOptions, 'intervalMs' | 'jitterShare' | 'backoff'>,
  result: RunResult,
  failures: number,
  random: () => number,
): number {
  const { intervalMs, jitterShare = 0, backoff } = options;
  if (result.kind === 'ok' || !backoff) return intervalMs * (1 + jitterShare * random());
  if (result.kind === 'again') return backoff.floorMs;
  // 2^20 seconds is beyond every cap; the bound keeps the power finite after days of failures.
  const spread = Math.min(backoff.capMs - backoff.floorMs, backoff.firstMs * 2 ** Math.min(20, Math.max(0, failures - 1)));
  const wished = Math.min(backoff.retryAfterCapMs, (result.retryAfterSeconds ?? 0) * 1_000);
  return Math.max(wished, backoff.floorMs + random() * Math.max(0, spread));
}

import { ApiError, canRetry } from './errors.ts';
import { CAP_MS, type Policy } from './intervals.ts';

/** A server that asks for more patience than this is asked again by the next poll or by hand, not by a retry. */
const LONGEST_ASKED_SECONDS = 60;
const FIRST_DELAY_MS = 1000;

/** Retries of the whole tab, so that a failing server does not meet a storm of our own making. */
export interface RetryBudget {
  /** Takes one retry if any is left. */
  take(): boolean;
}

/** A bucket of `size` retries that gains one every `secondsPerRetry`. */
export function createRetryBudget(now: () => number, size = 20, secondsPerRetry = 3): RetryBudget {
  let left = size;
  let atMs = now();
  return {
    take() {
      const gained = Math.max(0, now() - atMs) / 1000 / secondsPerRetry;
      left = Math.min(size, left + gained);
      atMs = now();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Whether a question that failed `failures` times is asked once more (none on 4xx but 408 and 429, none when flagged: NET-07, NET-10). */
export function mayRetry(failures: number, error: unknown, policy: Pick<Policy, 'retries'>, budget: RetryBudget): boolean {
  if (failures >= policy.retries || !canRetry(error)) return false;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return asked <= LONGEST_ASKED_SECONDS && budget.take();
}

/** Full jitter over a delay doubling from 1 s to the cap; never before the time the server asked for. */
export function retryDelayMs(attempt: number, error: unknown, random: () => number, capMs: number = CAP_MS.standard): number {
  const spread = Math.min(FIRST_DELAY_MS * 2 ** attempt, capMs) * random();
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  return asked === null ? spread : asked * 1000 + FIRST_DELAY_MS * random();
}

/**
 * Milliseconds to the next poll of a question whose last answer was this error (or none), spread by a tenth over the tabs. `spread`: 0 to 1,
 * drawn once per tab: a question that is told another wait begins to wait anew, and screens tell theirs at every render.
 */
export function nextPollMs(everySeconds: number, error: unknown, spread: number): number {
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.max(everySeconds, asked) * 1000 * (1 + spread / 10);
}

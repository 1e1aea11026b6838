import { type QuotaWindow, resetsAt, retryAfterSeconds } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { ScopedState } from './quota/types.ts';

const CODES = { minute: 'quota.minute_exceeded', day: 'quota.day_exceeded', month: 'quota.month_exceeded' } as const;
const WHOSE = { key: 'of this key', account: 'of your account', session: 'of your sessions', address: 'of your address' } as const;
const SPAN: Record<QuotaWindow, string> = { minute: 'per minute', day: 'per day (UTC)', month: 'per month (UTC)' };

/** 429 of a window that is used up: which one, whose, and when the next begins. */
export function exceededError(state: ScopedState, now: number, random: number): AppError {
  const waitSeconds = retryAfterSeconds(state, now, random);
  const reset = new Date(resetsAt(state)).toISOString();
  return new AppError(CODES[state.window], {
    public: `The limit ${WHOSE[state.scope]}, ${state.limit} ${SPAN[state.window]}, is used up. It starts anew at ${reset}.`,
    retryAfterSeconds: waitSeconds,
    members: {
      limit: state.limit,
      window: state.window,
      resets_at: reset,
      scope: state.scope,
      'violated-policies': [state.window],
    },
  });
}

const waitFor = (startsAt: number, now: number) => retryAfterSeconds({ window: 'minute', startsAt }, now, 0);

export const floodError = (startsAt: number, now: number): AppError =>
  new AppError('quota.flood', {
    public: 'Far too many requests. Nothing is answered until the next minute.',
    retryAfterSeconds: waitFor(startsAt, now),
  });

export const guessingError = (startsAt: number, now: number): AppError =>
  new AppError('auth.too_many_attempts', {
    public: 'Too many credentials from this address that are none. Try again in a minute.',
    retryAfterSeconds: waitFor(startsAt, now),
  });

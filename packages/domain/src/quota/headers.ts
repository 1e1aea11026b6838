import type { Instant } from '../alert/vocabulary.ts';
import { type QuotaWindow, windowAt } from './windows.ts';

/** Where a caller stands in one window. */
export interface QuotaState {
  window: QuotaWindow;
  limit: number;
  remaining: number;
  startsAt: Instant;
}

/** Longest time added to the end of a day or month, in seconds: not everybody comes back in the same one. */
const JITTER_SECONDS = 60;

/** Instant at which the window ends. */
export const resetsAt = (state: Pick<QuotaState, 'window' | 'startsAt'>): Instant => windowAt(state.window, state.startsAt).endsAt;

const lengthSeconds = ({ window, startsAt }: QuotaState): number => (windowAt(window, startsAt).endsAt - startsAt) / 1_000;
const secondsUntil = (at: Instant, now: Instant): number => Math.max(0, Math.ceil((at - now) / 1_000));

/**
 * One state per window, the tighter limit and the fewer remaining units of all that count there (a key and its account), in the order of
 * the windows.
 */
export function mergeStates(states: readonly QuotaState[]): QuotaState[] {
  const merged = new Map<QuotaWindow, QuotaState>();
  for (const state of states) {
    const other = merged.get(state.window);
    merged.set(
      state.window,
      other
        ? {
            ...state,
            limit: Math.min(state.limit, other.limit),
            remaining: Math.min(state.remaining, other.remaining),
            startsAt: Math.max(state.startsAt, other.startsAt),
          }
        : state,
    );
  }
  return [...merged.values()];
}

/** `RateLimit-Policy`: a structured field list, e.g. `"minute";q=60;w=60`. */
export const policyField = (states: readonly QuotaState[]): string =>
  states.map((state) => `"${state.window}";q=${state.limit};w=${lengthSeconds(state)}`).join(', ');

/** The state with the fewest remaining units, of equal ones the longest window. */
export function tightest(states: readonly QuotaState[]): QuotaState | null {
  return states.reduce<QuotaState | null>(
    (found, state) => (found === null || state.remaining < found.remaining || isLongerTie(state, found) ? state : found),
    null,
  );
}

const isLongerTie = (state: QuotaState, other: QuotaState): boolean =>
  state.remaining === other.remaining && lengthSeconds(state) > lengthSeconds(other);

/** `RateLimit`: the tightest policy, e.g. `"minute";r=59;t=12`. */
export const limitField = (state: QuotaState, now: Instant): string =>
  `"${state.window}";r=${state.remaining};t=${secondsUntil(resetsAt(state), now)}`;

/** `Retry-After` in whole seconds: never before the window ends, and for days and months up to a minute later by `random` (0 to 1). */
export function retryAfterSeconds(state: Pick<QuotaState, 'window' | 'startsAt'>, now: Instant, random: number): number {
  const jitter = state.window === 'minute' ? 0 : Math.floor(random * (JITTER_SECONDS + 1));
  return Math.max(1, secondsUntil(resetsAt(state), now)) + Math.min(jitter, JITTER_SECONDS);
}

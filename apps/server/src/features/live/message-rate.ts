import type { Clock } from '../../platform/clock.ts';
import type { LiveLimits } from './types.ts';

/** A second excess within this after the first ends the connection (LV27). */
const WARNED_FOR_MS = 60_000;

export type RateVerdict = 'ok' | 'warn' | 'end';

/** LV27: 10 messages per second with bursts of 20. The first excess is dropped with a warning, the next within a minute is the end. */
export class MessageRate {
  readonly #limits: LiveLimits;
  readonly #clock: Clock;
  #tokens: number;
  #filledMs: number;
  #warnedMs = -Infinity;

  constructor(limits: LiveLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#tokens = limits.messageBurst;
    this.#filledMs = clock.monotonicMs();
  }

  take(): RateVerdict {
    const nowMs = this.#clock.monotonicMs();
    const { messagesPerSecond, messageBurst } = this.#limits;
    this.#tokens = Math.min(messageBurst, this.#tokens + ((nowMs - this.#filledMs) / 1_000) * messagesPerSecond);
    this.#filledMs = nowMs;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return 'ok';
    }
    if (nowMs - this.#warnedMs < WARNED_FOR_MS) return 'end';
    this.#warnedMs = nowMs;
    return 'warn';
  }
}

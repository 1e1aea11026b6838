import type { AlertMessage, Instant } from '@nwms/domain';

/** How long after `sent` messages were first seen here: the honest side of "live". */
export interface SeenDelays {
  record(messages: readonly AlertMessage[]): void;
  /** Over the last 24 hours, in seconds; nulls while there is nothing to measure. */
  summary(now: Instant): { p50: number | null; p90: number | null; p99: number | null; n: number };
}

const DAY_MS = 86_400_000;
/** A day of an outbreak; older samples leave first. */
const MAX_SAMPLES = 10_000;

export function createSeenDelays(): SeenDelays {
  let samples: { at: Instant; seconds: number }[] = [];
  return {
    record(messages) {
      for (const { receivedAt, sent } of messages) samples.push({ at: receivedAt, seconds: Math.max(0, (receivedAt - sent) / 1_000) });
      if (samples.length > MAX_SAMPLES) samples = samples.slice(-MAX_SAMPLES);
    },
    summary(now) {
      const seconds = samples
        .filter(({ at }) => at > now - DAY_MS)
        .map((sample) => sample.seconds)
        .sort((a, b) => a - b);
      const quantile = (share: number) => {
        const value = seconds[Math.max(0, Math.ceil(share * seconds.length) - 1)];
        return value === undefined ? null : Math.round(value * 10) / 10;
      };
      return { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), n: seconds.length };
    },
  };
}

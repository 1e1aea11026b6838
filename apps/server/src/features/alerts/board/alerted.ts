import type { EventState, Instant } from '@nwms/domain';

/** The ticker puts Severe and Extreme alerts first for this long after they were issued or escalated (60 minutes). */
const NEWS_MS = 3_600_000;

/** Our clock at the last `issued` or `escalated` version; null for what was first seen after it was over. */
export function lastAlertedAt(event: EventState): Instant | null {
  return event.versions.findLast(({ kind }) => kind === 'issued' || kind === 'escalated')?.receivedAt ?? null;
}

/** First instant at which the event is no news any more; -Infinity if it never was. */
export function freshAlertEndsAt(event: EventState): Instant {
  const at = lastAlertedAt(event);
  return at === null ? -Infinity : at + NEWS_MS + 1;
}

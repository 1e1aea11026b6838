import { type EventState, evaluate, type Instant } from '@nwms/domain';
import { expiringFrom, isZoneOver, spanOf } from '@nwms/domain/alert/evaluate';
import { freshAlertEndsAt } from './alerted.ts';

/** Over events stay on the board this long (7 days), so that "what was here this week" needs no archive. */
export const BOARD_KEEP_MS = 7 * 86_400_000;

/**
 * Next instant at which the row of this event reads differently by the clock alone, or leaves the board; Infinity if never. Made
 * from what `evaluate` looks at and not from what the writer still has to tell: a row never waits for the log.
 */
export function rowDueAt(event: EventState, now: Instant): Instant {
  const { endedAt, isActive } = evaluate(event, now);
  const live = event.zones.filter((zone) => !isZoneOver(zone, now));
  // Zones have their own times (several segments of one event), and a row names the state of each.
  const turns = live.flatMap((zone) => [zone.from, expiringFrom(zone), zone.until]);
  if (live.length > 0) turns.push(expiringFrom(spanOf(live)));
  turns.push(event.expires, event.withdrawnAt, freshAlertEndsAt(event), isActive || endedAt === null ? null : endedAt + BOARD_KEEP_MS);
  let due = Infinity;
  for (const at of turns) if (at !== null && at > now && at < due) due = at;
  return due;
}

/** True once the event is over for longer than the board keeps. */
export function hasLeft(event: EventState, now: Instant): boolean {
  const { endedAt, isActive } = evaluate(event, now);
  return !isActive && endedAt !== null && now - endedAt >= BOARD_KEEP_MS;
}

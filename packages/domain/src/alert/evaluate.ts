import { HOUR_MS, MINUTE_MS } from '../time/timestamp.ts';
import type { EventState, EventVersion, ZoneState } from './event.ts';
import type { Window } from './in-force.ts';
import type { Instant, State, StateReason } from './vocabulary.ts';

export interface Evaluation {
  state: State;
  reason: StateReason;
  /** Issued and not over; upcoming counts as active, as in NWS's own list. */
  isActive: boolean;
  inForceFrom: Instant;
  /** Null = until further notice. */
  inForceUntil: Instant | null;
  endedAt: Instant | null;
  /** `expires` has passed while active: the text is stale, the hazard is not over (trap 15). */
  textOverdue: boolean;
}

/** What holds for the event at an instant (the table of docs/alert-states.md, first row that fits). */
export function evaluate(event: EventState, at: Instant): Evaluation {
  return evaluateZones(event, event.zones, at);
}

/** What holds for one message row: superseded as soon as it speaks for no zone any more. */
export function evaluateMessage(event: EventState, messageId: string, at: Instant): Evaluation {
  const zones = event.zones.filter((zone) => zone.messageId === messageId);
  if (zones.length > 0) return evaluateZones(event, zones, at);
  const successor = successorOf(event, messageId);
  return {
    state: 'superseded',
    reason: supersededReason(event, messageId, successor),
    isActive: false,
    inForceFrom: event.from,
    inForceUntil: event.until,
    endedAt: successor?.sent ?? event.updatedAt,
    textOverdue: false,
  };
}

/** What holds for one zone. A code the event never named is reported as ended: the event does not affect it. */
export function evaluateZone(event: EventState, code: string, at: Instant): Evaluation {
  return evaluateZones(
    event,
    event.zones.filter((zone) => zone.code === code),
    at,
  );
}

/** When the event is over as far as known now; null = open. For indexes. */
export function overAt(event: EventState): Instant | null {
  let latest = -Infinity;
  for (const zone of event.zones) {
    const end = endOf(zone);
    if (end === null) return event.withdrawnAt;
    latest = Math.max(latest, end);
  }
  if (event.withdrawnAt !== null) latest = Math.min(latest, event.withdrawnAt);
  return latest === -Infinity ? event.from : latest;
}

/** Ended by a message now (whatever the clock says), or by the clock at `until`. */
export function isZoneOver(zone: ZoneState, at: Instant): boolean {
  if (zone.over && zone.over.how !== 'expired') return true;
  return zone.until !== null && zone.until <= at;
}

function endOf(zone: ZoneState): Instant | null {
  return zone.over && zone.over.how !== 'expired' ? zone.over.at : zone.until;
}

function evaluateZones(event: EventState, zones: readonly ZoneState[], at: Instant): Evaluation {
  const live = zones.filter((zone) => !isZoneOver(zone, at));
  if (live.length === 0) return over(event, zones);
  const window = spanOf(live);
  const common = { inForceFrom: window.from, inForceUntil: window.until };
  if (event.withdrawnAt !== null && event.withdrawnAt <= at) {
    const ended = { isActive: false, endedAt: event.withdrawnAt, textOverdue: false };
    return { state: 'withdrawn', reason: 'absent_12h', ...common, ...ended };
  }
  const [state, reason] = liveState(event, window, at);
  const textOverdue = event.expires !== null && event.expires <= at;
  return { state, reason, isActive: true, ...common, endedAt: null, textOverdue };
}

function liveState(event: EventState, window: Window, at: Instant): [State, StateReason] {
  if (at < window.from) return ['upcoming', 'starts_later'];
  if (event.told.unconfirmed) return ['unconfirmed', 'absent_from_feed'];
  const soon = expiringFrom(window);
  if (soon !== null && at >= soon) return ['expiring', 'ends_soon'];
  return ['in_force', event.liveReason];
}

/** Last quarter of the life, at least 5 and at most 60 minutes of it. */
export function expiringFrom(window: Window): Instant | null {
  if (window.until === null) return null;
  const quarter = (window.until - window.from) / 4;
  return window.until - Math.min(Math.max(quarter, 5 * MINUTE_MS), HOUR_MS);
}

/** Earliest start and latest end; an open end wins. */
export function spanOf(zones: readonly ZoneState[]): Window {
  let from = Infinity;
  let until: Instant | null = -Infinity;
  for (const zone of zones) {
    from = Math.min(from, zone.from);
    until = until === null || zone.until === null ? null : Math.max(until, zone.until);
  }
  return { from, until };
}

/** Ended by message when every zone was, or when the last one was; else by the clock. */
function over(event: EventState, zones: readonly ZoneState[]): Evaluation {
  const span: Window = zones.length > 0 && zones !== event.zones ? spanOf(zones) : { from: event.from, until: event.until };
  const common = { isActive: false, inForceFrom: span.from, inForceUntil: span.until, textOverdue: false };
  const byMessage = zones.filter((zone) => zone.over !== null && zone.over.how !== 'expired');
  const lastMessage = Math.max(-Infinity, ...byMessage.map((zone) => zone.over?.at ?? -Infinity));
  const lastClock = Math.max(-Infinity, ...zones.filter((zone) => !byMessage.includes(zone)).map((zone) => zone.until ?? -Infinity));
  if (byMessage.length > 0 && lastMessage >= lastClock) {
    const upgraded = byMessage.some((zone) => zone.over?.how === 'upgraded');
    return upgraded
      ? { state: 'upgraded', reason: 'upgraded', endedAt: lastMessage, ...common }
      : { state: 'cancelled', reason: 'cancelled_by_message', endedAt: lastMessage, ...common };
  }
  const announced = zones.some((zone) => versionOf(event, zone.messageId)?.action === 'EXP');
  const reason: StateReason = announced ? 'expired_by_message' : 'end_time_passed';
  return { state: 'ended', reason, endedAt: lastClock === -Infinity ? span.until : lastClock, ...common };
}

export function versionOf(event: EventState, messageId: string): EventVersion | undefined {
  return event.versions.findLast((version) => version.messageId === messageId);
}

/** The version that followed a message, by the sender's time. */
function successorOf(event: EventState, messageId: string): EventVersion | undefined {
  const own = versionOf(event, messageId);
  const later = event.versions.filter((version) => version !== own && (!own || version.sent >= own.sent));
  return later.sort((a, b) => a.sent - b.sent || a.version - b.version)[0];
}

function supersededReason(event: EventState, messageId: string, successor: EventVersion | undefined): StateReason {
  const own = versionOf(event, messageId);
  if (successor?.action === 'COR') return 'correction';
  if (successor?.kind !== 'corrected') return 'superseded_by_update';
  return own && own.sent === successor.sent ? 'duplicate' : 'correction';
}

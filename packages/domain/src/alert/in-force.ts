import type { AffectedZone, AlertMessage, Vtec } from './message.ts';
import type { Instant } from './vocabulary.ts';

export interface Window {
  from: Instant;
  /** Null = until further notice. */
  until: Instant | null;
}

/** Zone of a message that names no codes at all (a bare polygon or only words): the machine needs one place to hold its state. */
export const CODELESS_ZONE = 'AREA';

/** Zones a message speaks for; never empty. */
export function zonesSpokenFor(message: AlertMessage): AffectedZone[] {
  return message.zones.length > 0 ? message.zones : [{ code: CODELESS_ZONE, type: 'unknown', partial: true }];
}

/**
 * When what a message says is in force (traps 7, 14, 16). `v` is the VTEC string it is asked for: of several strings each has its own
 * times, and only a single one shares the message's `onset` and `ends`.
 */
export function windowOf(message: AlertMessage, v: Vtec | null): Window {
  const several = message.vtec.length > 1;
  const start = several ? null : message.onset;
  const from = start ?? v?.beginsAt ?? message.effective ?? message.sent;
  if (!v) return { from, until: message.ends ?? message.eventEndingTime ?? message.expires };
  if (v.action === 'EXP') return { from, until: v.endsAt ?? message.ends ?? message.eventEndingTime ?? message.sent };
  const ends = several ? v.endsAt : (message.ends ?? v.endsAt);
  return { from, until: ends ?? (several ? null : message.eventEndingTime) };
}

/**
 * Whether a message ends its zones now, and how (trap 2). `messageType` alone is not enough: cancels come as Alert without references.
 * EXP never does: it says that the end of the VTEC string holds (trap 7).
 */
export function terminalOf(message: AlertMessage, v: Vtec | null): 'cancelled' | 'upgraded' | null {
  if (v?.action === 'EXP') return null;
  if (v?.action === 'UPG') return 'upgraded';
  if (v?.action === 'CAN' || message.messageType === 'Cancel') return 'cancelled';
  if (message.vtec.length > 1) return null;
  return message.urgency === 'Past' || message.response?.toLowerCase() === 'allclear' ? 'cancelled' : null;
}

/** True when every VTEC string of the message (or the message itself) is terminal. */
export function isTerminal(message: AlertMessage): boolean {
  if (message.vtec.length === 0) return terminalOf(message, null) !== null;
  return message.vtec.every((v) => terminalOf(message, v) !== null);
}

/**
 * Sorts a batch so that the result does not depend on the order of pages: by `sent`; of one instant terminal segments before continuing
 * ones, so that a zone that both speak for stays active; then by id.
 */
export function orderForApply(messages: readonly AlertMessage[]): AlertMessage[] {
  const keyed = messages.map((message) => ({ message, rank: isTerminal(message) ? 0 : 1 }));
  keyed.sort((a, b) => a.message.sent - b.message.sent || a.rank - b.rank || compareText(a.message.id, b.message.id));
  return keyed.map((item) => item.message);
}

/** By UTF-16 units, the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

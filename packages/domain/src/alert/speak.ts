import { isZoneOver } from './evaluate.ts';
import type { EventState, ZoneState } from './event.ts';
import { compareText, terminalOf, type Window, windowOf, zonesSpokenFor } from './in-force.ts';
import type { AlertMessage, Vtec } from './message.ts';
import type { Diff } from './entry.ts';
import type { Instant } from './vocabulary.ts';

/** What a message did to the zones of an event. */
export interface Spoken {
  zones: ZoneState[];
  added: string[];
  removed: NonNullable<Diff['area']>['removed'];
  /** Message that spoke for most of these zones before. */
  predecessorId: string | null;
  /** False when newer messages already speak for all its zones: it is only history. */
  changed: boolean;
}

/**
 * Lets a message speak for its zones: each zone follows its own newest message, others are left alone (trap 4). `pastAt`: the message is
 * history that is read after what replaced it; a zone that only it names, and that would still be affected then, stays out.
 */
export function speak(before: EventState | undefined, message: AlertMessage, v: Vtec | null, pastAt: Instant | null = null): Spoken {
  const window = windowOf(message, v);
  const how = terminalOf(message, v);
  const byCode = new Map((before?.zones ?? []).map((zone) => [zone.code, zone] as const));
  const result: Spoken = { zones: [], added: [], removed: [], predecessorId: null, changed: false };
  const predecessors = new Map<string, number>();
  for (const { code, type, partial } of zonesSpokenFor(message)) {
    const old = byCode.get(code);
    if (old && before && !isNewer(before, message, how !== null, old)) continue;
    const named = { code, type, partial, messageId: message.id };
    const next: ZoneState = how
      ? endZone(named, planOf(old, window, v), how, message)
      : { ...named, ...mergeStart(old, window, message), over: null };
    if (pastAt !== null && !old && isReplaced(before, message) && !isZoneOver(next, pastAt)) continue;
    result.changed = true;
    if (old) predecessors.set(old.messageId, (predecessors.get(old.messageId) ?? 0) + 1);
    byCode.set(code, next);
    if (how && (!old || !old.over)) result.removed.push({ ugc: code, reason: how });
    if (!how && (!old || old.over)) result.added.push(code);
  }
  if (before && !v) replaceReferred(byCode, message, result);
  result.zones = [...byCode.values()].sort((a, b) => compareText(a.code, b.code));
  result.predecessorId = [...predecessors].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))[0]?.[0] ?? null;
  return result;
}

/** The event has a message that was sent later. */
function isReplaced(event: EventState | undefined, message: AlertMessage): boolean {
  return event?.versions.some((version) => version.sent > message.sent) ?? false;
}

/** Newer by `sent`; of one instant the continuing message beats the terminal one, then the greater id: as in `orderForApply`. */
function isNewer(event: EventState, message: AlertMessage, terminal: boolean, zone: ZoneState): boolean {
  const standing = event.versions.findLast((version) => version.messageId === zone.messageId);
  if (!standing || message.sent !== standing.sent) return message.sent > (standing?.sent ?? -Infinity);
  const standingTerminal = zone.over !== null && zone.over.how !== 'expired';
  if (standingTerminal !== terminal) return standingTerminal;
  return compareText(message.id, zone.messageId) > 0;
}

/** The plan of times is kept after the end. VTEC repeats it; other cancels carry their own short life instead. */
function planOf(old: ZoneState | undefined, window: Window, v: Vtec | null): Window {
  if (!old) return window;
  return { from: old.from, until: v ? window.until : old.until };
}

/** A cancel sent after the planned end ended nothing: the clock had. */
function endZone(
  zone: Pick<ZoneState, 'code' | 'type' | 'partial' | 'messageId'>,
  { from, until }: Window,
  how: 'cancelled' | 'upgraded',
  message: AlertMessage,
): ZoneState {
  const over =
    until !== null && until <= message.sent
      ? ({ how: 'expired', at: until, messageId: message.id } as const)
      : { how, at: message.sent, messageId: message.id };
  return { ...zone, from, until, over };
}

/** Continuations write "now" as onset: a hazard that had begun keeps its beginning. */
function mergeStart(old: ZoneState | undefined, window: Window, message: AlertMessage): Window {
  if (!old || old.over || old.from > message.sent || window.from > message.sent) return window;
  return { from: Math.min(old.from, window.from), until: window.until };
}

/**
 * Without VTEC there are no segments: a message that refers to another replaces it whole (CAP 1.2, msgType Update and Cancel), so zones
 * only the referred message named are no longer affected.
 */
function replaceReferred(byCode: Map<string, ZoneState>, message: AlertMessage, result: Spoken): void {
  if (message.messageType !== 'Update' && message.messageType !== 'Cancel') return;
  const referred = new Set(message.references.filter((reference) => reference.kind === 'reference').map((reference) => reference.id));
  for (const zone of byCode.values()) {
    if (!referred.has(zone.messageId) || zone.over) continue;
    const over = { how: 'cancelled', at: message.sent, messageId: message.id } as const;
    byCode.set(zone.code, { ...zone, messageId: message.id, over });
    result.removed.push({ ugc: zone.code, reason: 'cancelled' });
    result.changed = true;
  }
}

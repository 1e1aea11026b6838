import { HOUR_MS } from '../time/timestamp.ts';
import type { Diff, EntryDraft } from './entry.ts';
import { evaluate, expiringFrom, isZoneOver, spanOf } from './evaluate.ts';
import type { EventState, ZoneState } from './event.ts';
import { summarize } from './summary.ts';
import type { Channel, Instant, Kind } from './vocabulary.ts';

/** Open-ended events are withdrawn when their text has lapsed and nobody listed them for this long. */
export const WITHDRAW_AFTER_MS = 12 * HOUR_MS;

export interface Stepped {
  /** The same object when nothing changed. */
  event: EventState;
  entries: EntryDraft[];
  /** True when nothing but `presence.lastListedAt` moved on: no time of the event is another one now. */
  isListing?: true;
}

/** Clock transitions due at `now`: started, ended, zones that ran out, withdrawn. Calling it again tells nothing twice. */
export function tick(event: EventState, now: Instant): Stepped {
  if (event.told.ended) return { event, entries: [] };
  const lapsedAt = neverListedEnd(event);
  const withdrawnAt = event.withdrawnAt ?? (lapsedAt !== null && lapsedAt <= now ? lapsedAt : null);
  const zones = expireZones(event.zones, now);
  const settled = { ...event, zones, withdrawnAt };
  const evaluation = evaluate(settled, now);
  if (!evaluation.isActive) {
    const told = { started: true, ended: true, unconfirmed: false };
    const kind = evaluation.state === 'withdrawn' ? 'withdrawn' : 'ended';
    return step({ ...settled, told, updatedAt: now }, kind, now, stateDiff(event, evaluation.state));
  }
  const entries: EntryDraft[] = [];
  let next = event;
  if (zones !== event.zones) {
    const shrunk = shrink({ ...settled, updatedAt: now });
    const gone = zones.filter((zone, at) => zone !== event.zones[at]);
    const diff: Diff = { area: { added: [], removed: gone.map((zone) => ({ ugc: zone.code, reason: 'expired' })) } };
    entries.push(draftEntry(shrunk, 'revised', now, diff));
    next = shrunk;
  }
  if (!event.told.started && evaluation.state !== 'upcoming') {
    next = { ...next, told: { ...next.told, started: true }, updatedAt: now };
    entries.push(draftEntry(next, 'started', now, { state: { from: 'upcoming', to: evaluation.state } }));
  }
  return { event: next, entries };
}

/** When the event next changes by the clock alone (an instant not after `now` is due), null if never. */
export function nextTransitionAt(event: EventState, now: Instant): Instant | null {
  if (event.told.ended) return null;
  const open = event.zones.filter((zone) => !zone.over);
  const due = open.map((zone) => zone.until);
  if (!event.told.started) due.push(event.from);
  due.push(neverListedEnd(event));
  const soon = open.length > 0 ? expiringFrom(spanOf(open)) : null;
  const later = [soon, event.expires, ...open.map((zone) => zone.from)].filter((at) => at !== null && at > now);
  let next: Instant | null = null;
  for (const at of [...due, ...later]) if (at !== null && (next === null || at < next)) next = at;
  return next;
}

/** Marks zones whose end has come; the same array when none has. */
export function expireZones(zones: ZoneState[], now: Instant): ZoneState[] {
  if (!zones.some((zone) => !zone.over && isZoneOver(zone, now))) return zones;
  return zones.map((zone) =>
    !zone.over && zone.until !== null && zone.until <= now
      ? { ...zone, over: { how: 'expired', at: zone.until, messageId: zone.messageId } }
      : zone,
  );
}

/** End of an open-ended event no poll ever listed (imports, backfill): 12 hours after its text lapsed. */
export function neverListedEnd(event: EventState): Instant | null {
  if (event.presence.lastListedAt !== null || event.presence.absentSince !== null || event.expires === null) return null;
  const open = event.zones.some((zone) => !zone.over && zone.until === null);
  const bounded = event.zones.some((zone) => !zone.over && zone.until !== null);
  return open && !bounded ? event.expires + WITHDRAW_AFTER_MS : null;
}

/** Standing messages are kept worst first, so the first that still stands leads. */
function shrink(event: EventState): EventState {
  const open = event.zones.filter((zone) => !zone.over);
  const speaking = new Set(open.map((zone) => zone.messageId));
  const standingIds = event.standingIds.filter((id) => speaking.has(id));
  const currentId = standingIds[0] ?? event.currentId;
  return { ...event, ...spanOf(open), standingIds: standingIds.length > 0 ? standingIds : [currentId], currentId };
}

export function stateDiff(before: EventState, to: EntryDraft['state']): Diff {
  const from = evaluate(before, before.updatedAt).state;
  return from === to ? {} : { state: { from, to } };
}

function step(event: EventState, kind: Kind, now: Instant, diff: Diff): Stepped {
  return { event, entries: [draftEntry(event, kind, now, diff)] };
}

/** Entry of the clock or the feed: it speaks with the standing message; nothing of it is ever an `alert`. */
export function draftEntry(event: EventState, kind: Kind, now: Instant, diff: Diff | null): EntryDraft {
  const evaluation = evaluate(event, now);
  const version = event.versions.findLast((candidate) => candidate.messageId === event.currentId)?.version ?? event.versions.length;
  const channels: Channel[] = event.countable ? ['updates'] : [];
  const { state, isActive } = evaluation;
  const summary = summarize(kind, event.event, diff);
  return { at: now, kind, channels, eventId: event.eventId, messageId: event.currentId, version, summary, diff, state, isActive, event };
}

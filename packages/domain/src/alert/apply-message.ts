import { channelsOf } from './channels.ts';
import { decideKind, hasRisen } from './decide-kind.ts';
import { diffOf } from './diff.ts';
import { type ApplyContext, draftEvent } from './draft-event.ts';
import type { Diff, EntryDraft } from './entry.ts';
import { evaluate } from './evaluate.ts';
import type { EventState } from './event.ts';
import type { EventIndex } from './event-index.ts';
import { identify, type Target } from './identify.ts';
import type { AlertMessage } from './message.ts';
import { endPast, finish, settle } from './settle-event.ts';
import { speak, type Spoken } from './speak.ts';
import type { Lookup } from './standing.ts';
import { summarize } from './summary.ts';
import { linkUpgrades } from './upgrade-links.ts';
import type { Instant } from './vocabulary.ts';

export type { ApplyContext } from './draft-event.ts';

export interface Applied {
  /** New state of every event touched, also without an entry. */
  events: EventState[];
  entries: EntryDraft[];
}

/**
 * Applies one new message. Nothing to tell (an exact duplicate) gives empty lists. Inputs are never changed. Give a batch in the order
 * of `orderForApply` and put each result into the index before the next message.
 */
export function applyMessage(index: EventIndex, message: AlertMessage, context: ApplyContext): Applied {
  const events: EventState[] = [];
  const entries: EntryDraft[] = [];
  const known = index.byMessage(message.id);
  if (known && message.vtec.length < 2 && hasVersion(known, message.id)) return { events, entries };
  const targets = identify(index, message);
  for (const target of targets) {
    if (target.existing && hasVersion(target.existing, message.id)) continue;
    const applied = applyToEvent(index, message, target, eventIdsOf(target, targets), context);
    events.push(applied.event);
    entries.push(applied.entry);
  }
  // Entries carry the event as stored, links included.
  const linked = linkUpgrades(index, events, message);
  const byId = new Map(linked.map((event) => [event.eventId, event] as const));
  return { events: linked, entries: entries.map((entry) => ({ ...entry, event: byId.get(entry.eventId) ?? entry.event })) };
}

function hasVersion(event: EventState, messageId: string): boolean {
  return event.versions.some((version) => version.messageId === messageId);
}

function eventIdsOf(target: Target, targets: readonly Target[]): string[] {
  const others = targets.map((other) => other.eventId).filter((id) => id !== target.eventId);
  return [...new Set([target.eventId, ...(target.existing?.eventIds ?? []), ...others])];
}

function applyToEvent(index: EventIndex, message: AlertMessage, target: Target, eventIds: string[], context: ApplyContext) {
  const before = target.existing;
  const lookup: Lookup = (id) => (id === message.id ? message : index.message(id));
  const spoken = speak(before, message, target.v, context.past ? context.now : null);
  const settled = settle(draftEvent({ before, message, target, eventIds, spoken, lookup, context }), context.now, lookup);
  const draft = context.past ? endPast(before, settled, context.now) : settled;
  const diff = before ? diffBetween(before, draft, message, spoken, lookup, context.now) : null;
  const risen = before !== undefined && hasRisen(before, draft, message, spoken.predecessorId, lookup);
  const action = target.v?.action ?? null;
  const kind = context.past ? 'backfilled' : decideKind({ before, after: draft, message, action, spoken, diff, risen, now: context.now });
  const event = finish(draft, kind, context.now);
  const evaluation = evaluate(event, context.now);
  const entry: EntryDraft = {
    at: context.now,
    kind,
    channels: context.past ? [] : channelsOf(kind, message),
    eventId: event.eventId,
    messageId: message.id,
    version: event.versions.length,
    summary: summarize(kind, event.event, diff),
    diff,
    state: evaluation.state,
    isActive: evaluation.isActive,
    event,
  };
  return { event, entry };
}

function diffBetween(before: EventState, after: EventState, message: AlertMessage, spoken: Spoken, lookup: Lookup, now: Instant): Diff {
  // A segment is compared with what it replaces; a segment for new zones changes the event only as far as it leads it.
  const from = spoken.predecessorId === null ? lookup(before.currentId) : lookup(spoken.predecessorId);
  const to = spoken.predecessorId === null ? lookup(after.currentId) : message;
  const ended = spoken.removed.length > 0 && spoken.added.length === 0;
  const area = { added: spoken.added, removed: spoken.removed };
  return diffOf(
    { evaluation: evaluate(before, now), message: ended ? undefined : from },
    { evaluation: evaluate(after, now), message: ended ? undefined : to },
    area,
  );
}

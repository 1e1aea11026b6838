import { evaluate, type AlertMessage, type EntryDraft, type EventState, type Instant } from '@nwms/domain';
import type { SqlValue } from '../../../platform/db/bulk.ts';
import { invariant } from '../../../platform/app-error.ts';
import type { EncodeAlert } from '../encode.ts';
import { partRows } from './part-rows.ts';
import { areaRows, eventRow, keyRows, logRow, messageRow, revisionRow, textOnce, type Known } from './rows.ts';
import type { ShapeOf } from './relocate.ts';
import { FOREVER } from './tables.ts';
import type { CommittedBatch, Incoming, LogEntry, PollRecord } from '../types.ts';
import type { Held, WorkingSet } from './working-set.ts';

/** End of a revision that a newer one replaced. */
export interface ClosedRevision {
  eventId: string;
  seq: number;
  from: Instant;
  until: Instant;
  overAt: Instant;
}

/** Rows of one transaction. */
export interface BatchRows {
  messages: SqlValue[][];
  events: SqlValue[][];
  keys: SqlValue[][];
  areas: SqlValue[][];
  log: SqlValue[][];
  revisions: SqlValue[][];
  parts: SqlValue[][];
  closed: ClosedRevision[];
  poll: PollRecord | null;
}

/** Entries that tell a transition of the clock or a late shape: what is known about the event is the same as before. */
export const SAME_KNOWLEDGE: ReadonlySet<string> = new Set(['started', 'ended', 'located']);

/** Collects what one transaction writes while the state machine runs; numbers are given in the order of the calls. */
export interface Batch {
  readonly firstSeq: number;
  /** Takes the machine's answer. `incoming` is the message that caused it, if one did. */
  add(change: { events: EventState[]; entries: EntryDraft[] }, now: Instant, incoming?: Incoming): void;
  /** A message that told nothing new: kept all the same. */
  addMessage(incoming: Incoming, eventId: string | null): void;
  rows(poll: PollRecord | null): BatchRows;
  /** What is announced after commit. */
  committed(): CommittedBatch;
  isEmpty(): boolean;
}

export function createBatch(set: WorkingSet, encode: EncodeAlert, shapeOf: ShapeOf, headSeq: number): Batch {
  const entries: LogEntry[] = [];
  const revisions: { entry: LogEntry; known: Known | null }[] = [];
  const messages: { incoming: Incoming; eventId: string | null }[] = [];
  const touched = new Map<string, { held: Held; before: EventState | undefined }>();
  const closed: ClosedRevision[] = [];
  const latest = new Map<string, Known>();

  const lookup = (id: string) => set.message(id);
  const numberEntry = (draft: EntryDraft, seq: number): LogEntry => {
    const { event, ...told } = draft;
    const stateReason = evaluate(event, draft.at).reason;
    const alertJson = encode(event, lookup, draft.at);
    return { seq, ...told, stateReason, countable: event.countable, alertJson };
  };
  /** Opens a revision and ends the one before it; of several within one instant only the last has a length. */
  const revise = (entry: LogEntry, held: Held, from: Instant, state: EventState): Known => {
    const old = held.revision;
    const begin = old ? Math.max(old.from, from) : from;
    const known: Known = { from: begin, until: FOREVER, overAt: held.overAt, state };
    const inBatch = latest.get(state.eventId);
    if (inBatch) inBatch.until = begin;
    else if (old) closed.push({ eventId: state.eventId, ...old, until: begin });
    latest.set(state.eventId, known);
    held.revision = { seq: entry.seq, from: begin, overAt: held.overAt };
    return known;
  };

  return {
    firstSeq: headSeq + 1,
    add(change, now, incoming) {
      // Encoding comes first: when it fails nothing of this change is in the batch or in the working set.
      const numbered = change.entries.map((draft, i) => numberEntry(draft, headSeq + entries.length + i + 1));
      const shapes = change.entries.map((draft) => shapeOf(draft.event, lookup, draft.at));
      for (const event of change.events) {
        const before = touched.get(event.eventId)?.before ?? (touched.has(event.eventId) ? undefined : set.event(event.eventId));
        touched.set(event.eventId, { held: set.put(event, now), before });
      }
      for (const [i, entry] of numbered.entries()) {
        const held = touched.get(entry.eventId)?.held;
        const state = change.entries[i]?.event;
        const revises = held && state && !SAME_KNOWLEDGE.has(entry.kind);
        // History that an operator loads was known when it was sent, not when it was loaded.
        const from = incoming?.message.source === 'import' ? incoming.message.receivedAt : entry.at;
        if (held) held.shape = shapes[i] ?? null;
        revisions.push({ entry, known: revises ? revise(entry, held, from, state) : null });
        entries.push(entry);
      }
      if (incoming) messages.push({ incoming, eventId: change.events[0]?.eventId ?? null });
    },
    addMessage: (incoming, eventId) => void messages.push({ incoming, eventId }),
    rows(poll) {
      const changed = [...touched.values()];
      const text = textOnce();
      const moved = changed.filter(({ held, before }) => !before || areasDiffer(before, held.event));
      return {
        messages: messages.map(({ incoming, eventId }) => messageRow(incoming, eventId)),
        events: changed.map(({ held }) => eventRow(held, set.message(held.event.currentId), text)),
        keys: changed.filter(({ before }) => !before).flatMap(({ held }) => keyRows(held.event)),
        areas: moved.flatMap(({ held }) => areaRows(held.event)),
        log: entries.map(logRow),
        revisions: revisions.map(({ entry, known }) => revisionRow(entry, lasting(known), text)),
        parts: revisions.flatMap(({ entry, known }) => partsOf(entry, lasting(known), lookup)),
        closed: closed.filter((each) => each.until < FOREVER),
        poll,
      };
    },
    committed() {
      const events = [...touched.values()].map(({ held }) => held.event);
      return { entries, events, messages: messagesOf(events, lookup) };
    },
    isEmpty: () => messages.length === 0 && touched.size === 0,
  };
}

const lasting = (known: Known | null): Known | null => (known && known.until > known.from ? known : null);

function partsOf(entry: LogEntry, known: Known | null, lookup: (id: string) => AlertMessage | undefined): SqlValue[][] {
  if (!known) return [];
  const own = lookup(known.state.currentId);
  invariant(own, `message ${known.state.currentId} of ${entry.eventId} is not at hand`);
  return partRows(entry, known, own);
}

/** Messages a reader needs to show the events as they are now. */
export function messagesOf(events: readonly EventState[], lookup: (id: string) => AlertMessage | undefined): AlertMessage[] {
  const ids = new Set(events.flatMap(messageIdsOf));
  return [...ids].map(lookup).filter((message) => message !== undefined);
}

/** Messages that speak for an event or one of its zones. */
export function messageIdsOf(event: EventState): string[] {
  return [event.currentId, ...event.standingIds, ...event.zones.map((zone) => zone.messageId)];
}

function areasDiffer(a: EventState, b: EventState): boolean {
  return a.from !== b.from || a.zones.length !== b.zones.length || b.zones.some((zone, i) => zone.code !== a.zones[i]?.code);
}

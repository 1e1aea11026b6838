import {
  createMemoryIndex,
  nextTransitionAt,
  overAt,
  upstreamIdOf,
  type AlertMessage,
  type EventIndex,
  type EventState,
  type GeometryQuality,
  type GeometrySource,
  type Instant,
} from '@nwms/domain';
import { FOREVER } from './tables.ts';

/** Revision of an event that is valid now, as stored. */
export interface OpenRevision {
  seq: number;
  from: Instant;
  overAt: Instant;
}

/** What the writer knows about one event beside its state. */
export interface Held {
  event: EventState;
  /** FOREVER = open. */
  overAt: Instant;
  /** Next clock transition, FOREVER = none. */
  dueAt: Instant;
  revision: OpenRevision | null;
  /** Where the last log entry said it is; null before the first. */
  shape: ShapeFacts | null;
}

/** What is told about an event's shape when it changes without a message. */
export interface ShapeFacts {
  source: GeometrySource;
  quality: GeometryQuality;
  areaKm2: number | null;
}

/** Candidates for an identity without VTEC stay in question this long after they are over. */
const CANDIDATE_MS = 24 * 3_600_000;

/**
 * Events in memory that the state machine reads and writes: those not over, those over for at most a week, and older ones fetched
 * for the batch at hand. Changes of a batch are tentative until `keep`; `undo` brings back what is committed.
 */
export interface WorkingSet extends EventIndex {
  held(eventId: string): Held | undefined;
  all(): IterableIterator<Held>;
  /** Our id of a committed message, by upstream id and content. */
  idOf(upstreamId: string, contentHash: string): string | undefined;
  hasUpstreamId(upstreamId: string): boolean;
  /** Committed data coming in from the store. */
  load(stored: Pick<Held, 'event' | 'revision' | 'shape'>, now: Instant): void;
  loadMessage(message: AlertMessage): void;
  loadIdentity(message: { id: string; upstreamId: string; contentHash: string }): void;
  /** Tentative changes of the batch at hand. */
  put(event: EventState, now: Instant): Held;
  /** As `put`, of an event that was listed once more and is else the same: its times stay. */
  putListed(event: EventState): void;
  putMessage(message: AlertMessage): void;
  /** The batch stores this message: from `keep` on its content counts as known. */
  accept(message: AlertMessage): void;
  /** The clock's transitions until `now` are told: an instant that is still due would ask for ever. */
  ticked(eventId: string, now: Instant): void;
  keep(): void;
  undo(): void;
  /** Forgets events over since before `limit` and their messages. */
  forget(limit: Instant): void;
  clear(): void;
  nextDueAt(): Instant;
}

export function createWorkingSet(clockNow: () => Instant): WorkingSet {
  let index = createMemoryIndex();
  const holds = new Map<string, Held>();
  const identities = new Map<string, Map<string, string>>();
  const before = new Map<string, Held | undefined>();
  const fresh: AlertMessage[] = [];

  const hold = ({ event, revision, shape }: Pick<Held, 'event' | 'revision' | 'shape'>, now: Instant): Held => {
    const held = { event, overAt: overAt(event) ?? FOREVER, dueAt: nextTransitionAt(event, now) ?? FOREVER, revision, shape };
    holds.set(event.eventId, held);
    index.put(event);
    return held;
  };
  const identify = (id: string, upstreamId: string, contentHash: string) => {
    const contents = identities.get(upstreamId);
    if (contents) contents.set(contentHash, id);
    else identities.set(upstreamId, new Map([[contentHash, id]]));
  };
  const remove = (eventId: string) => {
    const event = holds.get(eventId)?.event;
    holds.delete(eventId);
    const messages = (event?.versions ?? []).map((version) => index.message(version.messageId));
    index.remove(eventId);
    // A message with several VTEC strings belongs to several events: it stays while one of them does.
    const shared = event?.eventIds.some((id) => holds.has(id)) ?? false;
    for (const message of shared ? messages : []) if (message) index.putMessage(message);
    return messages;
  };

  return {
    event: (eventId) => index.event(eventId),
    byVtecKey: (key) => index.byVtecKey(key),
    byMessage: (messageId) => index.byMessage(messageId),
    candidates: (code, office) => {
      const limit = clockNow() - CANDIDATE_MS;
      return index.candidates(code, office).filter((event) => (holds.get(event.eventId)?.overAt ?? 0) > limit);
    },
    message: (messageId) => index.message(messageId),
    held: (eventId) => holds.get(eventId),
    all: () => holds.values(),
    idOf: (upstreamId, contentHash) => identities.get(upstreamId)?.get(contentHash),
    hasUpstreamId: (upstreamId) => identities.has(upstreamId),
    load: (stored, now) => void hold(stored, now),
    loadMessage: (message) => index.putMessage(message),
    loadIdentity: ({ id, upstreamId, contentHash }) => identify(id, upstreamId, contentHash),
    put(event, now) {
      const old = holds.get(event.eventId);
      if (!before.has(event.eventId)) before.set(event.eventId, old);
      return hold({ event, revision: old?.revision ?? null, shape: old?.shape ?? null }, now);
    },
    putListed(event) {
      const old = holds.get(event.eventId);
      if (!old) return;
      if (!before.has(event.eventId)) before.set(event.eventId, old);
      holds.set(event.eventId, { ...old, event });
      index.put(event);
    },
    putMessage: (message) => index.putMessage(message),
    accept: (message) => void fresh.push(message),
    ticked(eventId, now) {
      const held = holds.get(eventId);
      if (held) held.dueAt = Math.max(held.dueAt, now + 1);
    },
    keep() {
      for (const message of fresh) identify(message.id, message.upstreamId, message.contentHash);
      fresh.length = 0;
      before.clear();
    },
    undo() {
      for (const [eventId, old] of before) {
        const messages = remove(eventId);
        if (!old) continue;
        holds.set(eventId, old);
        index.put(old.event);
        for (const message of messages) if (message) index.putMessage(message);
      }
      fresh.length = 0;
      before.clear();
    },
    forget(limit) {
      for (const [eventId, held] of holds) {
        if (held.overAt > limit) continue;
        remove(eventId);
        for (const { messageId } of held.event.versions) if (!index.message(messageId)) identities.delete(upstreamIdOf(messageId));
      }
    },
    clear() {
      index = createMemoryIndex();
      for (const map of [holds, identities, before]) map.clear();
      fresh.length = 0;
    },
    nextDueAt() {
      let next = FOREVER;
      for (const held of holds.values()) if (held.dueAt < next) next = held.dueAt;
      return next;
    },
  };
}

/**
 * True when nothing but `presence.lastListedAt` moved. That alone is not written: after a restart it is the last poll whose list
 * was used for presence, for every event that is not absent.
 */
export function sameButForListing(a: EventState, b: EventState): boolean {
  if (a === b) return true;
  if (a.presence.absentSince !== b.presence.absentSince || a.presence.absentPolls !== b.presence.absentPolls) return false;
  if ((a.presence.lastListedAt === null) !== (b.presence.lastListedAt === null)) return false;
  const keys = Object.keys(b) as (keyof EventState)[];
  return keys.every((key) => key === 'presence' || a[key] === b[key]);
}

import type { AlertMessage, EventState } from '@nwms/domain';

/** Messages of the events on the board, dropped with the last event that refers to them. */
export interface MessageShelf {
  get(id: string): AlertMessage | undefined;
  add(messages: readonly AlertMessage[]): void;
  link(event: EventState): void;
  unlink(event: EventState): void;
  /** Events of a message, by our id or upstream's. */
  eventsOf(id: string): Iterable<string>;
  /** Messages of one product (trap 11). */
  bulletin(hash: string): string[];
}

export function createMessageShelf(): MessageShelf {
  const messages = new Map<string, AlertMessage>();
  const events = new Map<string, Set<string>>();
  /** Upstream ids that are not ours: several contents under one identifier. */
  const aliases = new Map<string, string>();
  return {
    get: (id) => messages.get(id),
    add(added) {
      for (const message of added) {
        messages.set(message.id, message);
        if (message.upstreamId !== message.id && !aliases.has(message.upstreamId)) aliases.set(message.upstreamId, message.id);
      }
    },
    link(event) {
      for (const { messageId } of event.versions) {
        const linked = events.get(messageId);
        if (linked) linked.add(event.eventId);
        else events.set(messageId, new Set([event.eventId]));
      }
    },
    unlink(event) {
      for (const { messageId } of event.versions) {
        const linked = events.get(messageId);
        linked?.delete(event.eventId);
        if (linked && linked.size > 0) continue;
        events.delete(messageId);
        const upstreamId = messages.get(messageId)?.upstreamId;
        if (upstreamId !== undefined && aliases.get(upstreamId) === messageId) aliases.delete(upstreamId);
        messages.delete(messageId);
      }
    },
    bulletin: (hash) => [...messages.values()].filter((message) => message.bulletin === hash).map((message) => message.id),
    eventsOf: (id) => events.get(id) ?? events.get(aliases.get(id) ?? '') ?? [],
  };
}

import type { EventState } from './event.ts';
import type { MemoryIndex } from './event-index.ts';
import type { AlertMessage } from './message.ts';
import { parseVtecEventId } from './vtec.ts';

/** Working set over plain maps. Holds what it is given; eviction is the owner's decision. */
export function createMemoryIndex(): MemoryIndex {
  const events = new Map<string, EventState>();
  const messages = new Map<string, AlertMessage>();
  const byKey = new Map<string, Set<string>>();
  const byHazard = new Map<string, Set<string>>();
  const byMessage = new Map<string, string>();

  const resolve = (ids: Set<string> | undefined): EventState[] =>
    [...(ids ?? [])].map((id) => events.get(id)).filter((event) => event !== undefined);

  return {
    event: (eventId) => events.get(eventId),
    byVtecKey: (key) => resolve(byKey.get(key)),
    byMessage: (messageId) => events.get(byMessage.get(messageId) ?? ''),
    candidates: (code, office) => resolve(byHazard.get(`${code}|${office ?? ''}`)),
    message: (messageId) => messages.get(messageId),
    events: () => [...events.values()],
    put(event) {
      const old = events.get(event.eventId);
      if (old && hazardKey(old) !== hazardKey(event)) byHazard.get(hazardKey(old))?.delete(event.eventId);
      events.set(event.eventId, event);
      // Every poll puts every event: what its names are made of is the same object then.
      if (
        old &&
        old.versions === event.versions &&
        old.eventCode === event.eventCode &&
        old.event === event.event &&
        old.office === event.office
      )
        return;
      add(byHazard, hazardKey(event), event.eventId);
      const vtec = parseVtecEventId(event.eventId);
      if (vtec) add(byKey, vtec.key, event.eventId);
      for (const version of event.versions.slice(old ? old.versions.length : 0)) {
        byMessage.set(version.messageId, event.eventId);
        byMessage.set(upstreamIdOf(version.messageId), event.eventId);
      }
    },
    putMessage: (message) => void messages.set(message.id, message),
    remove(eventId) {
      const event = events.get(eventId);
      if (!event) return;
      events.delete(eventId);
      byHazard.get(hazardKey(event))?.delete(eventId);
      const vtec = parseVtecEventId(eventId);
      if (vtec) byKey.get(vtec.key)?.delete(eventId);
      for (const version of event.versions) {
        for (const id of [version.messageId, upstreamIdOf(version.messageId)]) {
          if (byMessage.get(id) === eventId) byMessage.delete(id);
        }
        messages.delete(version.messageId);
      }
    },
  };
}

function hazardKey(event: EventState): string {
  return `${event.eventCode ?? event.event}|${event.office ?? ''}`;
}

/** Our id is the upstream id, with `~` and 8 hex when other content came first. */
export function upstreamIdOf(messageId: string): string {
  return /^(.*)~[0-9a-f]{8}$/.exec(messageId)?.[1] ?? messageId;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

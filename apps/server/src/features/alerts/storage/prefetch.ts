import { vtecKey, type AlertMessage, type EventState, type Instant } from '@nwms/domain';
import type { MessagesStore } from './messages-store.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * Brings into memory what the (synchronous) state machine may ask about a batch: events of the same VTEC keys and of referred
 * messages, however old, and every message of the events in question. After it, memory answers as the whole store would.
 */
export async function prefetch(set: WorkingSet, store: MessagesStore, incoming: readonly AlertMessage[], now: Instant): Promise<void> {
  if (incoming.length === 0) return;
  const vtecKeys = incoming.flatMap((message) => message.vtec.map(vtecKey));
  const messageIds = incoming.flatMap((message) => message.references.map((reference) => reference.id)).filter((id) => !set.byMessage(id));
  const missing = (await store.eventIdsOf({ vtecKeys, messageIds })).filter((id) => !set.event(id));
  for (const stored of await store.events(missing)) set.load(stored, now);
  const asked = incoming.flatMap((message) => eventsInQuestion(set, message));
  const messages = new Set(asked.flatMap((event) => event.versions.map((version) => version.messageId)));
  const unknown = [...messages].filter((id) => !set.message(id));
  for (const message of await store.messages(unknown)) {
    set.loadMessage(message);
    set.loadIdentity(message);
  }
}

function eventsInQuestion(set: WorkingSet, message: AlertMessage): EventState[] {
  const byKey = message.vtec.flatMap((v) => set.byVtecKey(vtecKey(v)));
  const referred = message.references.map((reference) => set.byMessage(reference.id)).filter((event) => event !== undefined);
  return [...byKey, ...referred];
}

import { applyMessage } from '../alert/apply-message.ts';
import type { EntryDraft } from '../alert/entry.ts';
import { overAt } from '../alert/evaluate.ts';
import type { EventState } from '../alert/event.ts';
import { orderForApply } from '../alert/in-force.ts';
import { createMemoryIndex } from '../alert/memory-index.ts';
import type { AlertMessage } from '../alert/message.ts';
import { nextTransitionAt, tick } from '../alert/tick.ts';
import type { Instant } from '../alert/vocabulary.ts';

/** An event's whole life as the state machine would have told it while it happened. */
export interface ReplayedLife {
  event: EventState;
  /** When it was over; null when nothing in the archive ends it. */
  overAt: Instant | null;
  /** In order, each with the state it left. */
  entries: EntryDraft[];
  messageIds: string[];
}

/**
 * Plays archived messages through the one state machine, each at the instant it was sent and the clock in between, so that imported history
 * reads like history that was collected. Answers the events they make, in the order of their first message.
 */
export function replayHistory(messages: readonly AlertMessage[]): ReplayedLife[] {
  const index = createMemoryIndex();
  const lives = new Map<string, { entries: EntryDraft[]; messageIds: string[]; at: Instant }>();
  const lifeOf = (eventId: string) => {
    const known = lives.get(eventId);
    if (known) return known;
    const made = { entries: [], messageIds: [], at: -Infinity };
    lives.set(eventId, made);
    return made;
  };
  const runUntil = (limit: Instant) => {
    for (const [eventId, life] of lives) {
      for (;;) {
        const event = index.event(eventId);
        const next = event ? nextTransitionAt(event, life.at) : null;
        if (!event || next === null || next >= limit) break;
        // An instant that is due already is told at the next one.
        life.at = Math.max(next, life.at + 1);
        const stepped = tick(event, life.at);
        index.put(stepped.event);
        life.entries.push(...stepped.entries);
      }
    }
  };
  for (const message of orderForApply(messages)) {
    runUntil(message.sent);
    index.putMessage(message);
    const { events, entries } = applyMessage(index, message, { now: message.sent, listed: false, pollStartedAt: null });
    for (const event of events) {
      index.put(event);
      const life = lifeOf(event.eventId);
      life.at = message.sent;
      life.messageIds.push(message.id);
    }
    for (const entry of entries) lifeOf(entry.eventId).entries.push(entry);
  }
  runUntil(Infinity);
  return [...lives].flatMap(([eventId, { entries, messageIds }]) => {
    const event = index.event(eventId);
    return event ? [{ event, overAt: overAt(event), entries, messageIds }] : [];
  });
}

/** The same life under another event id: which generation of a number it is, only the store knows. */
export function renamed(life: ReplayedLife, eventId: string): ReplayedLife {
  const rename = (event: EventState): EventState => ({ ...event, eventId, eventIds: [eventId] });
  return { ...life, event: rename(life.event), entries: life.entries.map((entry) => ({ ...entry, eventId, event: rename(entry.event) })) };
}
